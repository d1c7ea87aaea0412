import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import Testing

/// Scalars are loaded into libcrypto's numbers without change, whatever their size.
@Suite struct ScalarFormTests {
  @Test(arguments: [0, 1, 2, 8, 9, 24, 31, 32])
  func `a key decrypts its token whatever the number of leading zeros of its scalar`(zeros: Int) throws {
    let minter = try Minter(seed: 43, at: mintingTime)
    let pair = try KeyPair(
      .p256, wideScalar: [UInt8](repeating: 0, count: zeros) + [UInt8](repeating: 0xA7, count: 32 - zeros))
    #expect(pair.scalar.prefix { $0 == 0 }.count == min(zeros, 31))
    let key = try pair.scalar.withUnsafeBytes { bytes in try PrivateKey(scalar: bytes) }
    let keys = try MerchantKeySet([
      MerchantKeySource(privateKey: key, merchantID: minter.merchants[0].identifier)
    ])
    var layers = try minter.layers()
    layers.publicKeyHash = keys[0].publicKeyHash.withUnsafeBytes { Array($0) }
    try layers.encrypt(to: pair.point)
    try layers.sign()
    let engine = try FastDecryptor(keys: keys, anchors: minter.anchors)
    var workspace = makeWorkspace()
    #expect(engine.verdict(layers.token, in: &workspace) == .success(layers.plaintext))
  }
}

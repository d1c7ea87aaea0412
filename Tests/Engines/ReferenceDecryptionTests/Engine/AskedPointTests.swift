import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

/// What an external key is asked (rules 11.1 and 11.3).
struct AskedPointTests {
  private let minter: Minter
  private let layers: TokenLayers

  init() throws {
    minter = try Minted.minter()
    layers = try minter.layers()
  }

  /// An external key that answers once.
  private func shortLivedKey() -> ExternalKeyStandIn {
    let pair = minter.merchants[0].keys[0].pair
    return ExternalKeyStandIn { point, number in number < 1 ? try? pair.sharedSecret(with: point) : nil }
  }

  private func engine(_ key: ExternalKeyStandIn) throws -> ReferenceDecryptor {
    let external = try ExternalECKey(publicKey: minter.merchants[0].keys[0].pair.point, agreement: key)
    let source = MerchantKeySource(secret: .external(external), merchantID: minter.merchants[0].identifier)
    return try ReferenceDecryptor(keys: MerchantKeySet([source]), anchors: minter.anchors)
  }

  @Test func `an external key is asked about points of the curve alone`() throws {
    let key = shortLivedKey()
    let engine = try engine(key)
    let edits: [@Sendable (inout [UInt8]) -> Void] = [
      { $0[90] ^= 1 },  // off the curve
      { $0[26] = 0x06 | $0[90] & 1 },  // the hybrid form of the same point
      { for index in 27..<59 { $0[index] = 0xFF } },  // x above p
      { for index in 59..<91 { $0[index] = 0xFF } },  // y above p
    ]
    for (index, edit) in edits.enumerated() {
      var other = layers
      edit(&other.ephemeralPublicKey)
      try other.sign()
      #expect(engine.code(other.token) == .invalidEphemeralKey, "edit \(index)")
    }
    #expect(key.asked.count == 0)
    #expect(engine.code(layers.token) == nil)
    #expect(engine.code(layers.token) == .keyUnavailable)
    #expect(key.asked.count == 2)
  }
}

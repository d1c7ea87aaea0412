import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

@Suite struct ExternalKeyTests {
  static let time = UnixTime(secondsSinceEpoch: 1_767_225_600)
  static let minter = Result { try Minter(seed: 0x5AFE, at: time) }

  @Test(arguments: Engines.names)
  func `a token is decrypted with an external key`(_ engine: String) throws {
    let minter = try Self.minter.get()
    let merchant = minter.merchants[0]
    let agreement = Self.standIn(merchant.keys[0].pair)
    let certificate = try Certificate(der: merchant.keys[0].certificate)
    let keys = try MerchantKeySet([
      MerchantKeySource(
        secret: .external(try ExternalECKey(of: certificate, agreement: agreement)), certificate: certificate)
    ])
    #expect(keys[0].isExternal)
    for index in 0..<20 as Range<UInt64> {
      let token = try minter.mint(TokenRecipe(index: index))
      let opened = try Engines.open(token, with: keys, engine: engine)
      #expect(opened.plaintext == token.plaintext)
    }
    #expect(agreement.asked.count == 20)
  }

  @Test(arguments: Engines.names)
  func `an external key without an answer gives no verdict`(_ engine: String) throws {
    let minter = try Self.minter.get()
    let keys = try Self.keys(ExternalKeyStandIn())
    let token = try minter.mint()
    let fault = try #require(try Engines.fault(token.bytes, with: keys, engine: engine))
    #expect(fault == TokenFault(.keyUnavailable))
    #expect(fault.stage == .symmetricKey && !fault.code.isVerdict)
  }

  @Test(arguments: Engines.names)
  func `an external key with another secret decrypts nothing`(_ engine: String) throws {
    let minter = try Self.minter.get()
    let keys = try Self.keys(Self.standIn(minter.merchants[0].keys[1].pair))
    #expect(try Engines.fault(try minter.mint().bytes, with: keys, engine: engine)?.code == .decryptionFailed)
  }

  @Test(arguments: Engines.names)
  func `an external key is not called for points off the curve, nor for forged tokens`(_ engine: String) throws {
    let minter = try Self.minter.get()
    let agreement = Self.standIn(minter.merchants[0].keys[0].pair)
    let keys = try Self.keys(agreement)
    var layers = try minter.layers()
    let sound = layers.token
    layers.ephemeralPublicKey[90] ^= 1
    #expect(try Engines.fault(layers.token, with: keys, engine: engine)?.code == .signatureMismatch)
    try layers.sign()
    #expect(try Engines.fault(layers.token, with: keys, engine: engine)?.code == .invalidEphemeralKey)
    #expect(agreement.asked.count == 0)
    #expect(try Engines.fault(sound, with: keys, engine: engine) == nil)
    #expect(agreement.asked.count == 1, "nor is it asked about a sound token")
  }

  @Test func `files and external keys are paired like any others`() throws {
    let minter = try Self.minter.get()
    let keys = minter.merchants[0].keys
    let external = try ExternalECKey(publicKey: keys[0].pair.point, agreement: Self.standIn(keys[0].pair))
    let files = [
      KeyFile(name: "certificate", bytes: Array(keys[0].certificatePEM.utf8)),
      KeyFile(name: "other", bytes: Array((keys[1].pkcs8PEM + keys[1].certificatePEM).utf8)),
    ]
    let set = try MerchantKeySet(files: files, externalECKeys: [external])
    #expect(set.count == 2)
    #expect(set[0].isExternal && set[0].certificate != nil && set[0].file == nil)
    #expect(!set[1].isExternal && set.externalAgreement(at: 1) == nil)
    #expect(set.withScalar(at: 1) { Array($0) } == keys[1].pair.scalar)
  }

  @Test func `a point off the curve is rejected as an external key`() throws {
    let pair = try Self.minter.get().merchants[0].keys[0].pair
    var point = pair.point
    point[64] ^= 1
    #expect(throws: KeyError(.unsupportedCurve)) {
      try ExternalECKey(publicKey: point, agreement: Self.standIn(pair))
    }
  }

  private static func standIn(_ pair: KeyPair) -> ExternalKeyStandIn {
    ExternalKeyStandIn { point, _ in try? pair.sharedSecret(with: point) }
  }

  private static func keys(_ agreement: ExternalKeyStandIn) throws -> MerchantKeySet {
    let merchant = try minter.get().merchants[0]
    let external = try ExternalECKey(publicKey: merchant.keys[0].pair.point, agreement: agreement)
    return try MerchantKeySet([MerchantKeySource(secret: .external(external), merchantID: merchant.identifier)])
  }
}

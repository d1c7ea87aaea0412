import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption

enum Engines {
  static let names = ["fast", "reference"]

  static func make(_ name: String, keys: MerchantKeySet) throws -> any TokenDecryptor {
    let anchors = try ExternalKeyTests.minter.get().anchors
    return name == "fast"
      ? try FastDecryptor(keys: keys, anchors: anchors) : try ReferenceDecryptor(keys: keys, anchors: anchors)
  }

  static func open(
    _ token: [UInt8], with keys: MerchantKeySet, engine: String
  ) throws -> Result<DecryptedToken, TokenFault> {
    let engine = try make(engine, keys: keys)
    do throws(TokenFault) {
      return .success(try engine.decrypt(token.span, at: ExternalKeyTests.time, under: VerificationPolicy()))
    } catch {
      return .failure(error)
    }
  }

  static func open(_ token: MintedToken, with keys: MerchantKeySet, engine: String) throws -> DecryptedToken {
    try open(token.bytes, with: keys, engine: engine).get()
  }

  /// The fault of the token; nil if it is accepted.
  static func fault(_ token: [UInt8], with keys: MerchantKeySet, engine: String) throws -> TokenFault? {
    guard case .failure(let fault) = try open(token, with: keys, engine: engine) else { return nil }
    return fault
  }
}

import Differential
import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization
import TestSupport

/// Both engines over the same keys and roots.
struct Engines {
  let fast: FastDecryptor
  let reference: ReferenceDecryptor

  /// - Parameter reuse: nil for a reference that makes every signature check itself.
  init(keys: MerchantKeySet, anchors: TrustAnchors, reusing reuse: SignatureReuse? = nil) throws {
    fast = try FastDecryptor(keys: keys, anchors: anchors)
    reference =
      try reuse.map { try ReferenceDecryptor(keys: keys, anchors: anchors, reusing: $0) }
      ?? ReferenceDecryptor(keys: keys, anchors: anchors)
  }

  /// Reuses signature checks in the first ring, where nearly all tokens of a search have the same few certificates.
  private static let searchReuse: SignatureReuse? = Ring.isDeep ? nil : ResultCache().check

  var pair: (any TokenDecryptor, any TokenDecryptor) { (fast, reference) }

  /// All keys of the genuine tokens at once, under Apple's root.
  static func genuine() throws -> Engines {
    try Engines(keys: RealTokens.keys(), anchors: .apple, reusing: searchReuse)
  }

  /// All merchants of a minter, under its root.
  static func minted(_ minter: Minter, anchors: TrustAnchors? = nil) throws -> Engines {
    try Engines(keys: try keys(of: minter), anchors: anchors ?? minter.anchors, reusing: searchReuse)
  }

  /// The keys of all merchants of a minter, loaded once: checking those for RSA_v1 takes longer than a hundred tokens.
  static func keys(of minter: Minter) throws -> MerchantKeySet {
    let name = "\(minter.seed) \(minter.time.secondsSinceEpoch)"
    return try loaded.withLock { loaded in
      if let keys = loaded[name] { return keys }
      let keys = try minter.merchantKeySet()
      loaded[name] = keys
      return keys
    }
  }

  private static let loaded = Mutex<[String: MerchantKeySet]>([:])
}

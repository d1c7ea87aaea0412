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

  init(keys: MerchantKeySet, anchors: TrustAnchors) throws {
    fast = try FastDecryptor(keys: keys, anchors: anchors)
    reference = try ReferenceDecryptor(keys: keys, anchors: anchors)
  }

  var pair: (any TokenDecryptor, any TokenDecryptor) { (fast, reference) }

  /// All keys of the genuine tokens at once, under Apple's root.
  static func genuine() throws -> Engines {
    var files: [KeyFile] = []
    var assignments: [MerchantIDAssignment] = []
    for token in RealTokens.all {
      guard let key = token.privateKeyPEM else { continue }
      files.append(KeyFile(name: token.name, bytes: key))
      if let certificate = token.certificatePEM {
        files.append(KeyFile(name: token.name + " certificate", bytes: certificate))
      } else if let merchantID = token.merchantID {
        assignments.append(.file(name: token.name, merchantID: merchantID))
      }
    }
    return try Engines(keys: try MerchantKeySet.load(files: files, merchantIDs: assignments), anchors: .apple)
  }

  /// All merchants of a minter, under its root.
  static func minted(_ minter: Minter, anchors: TrustAnchors? = nil) throws -> Engines {
    try Engines(keys: try keys(of: minter), anchors: anchors ?? minter.anchors)
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

public import MerchantKeys
import PaymentToken

/// The merchant's keys, or the error of loading them, with hints for diagnoses.
public struct KeyContext: Sendable {
  /// The loaded keys; empty when none were given or they could not be loaded.
  public let keys: MerchantKeySet
  /// Why the given keys could not be loaded.
  public let error: KeyError?
  /// If there is an `error`: the certificates in the given files, with or without their keys.
  public let certificates: [Certificate]
  /// If there is an `error`: the given files of private keys, by the SHA-256 of the SubjectPublicKeyInfo.
  let keyFiles: [Bytes32: String]
  /// Merchant IDs to try if a key has the wrong one.
  public let candidates: [String]

  /// The note on the certificates that belong to no key, if any.
  var leftAsideNotes: [Note] {
    keys.unpairedCertificates.isEmpty ? [] : [Note(.certificateLeftAside, keys.unpairedCertificates.words)]
  }

  /// A context of loaded keys.
  public init(_ keys: MerchantKeySet, candidates: [String] = []) {
    self.keys = keys
    error = nil
    certificates = []
    keyFiles = [:]
    self.candidates = candidates
  }

  /// A context of keys that could not be loaded from `files`, whose bytes it does not keep.
  ///
  /// - Throws: ``KeyError`` with `memoryUnavailable` or `cryptographyUnavailable`.
  public init(unusable error: KeyError, files: [KeyFile]) throws(KeyError) {
    keys = try MerchantKeySet([])
    self.error = error
    let contents = files.map { (name: $0.name, parts: $0.publicParts) }
    certificates = contents.flatMap(\.parts.certificates)
    keyFiles = Dictionary(
      contents.flatMap { file in file.parts.publicKeyHashes.map { ($0, file.name) } },
      uniquingKeysWith: { first, _ in first })
    candidates = []
  }
}

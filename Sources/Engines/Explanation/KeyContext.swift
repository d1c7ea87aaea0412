public import MerchantKeys

/// The merchant's keys, or the error of loading them, with hints for diagnoses.
public struct KeyContext: Sendable {
  /// The loaded keys; empty when none were given or they could not be loaded.
  public let keys: MerchantKeySet
  /// Why the given keys could not be loaded.
  public let error: KeyError?
  /// If there is an `error`: the certificates in the given files, with or without their keys.
  public let certificates: [Certificate]
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
    self.candidates = candidates
  }

  /// A context of keys that could not be loaded.
  ///
  /// - Throws: `KeyError.Code.memoryUnavailable`.
  public init(unusable error: KeyError, certificates: [Certificate]) throws(KeyError) {
    keys = try MerchantKeySet([])
    self.error = error
    self.certificates = certificates
    candidates = []
  }
}

public import MerchantKeys

/// The merchant's keys as far as they could be loaded, and what else is known that may tell why one does not fit.
public struct KeyCircumstances: Sendable {
  /// The loaded keys; none when none were given or they could not be loaded.
  public let keys: MerchantKeySet
  /// Why keys that were given could not be loaded.
  public let error: KeyError?
  /// With `error`: the certificates in the files given, whether or not their keys were there.
  public let certificates: [Certificate]
  /// Merchant IDs to try in case the one of a key is wrong.
  public let candidates: [String]

  /// Loaded keys.
  public init(_ keys: MerchantKeySet, candidates: [String] = []) {
    self.keys = keys
    error = nil
    certificates = []
    self.candidates = candidates
  }

  /// Keys that could not be loaded.
  ///
  /// - Throws: `KeyError.Code.memoryUnavailable`.
  public init(unusable error: KeyError, certificates: [Certificate]) throws(KeyError) {
    keys = try MerchantKeySet([])
    self.error = error
    self.certificates = certificates
    candidates = []
  }
}

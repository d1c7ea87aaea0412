/// A member of the token that a fault can name, by its path.
@frozen
public enum TokenMember: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  case version
  case data
  case signature
  case header
  case ephemeralPublicKey = "header.ephemeralPublicKey"
  case wrappedKey = "header.wrappedKey"
  case publicKeyHash = "header.publicKeyHash"
  case transactionId = "header.transactionId"
  case applicationData = "header.applicationData"

  /// The member's path from the token object, as faults print it.
  public var path: String { rawValue }
}

/// Why something could not be minted.
@nonexhaustive
public enum MintingError: Error, Hashable, Sendable {
  /// A library call failed: memory, or a library built without what minting needs.
  case library(String)
  /// The recipe cannot be followed: the merchant or key does not exist, or a point is not on its curve.
  case recipe(String)
}

/// Why something could not be minted.
public enum MintingError: Error, Hashable, Sendable {
  /// A library call failed: memory, or a library built without what minting needs.
  case library(String)
  /// The recipe asks for what cannot be: a merchant or key that does not exist, a point that is on no curve.
  case recipe(String)
}

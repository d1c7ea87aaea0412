/// Why something could not be minted.
@nonexhaustive
public enum MintingError: Error, Hashable, Sendable {
  /// A library call failed: memory, or a library built without what minting needs.
  case library(String)
  /// The recipe cannot be followed. For example, its merchant does not exist, or a search finds no fitting value.
  case recipe(String)
}

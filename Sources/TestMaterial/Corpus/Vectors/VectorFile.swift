/// A file of test vectors, `assay.vectors/1`: tests in groups that share circumstances, and what their flags mean.
public struct VectorFile: Hashable, Sendable {
  /// The name and version of the format.
  public static let schema = "assay.vectors/1"

  /// The command that wrote the file.
  public var generator: String
  /// What the minter drew everything from.
  public var seed: UInt64
  /// The flags that tests of this file carry, each explained once, in the order of their names.
  public var notes: [VectorNote]
  /// The tests.
  public var groups: [VectorGroup]

  public init(generator: String, seed: UInt64, notes: [VectorNote], groups: [VectorGroup]) {
    self.generator = generator
    self.seed = seed
    self.notes = notes
    self.groups = groups
  }
}

/// What a flag stands for: the bug that a test with this flag catches.
public struct VectorNote: Hashable, Sendable {
  /// The flag.
  public var flag: String
  /// The class of bugs, one of a few upper-case words.
  public var bugType: String
  /// What is unusual about such tokens.
  public var description: String
  /// What a decryptor that gets them wrong brings upon its user.
  public var effect: String

  public init(flag: String, bugType: String, description: String, effect: String) {
    self.flag = flag
    self.bugType = bugType
    self.description = description
    self.effect = effect
  }
}

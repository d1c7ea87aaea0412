public import TestCases

/// A file of test vectors, `assay.vectors/1`: cases in groups that share keys, roots, time and policy, and what their flags
/// mean. Every case has a number as its id, and an expectation.
public struct VectorFile: Hashable, Sendable {
  /// The name and version of the format.
  public static let schema = "assay.vectors/1"

  /// The command that wrote the file.
  public var generator: String
  /// What the minter drew everything from.
  public var seed: UInt64
  /// The flags that tests of this file carry, each explained once, in the order of their names.
  public var notes: [VectorNote]
  /// The tests. Those of a group are decided at one time under one policy, but for the replay store's room.
  public var groups: [TestGroup]

  /// The tests of all groups.
  public var cases: [TestCase] { groups.flatMap(\.cases) }

  public init(generator: String, seed: UInt64, notes: [VectorNote], groups: [TestGroup]) {
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

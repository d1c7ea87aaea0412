public import TestCases

/// A file of test vectors, `assay.vectors/1`: cases in groups that share keys, roots, time and policy, and what their
/// flags mean. Every case has a number as its id, and an expectation.
public struct VectorFile: Hashable, Sendable {
  /// The name and version of the format.
  public static let schema = "assay.vectors/1"

  /// The command that wrote the file.
  public var generator: String
  /// The version of the corpus that the file belongs to; nil for a file of no corpus, such as a fuzz finding.
  public var corpusVersion: Int?
  /// The seed that the minter drew everything from.
  public var seed: UInt64
  /// The flags that tests of this file carry, each explained once, in the order of the file.
  public var notes: [VectorNote]
  /// The tests. Those of a group share time and policy; only the capacity of the replay store differs.
  public var groups: [TestGroup]

  /// The tests of all groups.
  public var cases: [TestCase] { groups.flatMap(\.cases) }

  /// A file's contents.
  public init(
    generator: String, corpusVersion: Int? = nil, seed: UInt64, notes: [VectorNote], groups: [TestGroup]
  ) {
    self.generator = generator
    self.corpusVersion = corpusVersion
    self.seed = seed
    self.notes = notes
    self.groups = groups
  }
}

/// Explains a flag: the class of bugs that tests with this flag catch.
public struct VectorNote: Hashable, Sendable {
  /// The flag.
  public var flag: String
  /// The kind of bug, a raw value of `VectorFlag.BugType` in this project's files.
  public var bugType: String
  /// What is unusual about such tokens.
  public var description: String
  /// What goes wrong for the user of a decryptor that has the bug.
  public var effect: String
  /// CVE identifiers of published bugs of this class.
  public var cves: [String]
  /// Addresses of papers, sections of RFCs and other descriptions of the class.
  public var links: [String]

  /// An explanation of a flag.
  public init(
    flag: String, bugType: String, description: String, effect: String, cves: [String] = [], links: [String] = []
  ) {
    self.flag = flag
    self.bugType = bugType
    self.description = description
    self.effect = effect
    self.cves = cves
    self.links = links
  }
}

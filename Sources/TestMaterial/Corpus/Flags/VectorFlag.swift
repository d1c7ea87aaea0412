import NamedCases

/// A class of bugs that vectors catch. `notes` in a file explains each flag that its tests carry.
public struct VectorFlag: Sendable {
  /// The kinds of bugs that the notes of a file name.
  public enum BugType: String, Hashable, Sendable, CaseIterable {
    /// A token is accepted that Apple did not sign, or signed with other contents.
    case authBypass = "AUTH_BYPASS"
    /// A required check is missing.
    case missingStep = "MISSING_STEP"
    /// One token has several encodings, and other programs may read some of them differently.
    case malleability = "MALLEABILITY"
    /// Malformed text or structure is parsed as if it were well-formed.
    case parser = "PARSER"
    /// A remote request exhausts memory or time, or crashes the process.
    case denialOfService = "DENIAL_OF_SERVICE"
    /// Answers leak keys or plaintext.
    case confidentiality = "CONFIDENTIALITY"
    /// Rare values that arithmetic gets wrong.
    case edgeCase = "EDGE_CASE"
    /// Genuine tokens are refused.
    case tooStrict = "TOO_STRICT"
    /// A feature of the format does not work.
    case functionality = "FUNCTIONALITY"
  }

  /// The note that explains the flag in a file.
  public let note: VectorNote
  /// The clauses of which its cases name at least one; empty for any clause.
  private let clauses: Set<String>
  /// A trait that its cases have; nil for any.
  private let trait: CaseTrait?
  /// What else all of its cases have in common.
  private let condition: @Sendable (MintedCase) -> Bool

  init(
    _ name: String, _ bugType: BugType, clauses: Set<String> = [], trait: CaseTrait? = nil,
    where condition: @escaping @Sendable (MintedCase) -> Bool = { _ in true }, _ description: String,
    _ effect: String, cves: [String] = [], links: [String] = []
  ) {
    note = VectorNote(
      flag: name, bugType: bugType.rawValue, description: description, effect: effect, cves: cves, links: links)
    self.clauses = clauses
    self.trait = trait
    self.condition = condition
  }

  /// Unique, in upper camel case.
  public var name: String { note.flag }

  /// The address of an RFC, or of a section of it.
  static func rfc(_ number: Int, _ section: String? = nil) -> String {
    "https://www.rfc-editor.org/rfc/rfc\(number)" + (section.map { "#section-\($0)" } ?? "")
  }

  /// The address of an entry of the Common Weakness Enumeration.
  static func cwe(_ number: Int) -> String { "https://cwe.mitre.org/data/definitions/\(number).html" }

  /// The address of a paper by its digital object identifier.
  static func doi(_ identifier: String) -> String { "https://doi.org/\(identifier)" }

  /// Ferguson, "Authentication weaknesses in GCM" (2005).
  static let weaknessesOfGCM =
    "https://csrc.nist.gov/csrc/media/projects/block-cipher-techniques/documents/bcm/comments/cwc-gcm/"
    + "ferguson2.pdf"

  /// All flags, in the order in which files list them.
  public static let all = forms + signatures + decryptions + forgeries

  /// The flags of a case, in the order of the list.
  static func flags(of made: MintedCase) -> [VectorFlag] {
    all.filter { $0.applies(to: made) }
  }

  private func applies(to made: MintedCase) -> Bool {
    (clauses.isEmpty || !clauses.isDisjoint(with: made.test.clauses))
      && trait.map { made.traits.contains($0) } ?? true && condition(made)
  }
}

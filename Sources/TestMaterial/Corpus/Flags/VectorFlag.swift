import NamedCases
import PaymentToken

/// A flag: what tests that carry it have in common, told in the words of those who must judge a decryptor by it.
public struct VectorFlag: Hashable, Sendable {
  /// The classes of bugs that flags stand for.
  public enum BugType: String, Hashable, Sendable, CaseIterable {
    /// A token that Apple did not sign, or signed otherwise, is accepted.
    case authBypass = "AUTH_BYPASS"
    /// A check that the rules demand is not made.
    case missingStep = "MISSING_STEP"
    /// One token can be written in many ways, some of which other programs read otherwise.
    case malleability = "MALLEABILITY"
    /// Text or structure that is none is read as if it were.
    case parser = "PARSER"
    /// Memory, time or the process can be had from afar.
    case denialOfService = "DENIAL_OF_SERVICE"
    /// Keys or plaintext can be learnt from answers.
    case confidentiality = "CONFIDENTIALITY"
    /// Rare values that arithmetic gets wrong.
    case edgeCase = "EDGE_CASE"
    /// Genuine tokens are refused.
    case tooStrict = "TOO_STRICT"
    /// A part of the format.
    case functionality = "FUNCTIONALITY"
  }

  /// Unique, in upper camel case.
  public let name: String
  /// The class of bugs.
  public let bugType: BugType
  /// What is unusual about the tokens.
  public let description: String
  /// What a decryptor that gets them wrong brings upon its user.
  public let effect: String
  /// Who carries it.
  let rule: Rule

  /// Cases are told by the clause that decides them and by words of their names; every condition that is there must hold.
  struct Rule: Hashable, Sendable {
    /// Any of these clauses; all where there are none.
    var clauses: Set<String> = []
    /// Any of these in the name; any name where there are none.
    var words: [String] = []
    /// None of these in the name.
    var without: [String] = []
    /// The version it is minted as; nil for either.
    var version: TokenVersion?
    /// Whether the policy allows tokens without a signature; nil for either.
    var unsigned: Bool?
    /// Whether it must be accepted; nil for either.
    var accepted: Bool?
  }

  init(
    _ name: String, _ bugType: BugType, clauses: Set<String> = [], words: [String] = [], without: [String] = [],
    version: TokenVersion? = nil, unsigned: Bool? = nil, accepted: Bool? = nil, _ description: String, _ effect: String
  ) {
    self.name = name
    self.bugType = bugType
    self.description = description
    self.effect = effect
    rule = Rule(
      clauses: clauses, words: words, without: without, version: version, unsigned: unsigned, accepted: accepted)
  }

  /// The note that explains it in a file.
  public var note: VectorNote {
    VectorNote(flag: name, bugType: bugType.rawValue, description: description, effect: effect)
  }

  /// Every flag there is.
  public static let all = forms + signatures + decryptions + forgeries

  /// The flags of a case, in the order of the list.
  static func flags(of made: MintedCase) -> [VectorFlag] {
    let test = made.test
    return all.filter { flag in
      let rule = flag.rule
      return (rule.clauses.isEmpty || !rule.clauses.isDisjoint(with: test.clauses))
        && (rule.words.isEmpty || rule.words.contains { test.name.contains($0) })
        && !rule.without.contains { test.name.contains($0) }
        && rule.unsigned ?? test.context.policy.isUnsigned == test.context.policy.isUnsigned
        && rule.version ?? made.version == made.version
        && rule.accepted ?? test.expected?.isAccepted == test.expected?.isAccepted
    }
  }
}

import PaymentToken
import TestCases

/// Selects named cases by the clause that decides them and by words of their names. A case must meet every condition.
struct CaseRule: Hashable, Sendable {
  /// Any of these clauses; any clause when empty.
  var clauses: Set<String> = []
  /// Any of these in the name; any name when empty.
  var words: [String] = []
  /// None of these in the name.
  var without: [String] = []
  /// The version of the minted token; nil for either.
  var version: TokenVersion?
  /// Whether the policy allows tokens without a signature; nil for either.
  var unsigned: Bool?
  /// Whether the token must be accepted; nil for either.
  var accepted: Bool?

  /// Whether a test meets the conditions.
  ///
  /// - Parameters:
  ///   - minted: the version that its token was minted as.
  ///   - name: what may contain the words; by default the whole name.
  func applies(to test: TestCase, _ minted: TokenVersion, name: Substring? = nil) -> Bool {
    let name = name ?? test.name[...]
    return (clauses.isEmpty || !clauses.isDisjoint(with: test.clauses))
      && (words.isEmpty || words.contains { name.contains($0) })
      && !without.contains { name.contains($0) }
      && unsigned ?? test.context.policy.isUnsigned == test.context.policy.isUnsigned
      && version ?? minted == minted
      && accepted ?? test.expected?.isAccepted == test.expected?.isAccepted
  }
}

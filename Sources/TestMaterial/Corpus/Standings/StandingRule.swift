import TestCases

/// Gives cases their standing. The first rule of `all` that applies to a case decides.
package struct StandingRule: Hashable, Sendable {
  let rule: CaseRule
  let standing: Standing
  /// Whether its words may stand in the spelling of a case, and not only in the name before it.
  private let readsSpelling: Bool

  /// Every rule: the exceptions of each stage before its general ones.
  static let all =
    forgeries + openTexts + envelopes + texts + encodings + signatureShapes + certificateShapes + chains + signatures
    + keys
    + payloads + expectations

  /// The standing of a test; nil if no rule applies, which the corpus' lint refuses.
  static func standing(of test: TestCase) -> Standing? {
    let name = nameWithoutSpelling(of: test)
    return all.first { $0.applies(to: test, name) }?.standing
  }

  /// The rules that decide the standing of none of these tests, as text: a rule without a case says nothing.
  package static func idle(in tests: [TestCase]) -> [String] {
    var idle = Set(all.indices)
    for test in tests {
      let name = nameWithoutSpelling(of: test)
      if let index = all.firstIndex(where: { $0.applies(to: test, name) }) { idle.remove(index) }
    }
    return idle.sorted().map { index in
      let rule = all[index].rule
      let verdict = rule.accepted == true ? "accepted" : "refused"
      return "\(rule.clauses.sorted().joined(separator: " ")) \(rule.words) \(verdict)"
    }
  }

  private static func nameWithoutSpelling(of test: TestCase) -> Substring {
    test.name[..<(test.name.firstRange(of: "--")?.lowerBound ?? test.name.endIndex)]
  }

  /// No rule depends on the version.
  private func applies(to test: TestCase, _ name: Substring) -> Bool {
    rule.applies(to: test, .ecV1, name: readsSpelling ? test.name[...] : name)
  }

  /// Tokens that must be refused.
  ///
  /// - Parameters:
  ///   - clauses: separated by spaces; any clause when empty.
  ///   - words: any of these in the name; any name when empty.
  ///   - without: none of these in the name.
  ///   - spelled: whether the words may stand in the spelling of the case.
  static func refused(
    _ clauses: String, words: [String] = [], without: [String] = [], unsigned: Bool? = nil, _ maker: Standing.Maker,
    _ basis: Standing.Basis, _ severity: Standing.Severity, spelled: Bool = false
  ) -> StandingRule {
    StandingRule(
      CaseRule(words: words, without: without, unsigned: unsigned, accepted: false), clauses,
      Standing(maker, basis, severity), readsSpelling: spelled)
  }

  /// Tokens that must be accepted.
  static func accepted(
    _ clauses: String, words: [String] = [], without: [String] = [], unsigned: Bool? = nil,
    _ maker: Standing.Maker, _ basis: Standing.Basis, _ severity: Standing.Severity = .interoperability,
    spelled: Bool = false
  ) -> StandingRule {
    StandingRule(
      CaseRule(words: words, without: without, unsigned: unsigned, accepted: true), clauses,
      Standing(maker, basis, severity), readsSpelling: spelled)
  }

  private init(_ rule: CaseRule, _ clauses: String, _ standing: Standing, readsSpelling: Bool) {
    var rule = rule
    rule.clauses = Set(clauses.split(separator: " ").map { String($0) })
    self.rule = rule
    self.standing = standing
    self.readsSpelling = readsSpelling
  }
}

extension Standing.Basis {
  /// A section of an RFC.
  static func rfc(_ number: Int, _ section: String) -> Self { .standard("rfc\(number)-\(section)") }
}

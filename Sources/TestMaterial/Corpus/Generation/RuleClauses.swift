import PaymentToken
import TestCases

/// The numbered rules of Docs/Verification.md.
public enum RuleClauses {
  /// How many rules each stage has. The rules of stages 0 and 14 are counted in `all`.
  private static let counts = [1: 1, 2: 6, 3: 4, 4: 3, 5: 19, 6: 4, 7: 7, 8: 4, 9: 1, 10: 1, 11: 5, 12: 1, 13: 5]

  /// Every rule, in order; a test compares the list with Docs/Verification.md.
  public static let all: [String] =
    (1...11).map { "0.\($0)" } + (1...13).flatMap { stage in (1...(counts[stage] ?? 0)).map { "\(stage).\($0)" } }
    + (0...4).map { "14.\($0)" }

  /// Whether a test may name the clause: a rule, or a whole stage (`4`).
  public static func isKnown(_ clause: String) -> Bool { known.contains(clause) }

  private static let known = Set(all + (0...14).map { String($0) })

  /// The additional clauses of a case: 0.10, the table of envelopes, for every accepted envelope of a gateway.
  static func further(for test: TestCase) -> [String] {
    let envelope = test.context.policy.envelope
    guard test.expected?.isAccepted == true, envelope != .named(.apple), envelope.name != nil else { return [] }
    return ["0.10"]
  }
}

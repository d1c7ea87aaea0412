import PaymentToken
import TestCases

/// The numbered rules of Docs/Verification.md, and what vectors can say about them.
public enum RuleClauses {
  /// How many rules each stage has; stages 0 and 14 count as written below.
  private static let counts = [1: 1, 2: 6, 3: 4, 4: 3, 5: 19, 6: 4, 7: 7, 8: 4, 9: 1, 10: 1, 11: 5, 12: 1, 13: 5]

  /// Every rule, in order; a test compares the list with the document.
  public static let all: [String] =
    (1...11).map { "0.\($0)" } + (1...13).flatMap { stage in (1...(counts[stage] ?? 0)).map { "\(stage).\($0)" } }
    + (0...4).map { "14.\($0)" }

  /// Rules that no vector can put to the test: none has a key that is kept elsewhere, nor says what was asked of it.
  public static let inexpressible = ["11.3"]

  /// The rules that vectors can be about, in order.
  public static let expressible = all.filter { !inexpressible.contains($0) }

  /// What must stand beside every count of clauses.
  public static let limits = "not expressible in vectors: \(inexpressible.joined(separator: " "))"

  /// Whether a test may name it: a rule, or the order of a whole stage (`4`).
  public static func isKnown(_ clause: String) -> Bool { known.contains(clause) }

  private static let known = Set(all + (0...14).map { String($0) })

  /// Codes that no vector can demand: one is no verdict, the other depends on what else a store was asked before.
  public static let inexpressibleCodes: Set<TokenFault.Code> = [.keyUnavailable, .replayStoreFull]

  /// The clauses of a case beside the one that decides it: the table of envelopes, each in use.
  static func further(for test: TestCase) -> [String] {
    test.expected?.isAccepted == true && test.context.policy.envelope != .named(.apple) ? ["0.10"] : []
  }
}

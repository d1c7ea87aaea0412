import PaymentToken
import TestCases

/// The numbered rules of Docs/Verification.md, and which of them vectors can test.
public enum RuleClauses {
  /// How many rules each stage has; stages 0 and 14 count as written below.
  private static let counts = [1: 1, 2: 6, 3: 4, 4: 3, 5: 19, 6: 4, 7: 7, 8: 4, 9: 1, 10: 1, 11: 5, 12: 1, 13: 5]

  /// Every rule, in order; a test compares the list with Docs/Verification.md.
  public static let all: [String] =
    (1...11).map { "0.\($0)" } + (1...13).flatMap { stage in (1...(counts[stage] ?? 0)).map { "\(stage).\($0)" } }
    + (0...4).map { "14.\($0)" }

  /// Rules that no vector can test: vectors have no external keys.
  public static let inexpressible = ["11.3"]

  /// The rules that vectors can test, in order.
  public static let expressible = all.filter { !inexpressible.contains($0) }

  /// The note that accompanies every count of clauses.
  public static let limits = "not expressible in vectors: \(inexpressible.joined(separator: " "))"

  /// Whether a test may name the clause: a rule, or a whole stage (`4`).
  public static func isKnown(_ clause: String) -> Bool { known.contains(clause) }

  private static let known = Set(all + (0...14).map { String($0) })

  /// Codes that no vector can expect: one needs an external key, the other depends on the contents of a replay store.
  public static let inexpressibleCodes: Set<TokenFault.Code> = [.keyUnavailable, .replayStoreFull]

  /// The additional clauses of a case: 0.10, the table of envelopes, for every accepted envelope.
  static func further(for test: TestCase) -> [String] {
    test.expected?.isAccepted == true && test.context.policy.envelope != .named(.apple) ? ["0.10"] : []
  }
}

import NamedCases
import PaymentToken

/// The vector files, by topic.
struct VectorTheme: Hashable, Sendable {
  /// The file's name without `.json`.
  let name: String
  /// The clauses whose cases it holds.
  private var clauses: Set<String> = []
  /// The version of its cases; nil for either.
  private var version: TokenVersion?

  /// Tests whose context other programs cannot have (`TestContext.isForOtherPrograms`), and those of external keys.
  static let callers = VectorTheme(name: "callers")
  /// The classic forgeries of stages 1 to 14.
  private static let forgeries = VectorTheme(name: "forgeries")
  /// Everything under the unsigned policy.
  private static let unsigned = VectorTheme(name: "unsigned")
  /// All other cases with an envelope.
  private static let envelopes = VectorTheme(name: "envelopes")
  static let merchantKeys = VectorTheme(name: "merchant-keys", clauses: ["10.1"])

  /// All, in the order of their files. Where a clause and a version match several themes, the first of these counts.
  static let all: [VectorTheme] = [
    callers, forgeries, unsigned, envelopes,
    VectorTheme(name: "rsa-form", clauses: ["2.6", "3.1", "3.2", "3.3", "3.4", "4", "4.1", "4.3"], version: .rsaV1),
    VectorTheme(name: "rsa-unwrapping", clauses: ["10.1", "11.4", "11.5", "12.1"], version: .rsaV1),
    VectorTheme(name: "rsa-payload", clauses: ["13.1", "13.2", "13.4", "14.1", "14.3", "14.4"], version: .rsaV1),
    VectorTheme(
      name: "rsa-signature",
      clauses: [
        "5.2", "5.9", "5.10", "5.11", "5.16", "5.19", "6.1", "6.2", "6.3", "6.4", "7.2", "7.4", "7.5", "7.6", "7.7",
        "8.1", "8.2", "8.4", "9.1",
      ], version: .rsaV1),
    VectorTheme(name: "json", clauses: ["1.1", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"]),
    VectorTheme(name: "shape", clauses: ["3.1", "3.2", "3.3", "3.4"]),
    VectorTheme(name: "base64-hex", clauses: ["4", "4.1", "4.2"]),
    VectorTheme(name: "lengths", clauses: ["4.3"]),
    VectorTheme(name: "ber", clauses: ["5.1", "5.2", "5.3", "5.4", "5.5"]),
    VectorTheme(name: "cms", clauses: ["5.6", "5.7", "5.9", "5.10", "5.11"]),
    VectorTheme(name: "certificates", clauses: ["5.8", "5.13", "5.14", "5.15", "5.16", "5.17", "5.18", "5.19"]),
    VectorTheme(name: "chain", clauses: ["6.1", "6.2", "6.3", "6.4", "7.1", "7.2", "7.3", "7.4", "7.5", "7.6"]),
    VectorTheme(name: "time", clauses: ["5.12", "7.7", "9.1"]),
    VectorTheme(name: "ecdsa", clauses: ["8.1", "8.2", "8.3", "8.4"]),
    merchantKeys,
    VectorTheme(name: "ephemeral-keys", clauses: ["11.1"]),
    VectorTheme(name: "agreement", clauses: ["11.2"]),
    VectorTheme(name: "gcm", clauses: ["12.1"]),
    VectorTheme(name: "payload", clauses: ["13.1", "13.2", "13.3", "13.4", "13.5"]),
    VectorTheme(name: "expectations", clauses: ["14.1", "14.2", "14.3"]),
    VectorTheme(name: "replay", clauses: ["14.4"]),
  ]

  /// The theme of a case; nil for a clause without a theme.
  static func of(_ made: MintedCase) -> VectorTheme? {
    let (clauses, policy) = (made.test.clauses, made.test.context.policy)
    if !made.test.context.isForOtherPrograms { return callers }
    if policy.isUnsigned { return unsigned }
    if policy.envelope != .named(.apple) || clauses.contains(where: { $0.hasPrefix("0.") || $0 == "14.0" }) {
      return envelopes
    }
    if made.traits.contains(where: { if case .forgery = $0 { true } else { $0 == .nearForgery } }) { return forgeries }
    return all.first { theme in
      !theme.clauses.isDisjoint(with: clauses) && theme.version ?? made.version == made.version
    }
  }
}

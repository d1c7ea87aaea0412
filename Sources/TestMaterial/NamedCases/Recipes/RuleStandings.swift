import PaymentToken
import TestCases

extension Standing {
  /// The standing that follows from the rule alone; nil for a rule that no case names.
  ///
  /// - Parameters:
  ///   - clause: the rule that decides.
  ///   - expected: the expected verdict.
  ///   - isUnsigned: whether the policy allows tokens without a signature, which anybody can make.
  static func ofRule(_ clause: String, _ expected: CaseRecipe.Expected, isUnsigned: Bool) -> Standing? {
    guard case .reject(let fault) = expected else { return accepted[clause] }
    if isUnsigned, let standing = refusedUnsigned[clause] { return standing }
    if !isUnsigned, let member = fault.member, let standing = refused(clause, for: member) { return standing }
    return refused[clause]
  }

  /// The standing for rules where the member matters more than the kind of fault; nil for other rules and members.
  private static func refused(_ clause: String, for member: TokenMember) -> Standing? {
    switch clause {
    case "0.8", "0.9", "3.1": missing(member) ?? ofHash(member)
    case "4.1": ofHash(member)
    case "4.3":
      switch member {
      case .signature: .forgery
      case .data: Standing(.apple, .standard("sp800-38d-7.2"), .high)
      // Apple specifies no length.
      case .transactionId: Standing(.apple, .project, .choice)
      default: ofHash(member)
      }
    default: nil
    }
  }

  private static let refused = byClause([
    ("0.1 1.1 2.4 2.5 5.8 6.3 10.1", Standing(.holder, .project, .choice)),
    ("0.2 2.1", Standing(.holder, .rfc(8259, "2"), .strictness)),
    ("0.3 2.6", Standing(.holder, .rfc(8259, "4"), .choice)),
    ("0.4 0.6 0.7 0.9 0.11 3.4 14.0", Standing(.holder, .project, .strictness)),
    ("0.5 4 4.1", Standing(.holder, .rfc(4648, "4"), .strictness)),
    ("0.8 3.1 3.2 3.3 4.2", Standing(.holder, .apple, .strictness)),
    ("2.2", Standing(.holder, .rfc(8259, "8.1"), .strictness)),
    ("2.3", Standing(.holder, .rfc(8259, "7"), .strictness)),
    ("4.3 11.3 13.2 13.4 13.5", Standing(.apple, .apple, .strictness)),
    ("5.1", Standing(.apple, .project, .choice)),
    ("5.2 5.3", Standing(.holder, .standard("x690-8.1.3"), .strictness)),
    ("5.4", Standing(.apple, .rfc(5652, "5.3"), .strictness)),
    ("5.5", Standing(.holder, .standard("x690-8"), .strictness)),
    ("5.6", Standing(.holder, .rfc(5652, "3"), .strictness)),
    ("5.7", Standing(.holder, .rfc(5652, "5.1"), .strictness)),
    ("5.9 6.4", Standing(.holder, .rfc(5652, "5.3"), .strictness)),
    ("5.10", Standing(.holder, .rfc(5652, "10.1"), .strictness)),
    ("5.11", Standing(.apple, .rfc(5652, "11"), .strictness)),
    ("5.12", Standing(.apple, .rfc(5280, "4.1.2.5"), .strictness)),
    ("5.13", Standing(.apple, .rfc(5280, "4.1"), .strictness)),
    ("5.14", Standing(.apple, .rfc(5280, "4.1.2.4"), .strictness)),
    ("5.15 7.5", Standing(.apple, .rfc(5280, "4.2"), .strictness)),
    ("5.16", Standing(.apple, .rfc(5480, "2"), .strictness)),
    ("5.17", Standing(.apple, .rfc(5280, "4.2.1"), .strictness)),
    ("5.19", Standing(.holder, .rfc(8017, "8.2.2"), .strictness)),
    ("6.1 7.1 8.1 8.2", Standing(.anyone, .apple, .critical)),
    ("6.2 11.2", Standing(.apple, .apple, .high)),
    ("7.2", Standing(.anyone, .rfc(5280, "6.1.3"), .critical)),
    ("7.3", Standing(.apple, .rfc(5280, "6.1.4"), .high)),
    ("7.4", Standing(.apple, .rfc(5280, "4.2.1.3"), .strictness)),
    ("7.6 7.7", Standing(.apple, .rfc(5280, "6.1.3"), .high)),
    ("8.3", Standing(.holder, .rfc(3279, "2.2.3"), .strictness)),
    ("8.4", Standing(.apple, .rfc(8017, "8.2.2"), .high)),
    ("9.1 14.1 14.2 14.3 14.4", Standing(.holder, .apple, .high)),
    ("11.1", Standing(.apple, .standard("sp800-56a-5.6.2.3"), .high)),
    ("11.5", Standing(.apple, .rfc(8017, "7.1.2"), .strictness)),
    ("12.1", Standing(.apple, .standard("sp800-38d-7.2"), .high)),
    ("13.1", Standing(.apple, .rfc(8259, "2"), .strictness)),
    ("13.3", Standing(.apple, .project, .strictness)),
  ])

  /// Under the unsigned policy.
  private static let refusedUnsigned = byClause([
    ("0.8 14.1 14.4", Standing(.anyone, .project, .strictness)),
    ("11.1", Standing(.anyone, .standard("sp800-56a-5.6.2.3"), .high)),
    ("12.1", Standing(.anyone, .standard("sp800-38d-7.2"), .critical)),
    ("14.0", Standing(.anyone, .project, .choice)),
    ("14.2 14.3", Standing(.anyone, .apple, .high)),
  ])

  private static let accepted = byClause([
    ("0.1 0.3 1.1 2.4 2.5 5.2", Standing(.holder, .project, .choice)),
    ("0.2", Standing(.holder, .rfc(8259, "2"), .interoperability)),
    ("0.4 0.6 0.8 0.9 0.11 14.0", Standing(.holder, .project, .interoperability)),
    ("0.5 4.1", Standing(.holder, .rfc(4648, "4"), .interoperability)),
    ("0.7 2.3", Standing(.holder, .rfc(8259, "7"), .interoperability)),
    ("2.1", Standing(.holder, .rfc(8259, "6"), .interoperability)),
    ("2.2", Standing(.holder, .rfc(8259, "8.1"), .interoperability)),
    ("2.6 3.1 3.2 3.3 3.4", Standing(.holder, .rfc(8259, "4"), .interoperability)),
    ("4.2", Standing(.holder, .apple, .interoperability)),
    ("4.3 10.1 11.3 12.1 13.2 13.4 13.5 14.1 14.2 14.3 14.4", Standing(.apple, .apple, .interoperability)),
    ("5.1 5.3 5.4 5.5 5.8 5.9 5.11 5.12 5.13 5.17 5.18 6.2 7.1 7.3 9.1 13.3", Standing(.apple, .project, .choice)),
    ("5.10", Standing(.apple, .rfc(5754, "2"), .interoperability)),
    ("5.14", Standing(.apple, .rfc(5280, "4.1.2.4"), .interoperability)),
    ("5.15 7.5", Standing(.apple, .rfc(5280, "4.2"), .interoperability)),
    ("6.3", Standing(.holder, .rfc(5652, "10.2.3"), .interoperability)),
    ("6.4", Standing(.apple, .rfc(5652, "5.3"), .interoperability)),
    ("7.2", Standing(.apple, .rfc(5280, "6.1.3"), .interoperability)),
    ("7.4", Standing(.apple, .rfc(5280, "4.2.1.3"), .interoperability)),
    ("7.6", Standing(.apple, .project, .interoperability)),
    ("7.7", Standing(.apple, .rfc(5280, "4.1.2.5"), .interoperability)),
    ("8.1 8.2", Standing(.apple, .rfc(5652, "5.4"), .interoperability)),
    ("8.3", Standing(.apple, .standard("fips186-5-6.4.2"), .interoperability)),
    ("11.1", Standing(.apple, .standard("sp800-56a-5.6.2.3"), .interoperability)),
    ("11.2", Standing(.apple, .standard("sp800-56a-5.7.1.2"), .interoperability)),
    ("11.4", Standing(.apple, .rfc(8017, "7.1.2"), .interoperability)),
    ("13.1", Standing(.apple, .rfc(8259, "2"), .interoperability)),
  ])

  private static func byClause(_ rows: [(clauses: String, standing: Standing)]) -> [String: Standing] {
    Dictionary(
      uniqueKeysWithValues: rows.flatMap { row in
        row.clauses.split(separator: " ").map { (String($0), row.standing) }
      })
  }
}

/// Standings that cases of several rules share.
extension Standing {
  /// The grammar of RFC 8259 allows lone surrogates; what a reader makes of them is open.
  static let loneSurrogate = Standing(.holder, .rfc(8259, "8.2"), .choice)
  /// A character outside the alphabet of base64.
  static let foreignCharacter = Standing(.holder, .rfc(4648, "3.3"), .strictness)
  /// Padding that no byte needs.
  static let needlessPadding = Standing(.holder, .rfc(4648, "3.3"), .choice)
  /// Nonzero bits of the last character of base64 that belong to no byte.
  static let trailingBits = Standing(.holder, .rfc(4648, "3.5"), .choice)
  /// The same in the payload, which Apple writes.
  static let encryptedTrailingBits = Standing(.apple, .rfc(4648, "3.5"), .choice)
  /// A signed attribute in valid BER that is not DER, which RFC 5652 requires for it.
  static let attributeDER = Standing(.apple, .rfc(5652, "5.3"), .strictness)
  /// The same for certificates.
  static let certificateDER = Standing(.apple, .rfc(5280, "4.1"), .strictness)
  /// Another encoding of a genuine signature.
  static let rewrittenSignature = Standing(.holder, .rfc(3279, "2.2.3"), .strictness)
  /// A signature that anybody can make.
  static let ecdsaForgery = Standing(.anyone, .standard("fips186-5-6.4.2"), .critical)
  static let rsaForgery = Standing(.anyone, .rfc(8017, "8.2.2"), .critical)
  /// A malformed RSA key in a certificate.
  static let rsaKey = Standing(.apple, .rfc(3279, "2.3.1"), .strictness)
  /// Only the tag shows that the data or the key is wrong.
  static let wrongTag = Standing(.apple, .standard("sp800-38d-7.2"), .high)
  /// Parameters of the ephemeral key that leave its point on P-256: the shared secret depends on no generator and no
  /// order, and an ECDH that takes the point as one of P-256 decrypts the token.
  static let sameCurve = Standing(.apple, .rfc(5480, "2.1.1"), .strictness)

  /// The standing of a token without a member that its signature needs; nil for other members.
  static func missing(_ member: TokenMember) -> Standing? {
    switch member {
    // No signature is left that could be verified.
    case .signature: .forgery
    // The content that the signature covers is incomplete.
    case .transactionId, .header: Standing(.holder, .apple, .critical)
    default: nil
    }
  }

  /// The standing of publicKeyHash, which is not signed: decryptors may try all keys instead. Nil for other members.
  static func ofHash(_ member: TokenMember) -> Standing? {
    member == .publicKeyHash ? Standing(.holder, .project, .choice) : nil
  }
}

import PaymentToken

/// A change to a value.
typealias Edit<Value> = @Sendable (inout Value) -> Void

/// A family of cases, in order: for each case, a part of its name and the value in which it differs from the others.
typealias Named<Value> = KeyValuePairs<CaseName, Value>

/// `count` zero bytes.
func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

extension String {
  /// A JSON or Swift name in kebab case, for names of cases.
  var kebabCase: String {
    map { $0 == "_" ? "-" : $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
  }
}

extension TokenMember {
  /// The names on the path from the token object to the member.
  var names: [String] { path.split(separator: ".").map { String($0) } }

  /// The member's own name in kebab case.
  var label: String { (names.last ?? "").kebabCase }
}

extension TokenFault {
  static let malformedEnvelope = TokenFault(.malformedEnvelope)
  static let ambiguousEnvelope = TokenFault(.ambiguousEnvelope)
  static let fieldMismatch = TokenFault(.envelopeFieldMismatch)
  /// Rule 14.0.
  static let transactionMismatch = TokenFault(.envelopeFieldMismatch, stage: .expectations)
  static let requestTooLarge = TokenFault(.tokenTooLarge, stage: .envelope)
  static let tokenTooLarge = TokenFault(.tokenTooLarge)
  static let malformedJSON = TokenFault(.malformedJSON)
  static let duplicateMember = TokenFault(.duplicateMember)
  static let untrustedChain = TokenFault(.untrustedChain)
  static let signatureMismatch = TokenFault(.signatureMismatch)
  static let signingTimeOutsideWindow = TokenFault(.signingTimeOutsideWindow)
  static let unknownMerchantKey = TokenFault(.unknownMerchantKey)
  static let invalidEphemeralKey = TokenFault(.invalidEphemeralKey)
  static let decryptionFailed = TokenFault(.decryptionFailed)
  static let malformedPayload = TokenFault(.malformedPayload)
  static let currencyMismatch = TokenFault(.currencyMismatch)
  static let amountMismatch = TokenFault(.amountMismatch)
  static let replayedTransaction = TokenFault(.replayedTransaction)

  static func missing(_ member: TokenMember) -> TokenFault { TokenFault(.missingMember, member: member) }
  static func wrongType(_ member: TokenMember) -> TokenFault { TokenFault(.wrongType, member: member) }
  static func duplicate(_ member: TokenMember) -> TokenFault { TokenFault(.duplicateMember, member: member) }
  static func invalidBase64(_ member: TokenMember) -> TokenFault { TokenFault(.invalidBase64, member: member) }
  static func invalidHex(_ member: TokenMember) -> TokenFault { TokenFault(.invalidHex, member: member) }
  static func invalidLength(_ member: TokenMember) -> TokenFault { TokenFault(.invalidLength, member: member) }
}

import PaymentToken

/// The Mastercard Gateway's response to AUTHORIZE or PAY.
public struct MastercardResponse: Hashable, Sendable {
  /// The values of `response.gatewayCode` that the document describes.
  @nonexhaustive
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case approved = "APPROVED"
    case declined = "DECLINED"
    case timedOut = "TIMED_OUT"
    case unspecifiedFailure = "UNSPECIFIED_FAILURE"
    case partiallyApproved = "PARTIALLY_APPROVED"
    case systemError = "SYSTEM_ERROR"
    case unknown = "UNKNOWN"

    /// What the merchant should do, one sentence.
    public var advice: String {
      switch self {
      case .approved:
        "Approved: after PAY the payment is made, after AUTHORIZE the amount is reserved until it is captured."
      case .declined: "The payment is refused: offer another card."
      case .timedOut: "There was no answer in time: ask for the order's state before trying again."
      case .unspecifiedFailure:
        "The payment failed for no stated reason: ask for the order's state before trying again."
      case .partiallyApproved: "Only part of the amount is approved: collect the rest by other means, or reverse it."
      case .systemError: "The gateway failed: ask for the order's state before trying again."
      case .unknown: "The result is not known: ask for the order's state before trying again."
      }
    }
  }

  /// A card as shown in the response.
  public struct Card: Hashable, Sendable {
    /// Digits, most of them masked unless the request asked for UNMASK.
    public let number: String?
    /// One or two digits.
    public let expiryMonth: String?
    /// Two digits.
    public let expiryYear: String?

    /// Whether it shows more than the first six and the last four digits.
    public var isUnmasked: Bool {
      guard let number else { return false }
      return number.unicodeScalars.count { $0.properties.numericType != nil } > 10
    }
  }

  /// `result`: SUCCESS where the operation succeeded.
  public let result: String
  /// `response.gatewayCode`; nil if absent.
  public let gatewayCode: String?
  /// `response.gatewayRecommendation`, PROCEED.
  public let recommendation: String?
  /// `response.acquirerCode` and `authorizationResponse.responseCode`, 00 where the acquirer approved.
  private let acquirerCodes: [ResponseRecord.Member]
  /// `risk.response.gatewayCode` and `risk.response.review.decision`: the verdict of the gateway's risk service.
  private let risks: [ResponseRecord.Member]
  /// Whether it has the member `error`, which the document does not describe.
  private let hasError: Bool
  /// `order.status`, AUTHORIZED.
  public let orderStatus: String?
  /// `order.reference`, which the merchant chose.
  public let reference: String?
  /// As written.
  private let amounts: [ResponseRecord.Amount]
  private let currencies: [ResponseRecord.Member]
  /// The merchant's identifier at the gateway; that of a test merchant begins with TEST.
  private let merchant: String?
  /// `order.id` and `transaction.id`, which the merchant chose.
  public let orderId, transactionId: String?
  /// `transaction.type`: AUTHORIZATION or PAYMENT; other types are not payments.
  public let transactionType: String?
  /// `deviceSpecificNumber` and `deviceSpecificExpiry`: the DPAN of the token.
  public let device: Card
  /// `number` and `expiry`: the FPAN, if the acquirer discloses it.
  public let funding: Card
  /// `devicePayment.cryptogramFormat`, 3DSECURE.
  public let cryptogramFormat: String?

  private static let amountPaths: [(role: ResponseRecord.Role, path: String)] = [
    (.requested, "order.amount"), (.requested, "order.merchantAmount"), (.authorized, "order.totalAuthorizedAmount"),
    (.captured, "order.totalCapturedAmount"), (.refunded, "order.totalRefundedAmount"),
    (.chargedBack, "order.chargeback.amount"), (.disbursed, "order.totalDisbursedAmount"),
    (.transaction, "transaction.amount"),
  ]

  private static let currencyPaths = [
    "order.currency", "order.merchantCurrency", "order.chargeback.currency", "transaction.currency",
  ]

  /// Values of these members that hold up no payment. Any other, such as REVIEW_REQUIRED, REJECTED or PENDING, does.
  private static let harmlessRisks = [
    (path: "risk.response.gatewayCode", texts: ["ACCEPTED", "NOT_CHECKED"]),
    (path: "risk.response.review.decision", texts: ["ACCEPTED", "NOT_REQUIRED"]),
  ]

  private static let acquirerCodePaths = ["response.acquirerCode", "authorizationResponse.responseCode"]

  /// Reads a response.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` for `result`.
  public init(reading answer: Span<UInt8>) throws(RequestError) {
    let card = "sourceOfFunds.provided.card."
    let cards = [
      "deviceSpecificNumber", "deviceSpecificExpiry.month", "deviceSpecificExpiry.year", "number", "expiry.month",
      "expiry.year", "devicePayment.cryptogramFormat",
    ]
    let fields = try RequestFields(
      Self.amountPaths.map(\.path) + Self.currencyPaths + [
        "result", "response.gatewayCode", "response.gatewayRecommendation", "order.status", "order.reference",
        "order.id", "transaction.id", "transaction.type", "error", "merchant",
      ] + Self.acquirerCodePaths + Self.harmlessRisks.map(\.path) + cards.map { card + $0 }, of: answer)
    result = try fields.required("result", fields.string)
    gatewayCode = try fields.string("response.gatewayCode")
    recommendation = try fields.string("response.gatewayRecommendation")
    orderStatus = try fields.string("order.status")
    func members(_ paths: [String]) throws(RequestError) -> [ResponseRecord.Member] {
      var members: [ResponseRecord.Member] = []
      for path in paths {
        if let text = try fields.string(path) { members.append(ResponseRecord.Member(path: path, text: text)) }
      }
      return members
    }
    acquirerCodes = try members(Self.acquirerCodePaths)
    risks = try members(Self.harmlessRisks.map(\.path))
    hasError = fields.has("error")
    var amounts: [ResponseRecord.Amount] = []
    for (role, path) in Self.amountPaths {
      guard let text = try fields.numberOrString(path) else { continue }
      amounts.append(ResponseRecord.Amount(role: role, member: ResponseRecord.Member(path: path, text: text)))
    }
    self.amounts = amounts
    currencies = try members(Self.currencyPaths)
    reference = try fields.string("order.reference")
    merchant = try fields.string("merchant")
    orderId = try fields.string("order.id")
    transactionId = try fields.string("transaction.id")
    transactionType = try fields.string("transaction.type")
    func shown(_ number: String, _ expiry: String) throws(RequestError) -> Card {
      Card(
        number: try fields.string(card + number), expiryMonth: try fields.string(card + "\(expiry).month"),
        expiryYear: try fields.string(card + "\(expiry).year"))
    }
    device = try shown("deviceSpecificNumber", "deviceSpecificExpiry")
    funding = try shown("number", "expiry")
    cryptogramFormat = try fields.string(card + "devicePayment.cryptogramFormat")
  }

  /// `order.amount`, as written.
  public var amount: String? { amounts.first { $0.member.path == "order.amount" }?.member.text }

  /// `order.currency`.
  public var currency: String? { currencies.first { $0.path == "order.currency" }?.text }

  /// The gateway's code, if the document describes it.
  public var knownCode: Code? { gatewayCode.flatMap { Code(exactly: $0) } }

  /// The outcome, the facts and what to do next.
  ///
  /// - Parameters:
  ///   - order: what was sent; nil compares the response only with itself.
  ///   - problems: what a check of the response found; a problem makes the outcome unknown.
  public func answer(to order: OrderFields? = nil, problems: [BodyProblem] = []) -> GatewayAnswer {
    record.answer(to: order, problems: problems)
  }

  /// The members and what they say about the payment, for the evaluation.
  package var record: ResponseRecord {
    var record = ResponseRecord()
    record.facts = facts
    if device.isUnmasked || funding.isUnmasked {
      record.warnings.append(
        "The response contains a full account number, as UNMASK requests: protect it as card data.")
    }
    if merchant?.utf8.starts(with: "TEST".utf8) == true {
      record.warnings.append("It is the answer to a test merchant: no money moves, deliver nothing for it.")
    }
    let claims: [String: ResponseRecord.Claim] = ["SUCCESS": .approved(.succeeded), "FAILURE": .refused]
    record.state("result", result, claims[result] ?? .undescribed)
    record.state("response.gatewayCode", gatewayCode, codeClaim)
    if let recommendation {
      record.state(
        "response.gatewayRecommendation", recommendation, recommendation == "PROCEED" ? .approved(.succeeded) : .refused
      )
    }
    for code in acquirerCodes { record.state(code.path, code.text, claim(acquirerCode: code.text)) }
    if hasError { record.state("error", nil, .undescribed) }
    // A payment that was declined needs no review.
    let risks = knownCode == .declined ? [] : risks.filter { !Self.isHarmless($0) }
    for risk in risks { record.state(risk.path, risk.text, .undescribed) }
    if !risks.isEmpty {
      record.warnings.append("Look at the gateway's risk review before shipping: it may hold or reject the payment.")
    }
    if let orderStatus { record.state("order.status", orderStatus, statusClaim) }
    if let transactionType { record.state("transaction.type", transactionType, typeClaim) }
    (record.amounts, record.currencies) = (amounts, currencies)
    record.refer("order.reference", reference, isRequired: false, to: "reference")
    record.refer("order.id", orderId, isRequired: false, to: "paymentIdentifier")
    return record
  }

  private static func isHarmless(_ risk: ResponseRecord.Member) -> Bool {
    harmlessRisks.contains { $0.path == risk.path && $0.texts.contains(risk.text) }
  }

  private var codeClaim: ResponseRecord.Claim {
    switch knownCode {
    case .approved: .approved(.succeeded)
    case .partiallyApproved: .approved(.partial)
    case .declined: .refused
    case .timedOut, .unspecifiedFailure, .systemError, .unknown, nil: .undescribed
    }
  }

  /// The document describes only the code 00. Acquirers differ in other codes, and in the number of zeros.
  private func claim(acquirerCode code: String) -> ResponseRecord.Claim {
    if !code.isEmpty, code.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) { return .approved(.succeeded) }
    return switch knownCode {
    case .declined: .refused
    case .partiallyApproved: .approved(.partial)
    default: .undescribed
    }
  }

  /// FAILED is a refusal only beside the code DECLINED. A status that is not named here makes the outcome unknown.
  private var statusClaim: ResponseRecord.Claim {
    switch orderStatus {
    case "AUTHORIZED": .held
    case "CAPTURED": .captured
    case "FAILED" where knownCode == .declined: .refused
    default: .undescribed
    }
  }

  private var typeClaim: ResponseRecord.Claim {
    switch transactionType {
    // The type of a declined transaction says what it would have done, which does not contradict the refusal.
    case "AUTHORIZATION" where knownCode == .declined, "PAYMENT" where knownCode == .declined: .refused
    case "AUTHORIZATION": .reserved
    case "PAYMENT": .captured
    default: .undescribed
    }
  }

  private var facts: [GatewayAnswer.Fact] {
    GatewayAnswer.facts(
      [
        ("result", result), ("response.gatewayCode", gatewayCode), ("response.gatewayRecommendation", recommendation),
        ("order.status", orderStatus),
      ] + (risks + amounts.map(\.member) + currencies).map { ($0.path, $0.text) } + [
        ("merchant", merchant), ("order.reference", reference), ("order.id", orderId),
        ("transaction.id", transactionId),
        ("transaction.type", transactionType), ("DPAN", Self.shown(device)), ("FPAN", Self.shown(funding)),
        ("cryptogramFormat", cryptogramFormat),
      ])
  }

  private static func shown(_ card: Card) -> String? {
    let expiry = [card.expiryMonth, card.expiryYear].compactMap { $0 }.joined(separator: "/").nonEmpty
    let number = card.number.map { card.isUnmasked ? "in full" : FieldForm.isMasked($0) ? $0 : "in an unknown form" }
    return [number, expiry].compactMap { $0 }.joined(separator: " ").nonEmpty
  }
}

extension MastercardResponse.Card: RedactedReflection {
  public var description: String { "Card(\(isUnmasked ? "in full" : "masked"))" }
}

extension MastercardResponse: RedactedReflection {
  public var description: String { "MastercardResponse(\(result))" }
}

/// The Mastercard Gateway's response to AUTHORIZE or PAY.
public struct MastercardResponse: Hashable, Sendable {
  /// The values of `response.gatewayCode` that the document describes.
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
  /// `order.status`, AUTHORIZED.
  public let orderStatus: String?
  /// `order.amount`, `order.totalAuthorizedAmount` and `order.totalCapturedAmount`, as written.
  public let amount, authorizedAmount, capturedAmount: String?
  /// `order.id` and `transaction.id`, which the merchant chose.
  public let orderId, transactionId: String?
  /// `transaction.type`: AUTHORIZATION or PAYMENT; other types are not payments.
  public let transactionType: String?
  /// `order.currency`.
  public let currency: String?
  /// `deviceSpecificNumber` and `deviceSpecificExpiry`: the DPAN of the token.
  public let device: Card
  /// `number` and `expiry`: the FPAN, if the acquirer discloses it.
  public let funding: Card
  /// `devicePayment.cryptogramFormat`, 3DSECURE.
  public let cryptogramFormat: String?

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
      [
        "result", "response.gatewayCode", "response.gatewayRecommendation", "order.status", "order.amount",
        "order.totalAuthorizedAmount", "order.totalCapturedAmount", "order.currency", "order.id", "transaction.id",
        "transaction.type",
      ] + cards.map { card + $0 }, of: answer)
    result = try fields.required("result", fields.string)
    gatewayCode = try fields.string("response.gatewayCode")
    recommendation = try fields.string("response.gatewayRecommendation")
    orderStatus = try fields.string("order.status")
    amount = try fields.numberOrString("order.amount")
    authorizedAmount = try fields.numberOrString("order.totalAuthorizedAmount")
    capturedAmount = try fields.numberOrString("order.totalCapturedAmount")
    currency = try fields.string("order.currency")
    orderId = try fields.string("order.id")
    transactionId = try fields.string("transaction.id")
    transactionType = try fields.string("transaction.type")
    device = Card(
      number: try fields.string(card + "deviceSpecificNumber"),
      expiryMonth: try fields.string(card + "deviceSpecificExpiry.month"),
      expiryYear: try fields.string(card + "deviceSpecificExpiry.year"))
    funding = Card(
      number: try fields.string(card + "number"), expiryMonth: try fields.string(card + "expiry.month"),
      expiryYear: try fields.string(card + "expiry.year"))
    cryptogramFormat = try fields.string(card + "devicePayment.cryptogramFormat")
  }

  /// The gateway's code, if the document describes it.
  public var knownCode: Code? { gatewayCode.flatMap { Code(exactly: $0) } }

  /// Approved only if code, result, recommendation, order status and transaction type all say so, and the authorized
  /// amount is the order's. Refused only if nothing contradicts that.
  private var outcome: GatewayAnswer.Outcome {
    switch knownCode {
    case .approved where isSuccess && isPayment: return isLess.map { $0 ? .partial : .succeeded } ?? .unknown
    case .partiallyApproved where isSuccess && isPayment: return .partial
    case .declined where result == "FAILURE" && recommendation != "PROCEED" && !showsMoney: return .refused
    default: return .unknown
    }
  }

  private var isSuccess: Bool { result == "SUCCESS" && (recommendation ?? "PROCEED") == "PROCEED" }

  private var isPayment: Bool {
    let statuses: [String?] = [nil, "AUTHORIZED", "CAPTURED"]
    let types: [String?] = [nil, "AUTHORIZATION", "PAYMENT"]
    return statuses.contains(orderStatus) && types.contains(transactionType)
  }

  /// Whether less than the order's amount was authorized; nil if they cannot be compared.
  private var isLess: Bool? {
    guard let authorizedAmount, let amount else { return false }
    guard let authorized = DecimalText(authorizedAmount), let ordered = DecimalText(amount) else { return nil }
    return authorized.isLess(than: ordered)
  }

  private var showsMoney: Bool {
    ["AUTHORIZED", "CAPTURED", "PARTIALLY_CAPTURED"].contains(orderStatus)
      || [authorizedAmount, capturedAmount].contains { $0.map { DecimalText($0)?.isZero != true } ?? false }
  }

  /// The outcome, the facts and what to do next.
  public var answer: GatewayAnswer {
    let facts = GatewayAnswer.facts([
      ("result", result), ("response.gatewayCode", gatewayCode), ("response.gatewayRecommendation", recommendation),
      ("order.status", orderStatus),
      ("order.amount", [amount, currency].compactMap { $0 }.joined(separator: " ").nonEmpty),
      ("order.totalAuthorizedAmount", authorizedAmount), ("order.totalCapturedAmount", capturedAmount),
      ("order.id", orderId), ("transaction.id", transactionId), ("transaction.type", transactionType),
      ("DPAN", Self.shown(device)), ("FPAN", Self.shown(funding)), ("cryptogramFormat", cryptogramFormat),
    ])
    return GatewayAnswer(outcome: outcome, facts: facts, advice: advice)
  }

  private var advice: String {
    guard let code = knownCode else {
      return "The code is not described: look it up, and ask for the order's state before trying again."
    }
    let inFull = device.isUnmasked || funding.isUnmasked
    return advice(code)
      + (inFull ? " The response contains a full account number, as UNMASK requests: protect it as card data." : "")
  }

  private func advice(_ code: Code) -> String {
    switch (code, outcome) {
    case (.approved, .succeeded), (.approved, .partial):
      if outcome == .partial { return Code.partiallyApproved.advice }
      let isHeld = orderStatus == "AUTHORIZED" || transactionType == "AUTHORIZATION"
      return isHeld ? "The amount is approved and reserved: capture it to be paid." : code.advice
    case (.approved, _), (.partiallyApproved, .unknown), (.declined, .unknown):
      return "The response contradicts itself: ask for the order's state before delivering or trying again."
    default: return code.advice
    }
  }

  private static func shown(_ card: Card) -> String? {
    let expiry = [card.expiryMonth, card.expiryYear].compactMap { $0 }.joined(separator: "/").nonEmpty
    let number = card.number.map { card.isUnmasked ? "in full" : FieldForm.isMasked($0) ? $0 : "in an unknown form" }
    return [number, expiry].compactMap { $0 }.joined(separator: " ").nonEmpty
  }
}

extension MastercardResponse.Card: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Card(\(isUnmasked ? "in full" : "masked"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MastercardResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "MastercardResponse(\(result))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

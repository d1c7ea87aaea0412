/// What AlphaPay answers to a call.
struct AlphaPayResult: Hashable, Sendable {
  let code: String?
  let message: String?
  let status: String?

  static let paths = ["result.resultCode", "result.resultMessage", "result.resultStatus"]

  init(_ fields: RequestFields) throws(RequestError) {
    guard fields.has("result") else { throw .missing(path: "result") }
    code = try fields.string(Self.paths[0])
    message = try fields.string(Self.paths[1])
    status = try fields.string(Self.paths[2])
  }

  /// The status, if the document has it.
  var known: AlphaPayResultStatus? { status.flatMap { AlphaPayResultStatus(exactly: $0) } }

  var facts: [GatewayAnswer.Fact] {
    zip(Self.paths, [code, message, status]).compactMap { path, value in
      value.map { GatewayAnswer.Fact(path: path, value: $0) }
    }
  }
}

/// AlphaPay's answer to a pre-order.
public struct AlphaPayPreOrderResponse: Hashable, Sendable {
  /// `applePayParams`: what the app shows the payment sheet with.
  public struct Parameters: Hashable, Sendable {
    public let orderId: String?
    public let merchantIdentifier, countryCode, label: String
    /// Of the amount.
    public let currency: Currency
    /// Major units, as written.
    public let amount: String
    public let supportedNetworks, merchantCapabilities: [String]

    /// The payment request of Apple Pay JS ("ApplePayPaymentRequest").
    public var paymentRequest: JSONValue {
      .object(
        JSONObject([
          .init("countryCode", .string(countryCode)), .init("currencyCode", .string(currency.alphabeticCode)),
          .init("supportedNetworks", .array(supportedNetworks.map { .string($0) })),
          .init("merchantCapabilities", .array(merchantCapabilities.map { .string($0) })),
          .init(
            "total", .object(JSONObject([.init("label", .string(label)), .init("amount", .string(amount))]))),
        ]))
    }
  }

  /// The merchant's name for the order.
  public let paymentRequestId: String?
  /// AlphaPay's name for the order: what the token is sent with.
  public let paymentId: String?
  /// Nil where there is none.
  public let parameters: Parameters?
  let result: AlphaPayResult

  /// Reads the answer.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `missing`, `unknownCurrency`.
  public init(reading answer: Span<UInt8>) throws(RequestError) {
    let names = [
      "orderId", "merchantIdentifier", "countryCode", "currencyCode", "label", "amount", "supportedNetworks",
      "merchantCapabilities",
    ]
    let fields = try RequestFields(
      ["paymentRequestId", "paymentId"] + names.map { "applePayParams.\($0)" } + AlphaPayResult.paths, of: answer)
    result = try AlphaPayResult(fields)
    paymentRequestId = try fields.string("paymentRequestId")
    paymentId = try fields.string("paymentId")
    guard fields.has("applePayParams") else {
      parameters = nil
      return
    }
    func text(_ name: String) throws(RequestError) -> String {
      try fields.required("applePayParams.\(name)", fields.string)
    }
    func texts(_ name: String) throws(RequestError) -> [String] {
      try fields.required("applePayParams.\(name)", fields.strings)
    }
    let currency = try fields.required("applePayParams.currencyCode", fields.currency)
    parameters = Parameters(
      orderId: try fields.string("applePayParams.orderId"), merchantIdentifier: try text("merchantIdentifier"),
      countryCode: try text("countryCode"),
      label: try text("label"), currency: currency, amount: try text("amount"),
      supportedNetworks: try texts("supportedNetworks"), merchantCapabilities: try texts("merchantCapabilities"))
  }

  /// What it says otherwise than the pre-order that it answers, and the order's name where it does not say it; paths.
  public func differences(from order: AlphaPayPreOrder) -> [String] {
    var paths: [String] = []
    if !order.isCalled(paymentRequestId) { paths.append("paymentRequestId") }
    guard let parameters else { return paths }
    if let own = order.merchantIdentifier, !own.utf8.elementsEqual(parameters.merchantIdentifier.utf8) {
      paths.append("applePayParams.merchantIdentifier")
    }
    if parameters.currency != order.currency { paths.append("applePayParams.currencyCode") }
    if (try? parameters.currency.minorUnits(ofDecimalText: parameters.amount)) != order.amount {
      paths.append("applePayParams.amount")
    }
    return paths
  }

  /// What it says, and what to do next.
  public var answer: GatewayAnswer {
    var facts = result.facts
    if let paymentId { facts.append(GatewayAnswer.Fact(path: "paymentId", value: paymentId)) }
    if let parameters {
      facts.append(
        GatewayAnswer.Fact(
          path: "applePayParams.amount", value: "\(parameters.amount) \(parameters.currency.alphabeticCode)"))
    }
    switch result.known {
    case .waiting where paymentId?.isEmpty == false && parameters != nil:
      return GatewayAnswer(outcome: .succeeded, facts: facts, advice: AlphaPayResultStatus.waiting.advice)
    case .failure:
      return GatewayAnswer(outcome: .refused, facts: facts, advice: "No order was made: resultMessage says why.")
    default:
      return GatewayAnswer(
        outcome: .unknown, facts: facts,
        advice: "This is no answer that the document describes: show no payment sheet, and ask AlphaPay.")
    }
  }
}

/// AlphaPay's answer to the token.
public struct AlphaPayPaymentResponse: Hashable, Sendable {
  /// The merchant's and AlphaPay's names for the order.
  public let paymentRequestId, paymentId: String?
  /// Nil where there is none, or one that is not described.
  public let paymentStatus: AlphaPayPaymentStatus?
  private let writtenStatus: String?
  let result: AlphaPayResult

  /// Reads the answer.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `missing`.
  public init(reading answer: Span<UInt8>) throws(RequestError) {
    let fields = try RequestFields(
      ["paymentRequestId", "paymentId", "paymentStatus"] + AlphaPayResult.paths, of: answer)
    result = try AlphaPayResult(fields)
    paymentRequestId = try fields.string("paymentRequestId")
    paymentId = try fields.string("paymentId")
    writtenStatus = try fields.string("paymentStatus")
    paymentStatus = writtenStatus.flatMap { AlphaPayPaymentStatus(exactly: $0) }
  }

  /// What it says otherwise than the pre-order that it answers, and the order's name where it does not say it; paths.
  public func differences(from order: AlphaPayPreOrder) -> [String] {
    order.isCalled(paymentRequestId) ? [] : ["paymentRequestId"]
  }

  /// What it says, and what to do next. Paid means that status, result and code say so, failed that none says otherwise.
  public var answer: GatewayAnswer {
    var facts = result.facts
    if let writtenStatus { facts.append(GatewayAnswer.Fact(path: "paymentStatus", value: writtenStatus)) }
    let code = result.code ?? ""
    switch (result.known, paymentStatus) {
    case (.success, .success?) where ["", "SUCCESS"].contains(code):
      return GatewayAnswer(outcome: .succeeded, facts: facts, advice: AlphaPayPaymentStatus.success.advice)
    case (.success, .partialRefund?):
      return GatewayAnswer(outcome: .partial, facts: facts, advice: AlphaPayPaymentStatus.partialRefund.advice)
    case (.success, .fullRefund?):
      return GatewayAnswer(outcome: .refunded, facts: facts, advice: AlphaPayPaymentStatus.fullRefund.advice)
    case (.failure, .failed?) where !["SUCCESS", "PAYMENT_IN_PROCESS"].contains(code):
      return GatewayAnswer(outcome: .refused, facts: facts, advice: "The payment failed: resultMessage says why.")
    default:
      return GatewayAnswer(
        outcome: .unknown, facts: facts,
        advice:
          "The answer does not say for sure what became of the payment: ask AlphaPay before delivering or trying again."
      )
    }
  }
}

extension AlphaPayPreOrder {
  /// Whether an answer names this order.
  fileprivate func isCalled(_ name: String?) -> Bool {
    name.map { $0.utf8.elementsEqual(paymentRequestId.utf8) } ?? false
  }
}

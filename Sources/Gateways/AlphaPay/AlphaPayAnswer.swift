/// `result` of a response from AlphaPay.
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

  /// The status, if the document describes it.
  var known: AlphaPayResultStatus? { status.flatMap { AlphaPayResultStatus(exactly: $0) } }

  var facts: [GatewayAnswer.Fact] {
    GatewayAnswer.facts(Array(zip(Self.paths, [code, message, status])))
  }
}

/// AlphaPay's response to a pre-order.
public struct AlphaPayPreOrderResponse: Hashable, Sendable {
  /// `applePayParams`: the parameters of the payment sheet.
  public struct Parameters: Hashable, Sendable {
    public let orderId: String?
    public let merchantIdentifier, countryCode, label: String
    /// The currency of the amount.
    public let currency: Currency
    /// In major units, as written.
    public let amount: String
    public let supportedNetworks, merchantCapabilities: [String]

    /// The payment request of Apple Pay JS ("ApplePayPaymentRequest").
    public var paymentRequest: JSONValue {
      [
        "countryCode": countryCode, "currencyCode": currency.alphabeticCode, "supportedNetworks": supportedNetworks,
        "merchantCapabilities": merchantCapabilities, "total": JSONObject(["label": label, "amount": amount]),
      ]
    }
  }

  /// The merchant's identifier of the order.
  public let paymentRequestId: String?
  /// AlphaPay's identifier of the order, to be sent with the token.
  public let paymentId: String?
  /// Nil if absent.
  public let parameters: Parameters?
  let result: AlphaPayResult

  /// Reads the response.
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

  /// The paths at which it differs from the pre-order; a missing order identifier counts as a difference.
  public func differences(from order: AlphaPayPreOrder) -> [String] {
    var paths: [String] = []
    if !order.isIdentified(by: paymentRequestId) { paths.append("paymentRequestId") }
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

  /// The outcome, the facts and what to do next.
  public var answer: GatewayAnswer {
    let amount = parameters.map { "\($0.amount) \($0.currency.alphabeticCode)" }
    let facts = GatewayAnswer.facts([("paymentId", paymentId), ("applePayParams.amount", amount)])
    let (outcome, advice): (GatewayAnswer.Outcome, String) =
      switch result.known {
      case .waiting where paymentId?.isEmpty == false && parameters != nil:
        (.succeeded, AlphaPayResultStatus.waiting.advice)
      case .failure: (.refused, "No order was made: resultMessage says why.")
      default: (.unknown, "The document does not describe this response: show no payment sheet, and ask AlphaPay.")
      }
    return GatewayAnswer(outcome: outcome, facts: result.facts + facts, advice: advice)
  }
}

/// AlphaPay's response to the token.
public struct AlphaPayPaymentResponse: Hashable, Sendable {
  /// The merchant's and AlphaPay's identifiers of the order.
  public let paymentRequestId, paymentId: String?
  /// Nil if absent, or if the document does not describe the value.
  public let paymentStatus: AlphaPayPaymentStatus?
  private let writtenStatus: String?
  let result: AlphaPayResult

  /// Reads the response.
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

  /// The paths at which it differs from the pre-order; a missing order identifier counts as a difference.
  public func differences(from order: AlphaPayPreOrder) -> [String] {
    order.isIdentified(by: paymentRequestId) ? [] : ["paymentRequestId"]
  }

  /// The outcome, the facts and what to do next. The payment succeeded only if status, result and code all say so, and
  /// failed only if none of them contradicts that.
  public var answer: GatewayAnswer {
    let code = result.code ?? ""
    let (outcome, advice): (GatewayAnswer.Outcome, String) =
      switch (result.known, paymentStatus) {
      case (.success, .success?) where ["", "SUCCESS"].contains(code):
        (.succeeded, AlphaPayPaymentStatus.success.advice)
      case (.success, .partialRefund?): (.partial, AlphaPayPaymentStatus.partialRefund.advice)
      case (.success, .fullRefund?): (.refunded, AlphaPayPaymentStatus.fullRefund.advice)
      case (.failure, .failed?) where !["SUCCESS", "PAYMENT_IN_PROCESS"].contains(code):
        (.refused, "The payment failed: resultMessage says why.")
      default:
        (
          .unknown,
          "The response does not say for certain whether the payment succeeded: ask AlphaPay before delivering or retrying."
        )
      }
    let facts = result.facts + GatewayAnswer.facts([("paymentStatus", writtenStatus)])
    return GatewayAnswer(outcome: outcome, facts: facts, advice: advice)
  }
}

extension AlphaPayPreOrder {
  fileprivate func isIdentified(by name: String?) -> Bool {
    name.map { $0.utf8.elementsEqual(paymentRequestId.utf8) } ?? false
  }
}

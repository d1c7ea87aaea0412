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

  /// The document describes no code of a failure. PARAM_ILLEGAL is of the gateway's API: the call did nothing.
  static func claim(failure code: String) -> ResponseRecord.Claim {
    ["FAILED", "PARAM_ILLEGAL"].contains(code) ? .refused : .undescribed
  }

  var facts: [GatewayAnswer.Fact] {
    GatewayAnswer.facts(Array(zip(Self.paths, [code, message, status])))
  }
}

/// `order.orderAmount`, which AlphaPay's answer to an inquiry names: minor units in a string.
struct AlphaPayAmount: Hashable, Sendable {
  private let value, currency: String?

  static let paths = ["order.orderAmount.value", "order.orderAmount.currency"]

  init(_ fields: RequestFields) throws(RequestError) {
    value = try fields.string(Self.paths[0])
    currency = try fields.string(Self.paths[1])
  }

  /// Adds what the answer names of the amount. An amount that cannot be read is unclear.
  func add(to record: inout ResponseRecord) {
    record.facts += GatewayAnswer.facts(Array(zip(Self.paths, [value, currency])))
    if let currency {
      record.currencies.append(ResponseRecord.Member(path: Self.paths[1], text: currency))
      record.require(
        Self.paths[1], currency, sameAs: "the gateway's only currency", AlphaPayPreOrder.currency.alphabeticCode)
    }
    guard let value else { return }
    let minorUnits = (try? RequestFields.minorUnits(value)) ?? nil
    guard let minorUnits, let currency = currency.flatMap({ Currency.alphabetic($0) }),
      let text = try? currency.decimalText(ofMinorUnits: minorUnits)
    else { return record.state(Self.paths[0], value, .undescribed) }
    let amount = ResponseRecord.Member(path: Self.paths[0], text: text)
    record.amounts.append(ResponseRecord.Amount(role: .requested, member: amount))
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
  /// `paymentCreateTime` and `paymentExpireTime`, as written.
  public let created, expires: String?
  /// Nil if absent.
  public let parameters: Parameters?
  let result: AlphaPayResult
  private let orderAmount: AlphaPayAmount

  /// Reads the response.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `missing`, `unknownCurrency`.
  public init(reading answer: Span<UInt8>) throws(RequestError) {
    let names = [
      "orderId", "merchantIdentifier", "countryCode", "currencyCode", "label", "amount", "supportedNetworks",
      "merchantCapabilities",
    ]
    let fields = try RequestFields(
      ["paymentRequestId", "paymentId", "paymentCreateTime", "paymentExpireTime"] + names.map { "applePayParams.\($0)" }
        + AlphaPayResult.paths + AlphaPayAmount.paths, of: answer)
    result = try AlphaPayResult(fields)
    orderAmount = try AlphaPayAmount(fields)
    paymentRequestId = try fields.string("paymentRequestId")
    paymentId = try fields.string("paymentId")
    created = try fields.string("paymentCreateTime")
    expires = try fields.string("paymentExpireTime")
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
    record.isOfOrder = true
    record.onlyCurrency = AlphaPayPreOrder.currency
    record.facts =
      result.facts
      + GatewayAnswer.facts([
        ("paymentId", paymentId), ("paymentCreateTime", created), ("paymentExpireTime", expires),
        ("applePayParams.amount", parameters.map { "\($0.amount) \($0.currency.alphabeticCode)" }),
      ])
    let status: ResponseRecord.Claim =
      result.known == .waiting ? .approved(.succeeded) : result.known == .failure ? .refused : .undescribed
    record.state("result.resultStatus", result.status, status)
    let code = result.code ?? ""
    if !code.isEmpty {
      let isOfMadeOrder = code == "PAYMENT_IN_PROCESS" || code == "SUCCESS"
      record.state(
        "result.resultCode", code, isOfMadeOrder ? .approved(.succeeded) : AlphaPayResult.claim(failure: code))
    }
    if result.known == .waiting, paymentId?.isEmpty != false { record.state("paymentId", paymentId, .undescribed) }
    if parameters == nil, result.known == .waiting { record.state("applePayParams", nil, .undescribed) }
    if let parameters {
      record.state("applePayParams", nil, .approved(.succeeded))
      let amount = ResponseRecord.Member(path: "applePayParams.amount", text: parameters.amount)
      record.amounts = [ResponseRecord.Amount(role: .requested, member: amount)]
      let currency = parameters.currency.alphabeticCode
      record.currencies = [ResponseRecord.Member(path: "applePayParams.currencyCode", text: currency)]
      record.require(
        "applePayParams.currencyCode", currency,
        sameAs: "order.orderAmount.currency", AlphaPayPreOrder.currency.alphabeticCode)
      record.refer(
        "applePayParams.merchantIdentifier", parameters.merchantIdentifier, isRequired: true, to: "merchantIdentifier",
        identifies: false)
      record.require("applePayParams.orderId", parameters.orderId, sameAs: "paymentId", paymentId)
    }
    orderAmount.add(to: &record)
    record.require("paymentCreateTime", created, notAfter: "paymentExpireTime", expires)
    record.refer("paymentRequestId", paymentRequestId, isRequired: true, to: "reference")
    record.refer("paymentId", paymentId, isRequired: true, to: "paymentIdentifier")
    return record
  }
}

/// AlphaPay's response to the token, or to an inquiry for the order.
public struct AlphaPayPaymentResponse: Hashable, Sendable {
  /// The merchant's and AlphaPay's identifiers of the order.
  public let paymentRequestId, paymentId: String?
  /// Nil if absent, or if the document does not describe the value.
  public let paymentStatus: AlphaPayPaymentStatus?
  private let writtenStatus: String?
  /// `paymentTime` and the channel's `transactionId`, as written.
  public let time, transactionId: String?
  let result: AlphaPayResult
  private let orderAmount: AlphaPayAmount

  /// Reads the response.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `missing`.
  public init(reading answer: Span<UInt8>) throws(RequestError) {
    let fields = try RequestFields(
      ["paymentRequestId", "paymentId", "paymentStatus", "paymentTime", "transactionId"] + AlphaPayResult.paths
        + AlphaPayAmount.paths, of: answer)
    result = try AlphaPayResult(fields)
    orderAmount = try AlphaPayAmount(fields)
    paymentRequestId = try fields.string("paymentRequestId")
    paymentId = try fields.string("paymentId")
    writtenStatus = try fields.string("paymentStatus")
    paymentStatus = writtenStatus.flatMap { AlphaPayPaymentStatus(exactly: $0) }
    time = try fields.string("paymentTime")
    transactionId = try fields.string("transactionId")
  }

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
    record.onlyCurrency = AlphaPayPreOrder.currency
    record.facts =
      result.facts
      + GatewayAnswer.facts([
        ("paymentId", paymentId), ("paymentStatus", writtenStatus), ("paymentTime", time),
        ("transactionId", transactionId),
      ])
    let status: ResponseRecord.Claim =
      result.known == .success ? .approved(.succeeded) : result.known == .failure ? .refused : .undescribed
    record.state("result.resultStatus", result.status, status)
    record.state("paymentStatus", writtenStatus, Self.claim(paymentStatus))
    let code = result.code ?? ""
    if code == "PAYMENT_IN_PROCESS" {
      record.state("result.resultCode", code, .undescribed)
    } else if !code.isEmpty {
      let known = AlphaPayPaymentStatus(exactly: code)
      record.state("result.resultCode", code, known == nil ? AlphaPayResult.claim(failure: code) : Self.claim(known))
    }
    if paymentStatus == .success { record.state("paymentStatus", writtenStatus, .captured) }
    orderAmount.add(to: &record)
    record.refer("paymentRequestId", paymentRequestId, isRequired: true, to: "reference")
    record.refer("paymentId", paymentId, isRequired: true, to: "paymentIdentifier")
    return record
  }

  private static func claim(_ status: AlphaPayPaymentStatus?) -> ResponseRecord.Claim {
    switch status {
    case .success: .approved(.succeeded)
    case .failed: .refused
    case .partialRefund: .approved(.partial)
    case .fullRefund: .approved(.refunded)
    case nil: .undescribed
    }
  }
}

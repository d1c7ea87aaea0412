import Gateways
import TestSupport
import Testing

/// The outcome of responses whose members contradict each other or the order.
@Suite struct ResponseEvaluationTests {
  // MARK: Cases

  private func mastercard(_ order: String, _ transaction: String = "{}") throws -> GatewayAnswer {
    let text = """
      {"result":"SUCCESS","response":{"gatewayCode":"APPROVED","gatewayRecommendation":"PROCEED"},"order":\(order),\
      "transaction":\(transaction)}
      """
    return try MastercardResponse(reading: Array(text.utf8).span).answer()
  }

  @Test(arguments: [
    // A part is captured; the currencies differ; more is authorized than ordered; more is paid than authorized.
    (
      #"{"amount":61.00,"currency":"USD","totalCapturedAmount":6.00}"#, #"{"type":"PAYMENT","amount":6.00}"#,
      GatewayAnswer.Outcome.partial, [String]()
    ),
    (
      #"{"amount":61.00,"currency":"USD"}"#, #"{"amount":61.00,"currency":"EUR"}"#, .unknown,
      ["order.currency", "transaction.currency"]
    ),
    (
      #"{"amount":61.00,"currency":"USD","totalAuthorizedAmount":610.00}"#, "{}", .unknown,
      ["order.totalAuthorizedAmount", "order.amount"]
    ),
    (
      #"{"totalAuthorizedAmount":10.00}"#, #"{"amount":61.00}"#, .partial, []
    ),
    // Captured, although the status says reserved; a payment of which nothing is captured.
    (
      #"{"amount":61.00,"status":"AUTHORIZED","totalCapturedAmount":61.00}"#, "{}", .unknown,
      ["order.totalCapturedAmount", "order.status"]
    ),
    (
      #"{"amount":61.00,"totalCapturedAmount":0}"#, #"{"type":"PAYMENT"}"#, .unknown,
      ["order.totalCapturedAmount", "transaction.type"]
    ),
    // Returned in full, in part, and more than was paid; then amounts that do not fit the order.
    (#"{"amount":61.00,"totalCapturedAmount":61.00,"totalRefundedAmount":61.00}"#, "{}", .refunded, []),
    (#"{"amount":61.00,"totalCapturedAmount":61.00,"totalRefundedAmount":1}"#, "{}", .partial, []),
    (#"{"amount":61.00,"chargeback":{"amount":61}}"#, "{}", .refunded, []),
    (
      #"{"amount":61.00,"totalCapturedAmount":6.00,"totalRefundedAmount":61.00}"#, "{}", .unknown,
      ["order.totalRefundedAmount", "order.totalCapturedAmount"]
    ),
    (#"{"amount":61.00,"merchantAmount":60.00}"#, "{}", .unknown, ["order.merchantAmount", "order.amount"]),
    (#"{"amount":61.00,"currency":"JPY"}"#, #"{"amount":60.50}"#, .unknown, []),
    (#"{"amount":61.00,"totalDisbursedAmount":1}"#, "{}", .unknown, []),
    // An amount of 0 is not a partial approval.
    (
      #"{"amount":61.00,"totalAuthorizedAmount":0}"#, "{}", .unknown,
      ["order.totalAuthorizedAmount", "order.amount"]
    ),
    (#"{"amount":61.00}"#, #"{"amount":0.00}"#, .unknown, ["transaction.amount", "order.amount"]),
    (#"{"amount":0,"totalAuthorizedAmount":0}"#, #"{"amount":0}"#, .succeeded, []),
  ])
  func `the Mastercard Gateway's amounts and currencies agree, or nothing is certain`(
    _ order: String, _ transaction: String, _ outcome: GatewayAnswer.Outcome, _ pair: [String]
  ) throws {
    let answer = try mastercard(order, transaction)
    #expect(answer.outcome == outcome)
    #expect(answer.contradictions.first.map { [$0.path, $0.other] } ?? [] == pair)
  }

  /// The acquirer's own codes, and a member that only error answers have.
  @Test(arguments: [
    (#""response":{"gatewayCode":"APPROVED","acquirerCode":"00"}"#, GatewayAnswer.Outcome.succeeded, [String]()),
    (#""response":{"gatewayCode":"APPROVED","acquirerCode":"000"}"#, .succeeded, []),
    (#""response":{"gatewayCode":"APPROVED","acquirerCode":"05"}"#, .unknown, ["response.acquirerCode"]),
    (
      #""response":{"gatewayCode":"APPROVED"},"authorizationResponse":{"responseCode":"10"}"#, .unknown,
      ["authorizationResponse.responseCode"]
    ),
    (#""response":{"gatewayCode":"APPROVED"},"error":{"cause":"SERVER_FAILED"}"#, .unknown, ["error"]),
  ])
  func `an approval is none that the acquirer or an error contradicts`(
    _ members: String, _ outcome: GatewayAnswer.Outcome, _ unclear: [String]
  ) throws {
    let answer = try MastercardResponse(reading: Array(#"{"result":"SUCCESS",\#(members)}"#.utf8).span).answer()
    #expect(answer.outcome == outcome && answer.unclear == unclear)
    let refused = #"{"result":"FAILURE",\#(members.replacing("APPROVED", with: "DECLINED"))}"#
    let other = try MastercardResponse(reading: Array(refused.utf8).span).answer().outcome
    // The acquirer approved what the gateway refused: money may be reserved.
    #expect(other == (outcome == .succeeded || unclear == ["error"] ? .unknown : .refused))
  }

  @Test(arguments: [
    (#""gatewayCode":"ACCEPTED""#, GatewayAnswer.Outcome.succeeded, [String]()),
    (#""gatewayCode":"NOT_CHECKED","review":{}"#, .succeeded, []),
    (#""gatewayCode":"ACCEPTED","review":{"decision":"NOT_REQUIRED"}"#, .succeeded, []),
    (#""gatewayCode":"ACCEPTED","review":{"decision":"ACCEPTED"}"#, .succeeded, []),
    (
      #""gatewayCode":"REVIEW_REQUIRED","review":{"decision":"PENDING"}"#, .unknown,
      ["risk.response.gatewayCode", "risk.response.review.decision"]
    ),
    (#""gatewayCode":"REVIEW_REQUIRED","review":{"decision":"ACCEPTED"}"#, .unknown, ["risk.response.gatewayCode"]),
    (#""gatewayCode":"REJECTED""#, .unknown, ["risk.response.gatewayCode"]),
    (#""gatewayCode":"ACCEPTED","review":{"decision":"REJECTED"}"#, .unknown, ["risk.response.review.decision"]),
    (#""review":{"decision":"OVERRIDDEN"}"#, .unknown, ["risk.response.review.decision"]),
    (#""gatewayCode":"accepted""#, .unknown, ["risk.response.gatewayCode"]),
  ])
  func `an approval that the gateway's risk service holds or rejects is not a success`(
    _ risk: String, _ outcome: GatewayAnswer.Outcome, _ unclear: [String]
  ) throws {
    let text = #"{"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"risk":{"response":{\#(risk)}}}"#
    let answer = try MastercardResponse(reading: Array(text.utf8).span).answer()
    #expect(answer.outcome == outcome && answer.unclear == unclear)
    #expect(
      Set(answer.facts.map(\.path)).isSuperset(of: unclear) && answer.facts.contains { $0.path.hasPrefix("risk.") })
    #expect(answer.advice.contains("risk review") == (outcome == .unknown))
    let declined = text.replacing("SUCCESS", with: "FAILURE").replacing("APPROVED", with: "DECLINED")
    #expect(try MastercardResponse(reading: Array(declined.utf8).span).answer().outcome == .refused)
  }

  @Test(arguments: [("sourceOfFunds", "type", "ACH"), ("transaction", "source", "MOTO")])
  func `an answer to another kind of payment is not known`(_ holder: String, _ member: String, _ text: String) throws {
    let body = #"{"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"\#(holder)":{"\#(member)":"\#(text)"}}"#
    let check = try BodyCheck(Array(body.utf8).span, among: Gateway.mpgs.bodies)
    #expect(check.problems.map(\.path) == ["\(holder).\(member)"])
    #expect(try Gateway.mpgs.answer(Array(body.utf8).span, check)?.outcome == .unknown)
  }

  @Test func `what was captured is not to be captured again`() throws {
    let captured = try mastercard(
      #"{"amount":61.00,"totalAuthorizedAmount":61.00,"totalCapturedAmount":61.00}"#,
      #"{"type":"AUTHORIZATION","amount":61.00}"#)
    #expect(captured.outcome == .succeeded && captured.advice.contains("do not capture it again"))
    let unsaid = try mastercard(#"{"amount":61.00}"#, #"{"type":"AUTHORIZATION","amount":61.00}"#)
    #expect(unsaid.outcome == .succeeded && unsaid.advice.contains("before capturing"))
  }

  @Test(arguments: [
    ("2019-08-24T14:45:22Z", "2019-08-24T14:15:21Z", ["paymentExpireTime", "paymentCreateTime"]),
    (#""resultStatus":"U""#, #""resultStatus":"F""#, ["result.resultStatus", "result.resultCode"]),
    (
      #""currencyCode":"CAD""#, #""currencyCode":"USD""#, ["applePayParams.currencyCode", "order.orderAmount.currency"]
    ),
    (#""orderId":"string""#, #""orderId":"other""#, ["applePayParams.orderId", "paymentId"]),
  ])
  func `the members of a pre-order's answer agree`(_ old: String, _ new: String, _ pair: [String]) throws {
    let text = DocumentExamples.preOrderResponse
    #expect(text.contains(old))
    let answer = try AlphaPayPreOrderResponse(reading: Array(text.replacing(old, with: new).utf8).span).answer()
    #expect(answer.outcome == .unknown)
    #expect(answer.contradictions.first.map { [$0.path, $0.other] } == pair)
    let whole = try AlphaPayPreOrderResponse(reading: Array(text.utf8).span).answer()
    #expect(whole.facts.contains { $0.path == "paymentExpireTime" && $0.value == "2019-08-24T14:45:22Z" })
  }

  @Test func `a payment of another order than the one that was sent is not known`() throws {
    var order = OrderFields()
    order.paymentIdentifier = "other"
    let response = try AlphaPayPaymentResponse(reading: Array(DocumentExamples.payResponse.utf8).span)
    #expect(response.answer(to: order).outcome == .unknown)
    #expect(response.answer(to: order).differences == ["paymentId"])
    order.paymentIdentifier = "string"
    #expect(response.answer(to: order).outcome == .succeeded && response.answer(to: order).compared == ["paymentId"])
  }

  @Test(arguments: [
    // The members of the response's order, and the order that was sent.
    ("", #"{"amount":6100,"currency":"USD"}"#, GatewayAnswer.Outcome.unknown, [String](), ["amount", "currency"]),
    ("", #"{"reference":"o"}"#, .unknown, [], ["reference"]),
    (
      #""reference":"o""#, #"{"amount":6100,"currency":"USD","reference":"o"}"#, .succeeded, ["order.reference"],
      ["amount", "currency"]
    ),
    (
      #""amount":61.00,"currency":"USD""#, #"{"amount":6100,"currency":"USD"}"#, .succeeded,
      ["order.currency", "order.amount"], []
    ),
    // The sent order has no member that a response could repeat.
    ("", #"{"summary":"Shoes"}"#, .unknown, [], []),
    // The currency alone does not identify an order.
    (
      #""currency":"USD""#, #"{"amount":6100,"currency":"USD","reference":"o"}"#, .unknown, ["order.currency"],
      ["amount", "reference"]
    ),
    // An amount of zero is the same in many orders.
    (
      #""amount":0.00,"currency":"USD""#, #"{"amount":0,"currency":"USD"}"#, .unknown,
      ["order.currency", "order.amount"],
      []
    ),
    (
      #""totalRefundedAmount":0.00,"totalCapturedAmount":0"#, #"{"amount":6100,"currency":"USD"}"#, .unknown,
      ["order.totalCapturedAmount", "order.totalRefundedAmount"], ["amount", "currency"]
    ),
    // XAU (gold) has no minor unit: its amounts cannot be compared.
    (#""amount":61.00,"currency":"XAU""#, #"{"amount":6100,"currency":"XAU"}"#, .unknown, ["order.currency"], []),
  ])
  func `a success that names nothing of the order that was sent is not certain`(
    _ members: String, _ sent: String, _ outcome: GatewayAnswer.Outcome, _ compared: [String], _ uncompared: [String]
  ) throws {
    let text = #"{"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"order":{\#(members)}}"#
    let response = try MastercardResponse(reading: Array(text.utf8).span)
    let answer = response.answer(to: try OrderFields(readingOrder: Array(sent.utf8).span))
    #expect(answer.outcome == outcome && answer.compared == compared && answer.uncompared == uncompared)
    #expect(response.answer().outcome == .succeeded && response.answer().uncompared == [])
    let declined = try MastercardResponse(
      reading: Array(#"{"result":"FAILURE","response":{"gatewayCode":"DECLINED"}}"#.utf8).span)
    #expect(
      declined.answer(to: try OrderFields(readingOrder: Array(#"{"reference":"o"}"#.utf8).span)).outcome == .refused)
  }

  @Test(arguments: [
    // What the response says, what it contradicts in an order for a hold, and in one for a purchase.
    (#""status":"CAPTURED""#, #""type":"PAYMENT""#, ["order.status", "transaction.type"], [String]()),
    (#""totalCapturedAmount":61"#, #""type":"AUTHORIZATION""#, ["order.totalCapturedAmount"], []),
    (#""status":"AUTHORIZED""#, #""type":"AUTHORIZATION""#, [], ["order.status", "transaction.type"]),
    (#""totalCapturedAmount":0.00"#, "", [], ["order.totalCapturedAmount"]),
    ("", #""type":"AUTHORIZATION""#, [], ["transaction.type"]),
    ("", "", [], []),
  ])
  func
    `money taken for an order that asked for a hold, and a hold for one that asked for a purchase, are not successes`(
      _ order: String, _ transaction: String, _ ofHold: [String], _ ofPurchase: [String]
    ) throws
  {
    let members = [#""amount":61.00,"currency":"USD""#, order].filter { !$0.isEmpty }.joined(separator: ",")
    let text = """
      {"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"order":{\(members)},"transaction":{\(transaction)}}
      """
    let response = try MastercardResponse(reading: Array(text.utf8).span)
    for (capture, differences) in [(OrderFields.Capture.authorization, ofHold), (.purchase, ofPurchase)] {
      var sent = OrderFields()
      sent.terms = RequestTerms(amount: .minorUnits(6_100), currency: .alphabetic("USD"))
      #expect(response.answer(to: sent).outcome == .succeeded)
      sent.capture = capture
      let answer = response.answer(to: sent)
      #expect(answer.differences == differences && Set(answer.compared).isSuperset(of: ofHold + ofPurchase))
      #expect(answer.outcome == (differences.isEmpty ? .succeeded : .unknown))
      #expect(answer.uncompared == (ofHold + ofPurchase == [] ? ["capture"] : []))
    }
    // A refused payment did neither.
    let refusal = """
      {"result":"FAILURE","response":{"gatewayCode":"DECLINED"},"order":{"amount":61.00,"currency":"USD",
      "totalCapturedAmount":0.00},"transaction":{"type":"PAYMENT"}}
      """
    for capture in [OrderFields.Capture.authorization, .purchase] {
      var sent = OrderFields()
      sent.terms = RequestTerms(amount: .minorUnits(6_100), currency: .alphabetic("USD"))
      sent.capture = capture
      #expect(try MastercardResponse(reading: Array(refusal.utf8).span).answer(to: sent).outcome == .refused)
    }
    // AlphaPay takes the money at once.
    var sent = OrderFields()
    (sent.paymentIdentifier, sent.capture) = ("string", .authorization)
    let payment = try AlphaPayPaymentResponse(reading: Array(DocumentExamples.payResponse.utf8).span)
    #expect(payment.answer(to: sent).differences == ["paymentStatus"])
    sent.capture = .purchase
    #expect(payment.answer(to: sent).outcome == .succeeded)
  }

  @Test(arguments: [
    // The names in the response's order and in the order that was sent, the difference, and what is not compared.
    (#""id":"other""#, #""reference":"o","paymentIdentifier":"o""#, ["order.id"], ["reference"], false),
    (#""id":"o""#, #""reference":"o","paymentIdentifier":"o""#, [String](), ["reference"], true),
    (#""id":"other""#, #""reference":"o""#, [], ["reference"], false),
    (#""reference":"o""#, #""reference":"o","paymentIdentifier":"o""#, [], ["paymentIdentifier"], true),
    (#""id":"o","reference":"other""#, #""reference":"o","paymentIdentifier":"o""#, ["order.reference"], [], false),
    (#""id":"other""#, "", [], [], true),
  ])
  func `the answer to an order is known by the order's names, and by its amount if it has none`(
    _ names: String, _ sent: String, _ differences: [String], _ uncompared: [String], _ isSuccess: Bool
  ) throws {
    let text = """
      {"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"order":{"amount":61.00,"currency":"USD",\(names)}}
      """
    let order = [#""amount":6100,"currency":"USD""#, sent].filter { !$0.isEmpty }.joined(separator: ",")
    let answer = try MastercardResponse(reading: Array(text.utf8).span).answer(
      to: try OrderFields(readingOrder: Array("{\(order)}".utf8).span))
    #expect(answer.differences == differences && answer.uncompared == uncompared)
    #expect(answer.outcome == (isSuccess ? .succeeded : .unknown))
  }

  @Test func `a merchant alone identifies no order`() throws {
    let response = try AlphaPayPreOrderResponse(reading: Array(DocumentExamples.preOrderResponse.utf8).span)
    var order = OrderFields()
    order.merchantIdentifier = response.parameters?.merchantIdentifier
    let answer = response.answer(to: order)
    #expect(answer.outcome == .unknown && answer.compared == ["applePayParams.merchantIdentifier"])
    order.paymentIdentifier = response.paymentId
    #expect(response.answer(to: order).outcome == .succeeded)
  }

  @Test func `AlphaPay's payment names no amount: an order needs a name to be compared with it`() throws {
    let response = try AlphaPayPaymentResponse(reading: Array(DocumentExamples.payResponse.utf8).span)
    var order = OrderFields()
    order.terms = RequestTerms(amount: .minorUnits(1_250), currency: .alphabetic("CAD"))
    #expect(response.answer(to: order).outcome == .unknown)
    order.paymentIdentifier = "string"
    let answer = response.answer(to: order)
    #expect(answer.outcome == .succeeded && answer.uncompared == ["amount", "currency"])
  }

  @Test(arguments: [
    ("", "", GatewayAnswer.Outcome.succeeded, [String]()),
    (#""value":"1","currency":"CAD""#, #""value":"2","currency":"CAD""#, .unknown, ["order.orderAmount.value"]),
    (#""currency":"CAD""#, #""currency":"CNY""#, .unknown, ["order.orderAmount.currency"]),
    (#""value":"1""#, #""value":"0.01""#, .unknown, []), (#""value":"1","#, "", .succeeded, []),
    (#""value":"1","currency":"CAD""#, #""value":"1""#, .unknown, []),
    ("SUCCESS", "PAYMENT_IN_PROCESS", .unknown, []),
  ])
  func `AlphaPay's order is compared wherever an answer names its amount`(
    _ old: String, _ new: String, _ outcome: GatewayAnswer.Outcome, _ differences: [String]
  ) throws {
    var order = try AlphaPayPreOrder.order(reading: Array(DocumentExamples.preOrder.utf8).span)
    order.paymentIdentifier = "string"
    let inquiry = DocumentExamples.inquiryResponse
    let text = inquiry.replacing(old, with: new)
    let check = try BodyCheck(Array(text.utf8).span, among: Gateway.alphapay.bodies)
    #expect(check.body.name == "inquiry-response")
    let answer = try Gateway.alphapay.answer(Array(text.utf8).span, check, to: order)
    #expect(answer?.outcome == outcome && answer?.differences == differences)
    for other in [DocumentExamples.payResponse, DocumentExamples.preOrderResponse] where !old.contains("SUCCESS") {
      let amount = #"{"order":{"orderAmount":{"value":"1","currency":"CAD"}},"#.replacing(old, with: new)
      let text = amount + other.dropFirst()
      let check = try BodyCheck(Array(text.utf8).span, among: Gateway.alphapay.bodies)
      let answer = try Gateway.alphapay.answer(Array(text.utf8).span, check, to: order)
      #expect(answer?.outcome == outcome && answer?.differences == differences)
    }
  }

  @Test func `an order in a currency that AlphaPay does not take has no success`() throws {
    let response = try AlphaPayPaymentResponse(reading: Array(DocumentExamples.payResponse.utf8).span)
    var order = OrderFields()
    order.paymentIdentifier = "string"
    for (currency, outcome) in [("CAD", GatewayAnswer.Outcome.succeeded), ("USD", .unknown)] {
      order.terms = RequestTerms(amount: .minorUnits(1_234), currency: .alphabetic(currency))
      let answer = response.answer(to: order)
      #expect(answer.outcome == outcome && answer.differences.isEmpty == (outcome == .succeeded))
    }
  }

  @Test(arguments: ["ORDER_PAID", "SYSTEM_ERROR", "REPEAT_REQ_INCONSISTENT", "failed", "UNKNOWN_EXCEPTION"])
  func `a failure whose code is not described is not known`(_ code: String) throws {
    let result = #""result":{"resultCode":"\#(code)","resultStatus":"F"}"#
    for (status, outcome) in [(code, GatewayAnswer.Outcome.unknown), ("PARAM_ILLEGAL", .refused), ("", .refused)] {
      let result = result.replacing(code, with: status)
      let payment = Array(#"{"paymentStatus":"FAILED",\#(result)}"#.utf8)
      #expect(try AlphaPayPaymentResponse(reading: payment.span).answer().outcome == outcome)
      #expect(try AlphaPayPreOrderResponse(reading: Array("{\(result)}".utf8).span).answer().outcome == outcome)
    }
  }

  /// The document describes U for a pre-order only. In a payment it promises nothing, whatever the other members say.
  @Test(arguments: [
    "", #""paymentStatus":"SUCCESS","#, #""paymentStatus":"FULL_REFUND","#, #""paymentStatus":"FAILED","#,
  ])
  func `a payment whose result is U is not known`(_ status: String) throws {
    for code in ["PAYMENT_IN_PROCESS", "SUCCESS", ""] {
      let text = #"{\#(status)"paymentId":"p","result":{"resultCode":"\#(code)","resultStatus":"U"}}"#
      let check = try BodyCheck(Array(text.utf8).span, among: Gateway.alphapay.bodies)
      #expect(check.body.name == "pay-response" && check.problems.map(\.path) == ["result.resultStatus"])
      #expect(try Gateway.alphapay.answer(Array(text.utf8).span, check)?.outcome == .unknown)
      #expect(try AlphaPayPaymentResponse(reading: Array(text.utf8).span).answer().outcome == .unknown)
    }
  }
}

import Gateways
import TestSupport
import Testing

@Suite struct AnswerTests {
  private func mastercard(_ text: String) throws -> GatewayAnswer {
    try MastercardResponse(reading: Array(text.utf8).span).answer()
  }

  private func mastercard(_ result: String, _ code: String?, _ recommendation: String?) throws -> GatewayAnswer {
    let members = [
      code.map { #""gatewayCode":"\#($0)""# }, recommendation.map { #""gatewayRecommendation":"\#($0)""# },
    ]
    return try mastercard(
      #"{"result":"\#(result)","response":{\#(members.compactMap { $0 }.joined(separator: ","))}}"#)
  }

  @Test func `the Mastercard Gateway's example is an approval, its cards as far as they are shown`() throws {
    let response = try MastercardResponse(reading: Array(DocumentExamples.mastercardResponse.utf8).span)
    #expect(response.answer().outcome == .succeeded)
    #expect(response.device.number == "512345xxxxxx0008" && response.device.expiryMonth == "1")
    #expect(response.funding.number == "xxxxxxxxxxxxxxxx" && response.funding.expiryYear == "27")
    #expect(response.cryptogramFormat == "3DSECURE" && response.recommendation == "PROCEED")
    #expect(response.amount == "30.10" && response.orderStatus == "AUTHORIZED")
    #expect(response.answer().facts.first { $0.path == "order.totalAuthorizedAmount" }?.value == "30.10")
  }

  @Test func `paid is what code, result and recommendation say together, and no other combination`() throws {
    let codes = MastercardResponse.Code.allCases.map(\.rawValue) + ["approved", "APPROVED ", ""]
    var succeeded: [String] = []
    for result in ["SUCCESS", "FAILURE", "ERROR", "PENDING", "UNKNOWN", "success", ""] {
      for code in codes.map(Optional.some) + [nil] {
        for recommendation in ["PROCEED", "DO_NOT_PROCEED", "", nil] {
          let answer = try mastercard(result, code, recommendation)
          if answer.outcome == .succeeded { succeeded.append("\(result) \(code ?? "-") \(recommendation ?? "-")") }
          #expect(!answer.advice.isEmpty)
        }
      }
    }
    #expect(succeeded == ["SUCCESS APPROVED PROCEED", "SUCCESS APPROVED -"])
    #expect(try mastercard("FAILURE", "DECLINED", nil).outcome == .refused)
    #expect(try mastercard("PENDING", "DECLINED", nil).outcome == .unknown)
    #expect(try mastercard("FAILURE", "DECLINED", "PROCEED").outcome == .unknown)
    #expect(try mastercard("SUCCESS", "PARTIALLY_APPROVED", "PROCEED").outcome == .partial)
  }

  @Test(arguments: [
    (#""totalAuthorizedAmount":30.10"#, #""totalAuthorizedAmount":30.09"#, GatewayAnswer.Outcome.partial),
    (#""totalAuthorizedAmount":30.10"#, #""totalAuthorizedAmount":0"#, .unknown),
    (#""totalAuthorizedAmount":30.10"#, #""totalAuthorizedAmount":3e1"#, .unknown),
    (#""status":"AUTHORIZED""#, #""status":"CANCELLED""#, .unknown),
    (#""status":"AUTHORIZED""#, #""status":"FAILED""#, .unknown),
    (#""type":"AUTHORIZATION""#, #""type":"REFUND""#, .unknown),
    (#""type":"AUTHORIZATION""#, #""type":"VERIFICATION""#, .unknown),
    (#""type":"AUTHORIZATION""#, #""type":"PAYMENT""#, .unknown),
    (
      #""status":"AUTHORIZED","totalAuthorizedAmount":30.10,"totalCapturedAmount":0.00"#, #""status":"CAPTURED""#,
      .succeeded
    ),
    (#""gatewayCode":"APPROVED""#, #""gatewayCode":"DECLINED""#, .unknown),
  ])
  func `an approval is one of the whole amount, by an order and a transaction that say so`(
    _ old: String, _ new: String, _ outcome: GatewayAnswer.Outcome
  ) throws {
    let text = DocumentExamples.mastercardResponse
    #expect(text.contains(old))
    #expect(try mastercard(text.replacing(old, with: new)).outcome == outcome)
  }

  @Test(arguments: [
    ("150000000", "150000000", GatewayAnswer.Outcome.succeeded), ("150000000", "149999999", .partial),
    ("99999999999999999999", "100000000000000000000", .unknown), ("100", "99", .partial), ("1.10", "1.1", .succeeded),
    ("1.1", "1.09", .partial), ("0.5", "0.45", .partial), ("0.45", "0.5", .unknown), ("10", "9.99", .partial),
  ])
  func `amounts of any size are compared digit by digit`(
    _ amount: String, _ authorized: String, _ outcome: GatewayAnswer.Outcome
  ) throws {
    let text = """
      {"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"order":{"amount":\(amount),"totalAuthorizedAmount":\(authorized)}}
      """
    #expect(try mastercard(text).outcome == outcome)
  }

  @Test func `an amount that is held is not one that was taken`() throws {
    let held = try mastercard(DocumentExamples.mastercardResponse)
    #expect(held.outcome == .succeeded && held.advice.contains("capture it"))
    let refused = try mastercard(#"{"result":"FAILURE","response":{"gatewayCode":"DECLINED"}}"#)
    #expect(refused.outcome == .refused)
    let taken = #"{"result":"FAILURE","response":{"gatewayCode":"DECLINED"},"order":{"totalCapturedAmount":5}}"#
    #expect(try mastercard(taken).outcome == .unknown)
  }

  @Test func `an account number in full is not shown`() throws {
    let text = DocumentExamples.mastercardResponse.replacing("512345xxxxxx0008", with: "5123450000000008")
    let answer = try mastercard(text)
    #expect(!"\(answer)".contains("5123450000000008"))
    let card = try MastercardResponse(reading: Array(text.utf8).span).device
    #expect(card.number == "5123450000000008" && !"\(card)\(String(reflecting: card))".contains("5123450000000008"))
    let wide = DocumentExamples.mastercardResponse.replacing("512345xxxxxx0008", with: "５１２３４５００００００")
    #expect(!"\(try mastercard(wide))".contains("５１２３"))
    #expect(answer.advice.contains("full account number"))
    #expect("\(try mastercard(DocumentExamples.mastercardResponse))".contains("512345xxxxxx0008"))
  }

  @Test(arguments: [("TESTACME", true), ("TEST", true), ("ACMETEST", false), ("test", false), ("", false)])
  func `an answer to a test merchant says so`(_ merchant: String, _ isTest: Bool) throws {
    let text = DocumentExamples.mastercardResponse.replacing("TESTMERCHANT", with: merchant)
    let answer = try mastercard(text)
    #expect(answer.outcome == .succeeded && answer.advice.contains("test merchant: no money moves") == isTest)
    #expect(answer.facts.contains { $0.path == "merchant" && $0.value == merchant })
  }

  // MARK: AlphaPay

  private func preOrder(_ text: String) throws -> AlphaPayPreOrderResponse {
    try AlphaPayPreOrderResponse(reading: Array(text.utf8).span)
  }

  @Test func `an order that waits for the customer is made, and its parameters are a payment request`() throws {
    let response = try preOrder(DocumentExamples.preOrderResponse)
    #expect(response.answer().outcome == .succeeded)
    let request = try #require(response.parameters?.paymentRequest)
    #expect(
      String(decoding: request.text(), as: UTF8.self) == """
        {"countryCode":"CA","currencyCode":"CAD","supportedNetworks":["visa","masterCard","amex"],\
        "merchantCapabilities":["supports3DS","supportsCredit","supportsDebit"],\
        "total":{"label":"Demo Merchant","amount":"0.01"}}
        """)
  }

  @Test func `no other status of a pre-order shows a payment sheet`() throws {
    for (status, outcome) in [("F", GatewayAnswer.Outcome.unknown), ("S", .unknown), ("u", .unknown), ("", .unknown)] {
      let text = DocumentExamples.preOrderResponse.replacing(
        #""resultStatus":"U""#, with: #""resultStatus":"\#(status)""#)
      #expect(try preOrder(text).answer().outcome == outcome)
    }
    let failed = #"{"paymentRequestId":"string","result":{"resultCode":"PARAM_ILLEGAL","resultStatus":"F"}}"#
    #expect(try preOrder(failed).answer().outcome == .refused)
    let nameless = DocumentExamples.preOrderResponse.replacing(#""paymentId":"string""#, with: #""paymentId":"""#)
    #expect(try preOrder(nameless).answer().outcome == .unknown)
  }

  @Test(arguments: [
    (#""amount":"0.01""#, #""amount":"0.10""#, "applePayParams.amount"),
    (#""amount":"0.01""#, #""amount":"1""#, "applePayParams.amount"),
    (#""currencyCode":"CAD""#, #""currencyCode":"USD""#, "applePayParams.currencyCode"),
    ("merchant.com.example.applepay", "merchant.com.example.other", "applePayParams.merchantIdentifier"),
    (#""paymentRequestId":"string","#, "", "paymentRequestId"),
    (#""paymentRequestId":"string""#, #""paymentRequestId":"other""#, "paymentRequestId"),
  ])
  func `an answer to another order than the one that was sent is told`(_ old: String, _ new: String, _ path: String)
    throws
  {
    let order = try AlphaPayPreOrder.order(reading: Array(DocumentExamples.preOrder.utf8).span)
    let answer = try preOrder(DocumentExamples.preOrderResponse).answer(to: order)
    #expect(answer.differences == [] && answer.outcome == .succeeded && answer.compared.contains(path))
    let other = try preOrder(DocumentExamples.preOrderResponse.replacing(old, with: new)).answer(to: order)
    #expect(other.differences == [path] && other.outcome == .unknown)
  }

  @Test func `a payment is made where both statuses say so, and refused where none says otherwise`() throws {
    var outcomes: [String: GatewayAnswer.Outcome] = [:]
    for result in ["S", "F", "U", ""] {
      for status in AlphaPayPaymentStatus.allCases.map(\.rawValue) + ["PENDING", nil] {
        let member = status.map { #""paymentStatus":"\#($0)","# } ?? ""
        let text = #"{\#(member)"result":{"resultStatus":"\#(result)"}}"#
        outcomes["\(result) \(status ?? "-")"] = try AlphaPayPaymentResponse(reading: Array(text.utf8).span).answer()
          .outcome
      }
    }
    #expect(outcomes.count == 24)
    #expect(outcomes.filter { $0.value == .succeeded }.map(\.key) == ["S SUCCESS"])
    #expect(outcomes.filter { $0.value == .partial }.map(\.key) == ["S PARTIAL_REFUND"])
    #expect(outcomes.filter { $0.value == .refunded }.map(\.key) == ["S FULL_REFUND"])
    #expect(Set(outcomes.filter { $0.value == .refused }.map(\.key)) == ["F FAILED"])
  }

  @Test(arguments: [
    ("S", "SUCCESS", "PAYMENT_IN_PROCESS"), ("F", "FAILED", "SUCCESS"), ("F", "FAILED", "PAYMENT_IN_PROCESS"),
  ])
  func `a code that says otherwise leaves it open`(_ result: String, _ status: String, _ code: String) throws {
    let text = #"{"paymentStatus":"\#(status)","result":{"resultStatus":"\#(result)","resultCode":"\#(code)"}}"#
    #expect(try AlphaPayPaymentResponse(reading: Array(text.utf8).span).answer().outcome == .unknown)
  }

  @Test func `an answer that breaks its document or is another order's says nothing for sure`() throws {
    let response = try preOrder(DocumentExamples.preOrderResponse)
    #expect(response.answer().outcome == .succeeded && response.answer().compared.isEmpty)
    var order = OrderFields()
    order.reference = "other"
    let other = response.answer(to: order)
    #expect(other.outcome == .unknown && other.differences == ["paymentRequestId"])
    let problems = try BodyCheck(Array(#"{"result":{}}"#.utf8).span, among: Gateway.alphapay.bodies, as: "pay-response")
      .problems
    #expect(response.answer(problems: problems).outcome == .unknown)
  }

  @Test func `a pre-order is in CAD, and needs neither merchant nor address`() throws {
    func read(_ old: String, _ new: String) throws -> OrderFields {
      try AlphaPayPreOrder.order(reading: Array(DocumentExamples.preOrder.replacing(old, with: new).utf8).span)
    }
    #expect(try read("", "").terms.amount == .minorUnits(1))
    #expect(try read(#""merchantIdentifier":"merchant.com.example.applepay","#, "").merchantIdentifier == nil)
    #expect(try read(#","notifyUrl":"https://www.example.com/notify""#, "").notificationAddress == nil)
    #expect(throws: RequestError.unknownValue(path: "order.orderAmount.currency")) { try read("CAD", "USD") }
  }

  @Test func `a token is sent with a name of its order`() {
    for (text, error) in [
      (#"{"paymentId":"","token":{}}"#, RequestError.missing(path: "paymentId")), ("{}", .missing(path: "paymentId")),
      (#"{"paymentId":7}"#, .wrongType(path: "paymentId")),
    ] { #expect(throws: error) { try Gateway.alphapay.order(Array(text.utf8).span) } }
  }
}

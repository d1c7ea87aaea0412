import Gateways
import Testing

@Suite struct AnswerTests {
  private func mastercard(_ text: String) throws -> GatewayAnswer {
    try MastercardResponse(reading: Array(text.utf8).span).answer
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
    #expect(response.answer.outcome == .succeeded)
    #expect(response.device.number == "512345xxxxxx0008" && response.device.expiryMonth == "1")
    #expect(response.funding.number == "xxxxxxxxxxxxxxxx" && response.funding.expiryYear == "27")
    #expect(response.cryptogramFormat == "3DSECURE" && response.recommendation == "PROCEED")
    #expect(response.amount == "30.10" && response.authorizedAmount == "30.10" && response.orderStatus == "AUTHORIZED")
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
    #expect(try mastercard("SUCCESS", "PARTIALLY_APPROVED", "PROCEED").outcome == .partial)
  }

  @Test func `an account number in full is not shown`() throws {
    let text = DocumentExamples.mastercardResponse.replacing("512345xxxxxx0008", with: "5123450000000008")
    let answer = try mastercard(text)
    #expect(!"\(answer)".contains("5123450000000008"))
    #expect(answer.advice.contains("in full"))
    #expect("\(try mastercard(DocumentExamples.mastercardResponse))".contains("512345xxxxxx0008"))
  }

  // MARK: AlphaPay

  private func preOrder(_ text: String) throws -> AlphaPayPreOrderResponse {
    try AlphaPayPreOrderResponse(reading: Array(text.utf8).span)
  }

  @Test func `an order that waits for the customer is made, and its parameters are a payment request`() throws {
    let response = try preOrder(DocumentExamples.preOrderResponse)
    #expect(response.answer.outcome == .succeeded)
    let request = try #require(response.parameters?.paymentRequest)
    #expect(
      String(decoding: request.text(), as: UTF8.self) == """
        {"countryCode":"CA","currencyCode":"CAD","supportedNetworks":["visa","masterCard","amex"],\
        "merchantCapabilities":["supports3DS","supportsCredit","supportsDebit"],\
        "total":{"label":"Demo Merchant","amount":"0.01"}}
        """)
  }

  @Test func `no other status of a pre-order shows a payment sheet`() throws {
    for (status, outcome) in [("F", GatewayAnswer.Outcome.refused), ("S", .unknown), ("u", .unknown), ("", .unknown)] {
      let text = DocumentExamples.preOrderResponse.replacing(
        #""resultStatus":"U""#, with: #""resultStatus":"\#(status)""#)
      #expect(try preOrder(text).answer.outcome == outcome)
    }
    let nameless = DocumentExamples.preOrderResponse.replacing(#""paymentId":"string""#, with: #""paymentId":"""#)
    #expect(try preOrder(nameless).answer.outcome == .unknown)
  }

  @Test(arguments: [
    (#""amount":"0.01""#, #""amount":"0.10""#, "applePayParams.amount"),
    (#""amount":"0.01""#, #""amount":"1""#, "applePayParams.amount"),
    (#""currencyCode":"CAD""#, #""currencyCode":"USD""#, "applePayParams.currencyCode"),
    ("merchant.com.example.applepay", "merchant.com.example.other", "applePayParams.merchantIdentifier"),
    (#""paymentRequestId":"string""#, #""paymentRequestId":"other""#, "paymentRequestId"),
  ])
  func `an answer to another order than the one that was sent is told`(_ old: String, _ new: String, _ path: String)
    throws
  {
    let order = try AlphaPayPreOrder(reading: Array(DocumentExamples.preOrder.utf8).span)
    #expect(try preOrder(DocumentExamples.preOrderResponse).differences(from: order) == [])
    #expect(
      try preOrder(DocumentExamples.preOrderResponse.replacing(old, with: new)).differences(from: order) == [path])
  }

  @Test func `a payment is made where both statuses say so, and refused where none says otherwise`() throws {
    var outcomes: [String: GatewayAnswer.Outcome] = [:]
    for result in ["S", "F", "U", ""] {
      for status in AlphaPayPaymentStatus.allCases.map(\.rawValue) + ["PENDING", nil] {
        let member = status.map { #""paymentStatus":"\#($0)","# } ?? ""
        let text = #"{\#(member)"result":{"resultStatus":"\#(result)"}}"#
        outcomes["\(result) \(status ?? "-")"] = try AlphaPayPaymentResponse(reading: Array(text.utf8).span).answer
          .outcome
      }
    }
    #expect(outcomes.count == 24)
    #expect(outcomes.filter { $0.value == .succeeded }.map(\.key) == ["S SUCCESS"])
    #expect(Set(outcomes.filter { $0.value == .partial }.map(\.key)) == ["S PARTIAL_REFUND", "S FULL_REFUND"])
    #expect(Set(outcomes.filter { $0.value == .refused }.map(\.key)) == ["F FAILED", "F -"])
  }

  @Test func `a pre-order is in CAD, and needs neither merchant nor address`() throws {
    func read(_ old: String, _ new: String) throws -> AlphaPayPreOrder {
      try AlphaPayPreOrder(reading: Array(DocumentExamples.preOrder.replacing(old, with: new).utf8).span)
    }
    #expect(try read("", "").amount == 1)
    #expect(try read(#""merchantIdentifier":"merchant.com.example.applepay","#, "").merchantIdentifier == nil)
    #expect(try read(#","notifyUrl":"https://www.example.com/notify""#, "").notifyUrl == nil)
    #expect(throws: RequestError.unknownValue(path: "order.orderAmount.currency")) { try read("CAD", "USD") }
  }

  @Test func `a token is sent with a name of its order`() {
    for (text, error) in [
      (#"{"paymentId":"","token":{}}"#, RequestError.missing(path: "paymentId")), ("{}", .missing(path: "paymentId")),
      (#"{"paymentId":7}"#, .wrongType(path: "paymentId")),
    ] { #expect(throws: error) { try AlphaPayRequest(reading: Array(text.utf8).span) } }
  }
}

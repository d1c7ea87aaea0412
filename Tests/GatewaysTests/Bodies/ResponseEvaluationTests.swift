import Foundation
import Gateways
import HostIO
import StrictJSON
import TestSupport
import Testing

/// The one evaluation of responses: numbered cases, each change of each member, and random changes.
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
    // A payment of a part, another currency, more than the order, more than was authorized.
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
    // Captured, although its status says that it is only reserved.
    (
      #"{"amount":61.00,"status":"AUTHORIZED","totalCapturedAmount":61.00}"#, "{}", .unknown,
      ["order.totalCapturedAmount", "order.status"]
    ),
    (
      #"{"amount":61.00,"totalCapturedAmount":0}"#, #"{"type":"PAYMENT"}"#, .unknown,
      ["order.totalCapturedAmount", "transaction.type"]
    ),
    // Returned, in full, in part, and more than was paid.
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
  ])
  func `the Mastercard Gateway's amounts and currencies agree, or nothing is certain`(
    _ order: String, _ transaction: String, _ outcome: GatewayAnswer.Outcome, _ pair: [String]
  ) throws {
    let answer = try mastercard(order, transaction)
    #expect(answer.outcome == outcome)
    #expect(answer.contradictions.first.map { [$0.path, $0.other] } ?? [] == pair)
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

  // MARK: Changes

  private struct Sample {
    let gateway: Gateway
    let body: BodyDescription
    let members: [JSON.Member]
    let order: OrderFields
    /// The members that agree with the order or with each other.
    let watched: [String]
  }

  private static func sample(
    _ gateway: Gateway, _ body: String, _ text: String, _ order: OrderFields, _ watched: [String]
  )
    throws -> Sample
  {
    let tree = try JSON(reading: Array(text.utf8).span)
    return Sample(
      gateway: gateway, body: try #require(gateway.bodies.first { $0.name == body }),
      members: try #require(tree.members),
      order: order, watched: watched)
  }

  /// The documents' examples, and the order that each answers.
  private static func samples() throws -> [Sample] {
    var mastercard = OrderFields()
    mastercard.terms = RequestTerms(amount: .minorUnits(3_010), currency: Currency.alphabetic("USD"))
    mastercard.reference = "o-1"
    let pair = #""merchantAmount":30.10,"merchantCurrency":"USD","totalRefundedAmount":0,"totalDisbursedAmount":0,"#
    let text = DocumentExamples.mastercardResponse.replacing(
      #""certainty":"FINAL","#, with: #""reference":"o-1","# + pair)
    var alphapay = try AlphaPayPreOrder(reading: Array(DocumentExamples.preOrder.utf8).span).order
    alphapay.paymentIdentifier = "string"
    return [
      try sample(
        .mpgs, "response", text, mastercard,
        [
          "order.amount", "order.currency", "order.merchantAmount", "order.merchantCurrency", "order.reference",
          "order.totalAuthorizedAmount", "order.totalCapturedAmount", "order.totalRefundedAmount",
          "order.totalDisbursedAmount", "order.chargeback.amount", "order.chargeback.currency", "transaction.amount",
          "transaction.currency", "result", "response.gatewayCode", "response.gatewayRecommendation", "order.status",
          "transaction.type",
        ]),
      try sample(
        .alphapay, "preorder-response", DocumentExamples.preOrderResponse, alphapay,
        [
          "paymentRequestId", "paymentId", "applePayParams.orderId", "applePayParams.amount",
          "applePayParams.currencyCode", "applePayParams.merchantIdentifier", "result.resultStatus",
          "result.resultCode",
        ]),
      try sample(
        .alphapay, "pay-response", DocumentExamples.payResponse, alphapay,
        ["paymentRequestId", "paymentId", "paymentStatus", "result.resultStatus", "result.resultCode"]),
    ]
  }

  /// Another value at a path, or none.
  private static func changed(_ members: [JSON.Member], _ path: ArraySlice<Substring>, to value: JSON?) -> [JSON.Member]
  {
    guard let name = path.first else { return members }
    let rest = path.dropFirst()
    guard let index = members.firstIndex(where: { $0.name == name }) else { return members }
    var members = members
    if rest.isEmpty {
      if let value { members[index] = .init(String(name), value) } else { members.remove(at: index) }
    } else if let inner = members[index].value.members {
      members[index] = .init(String(name), .object(changed(inner, rest, to: value)))
    }
    return members
  }

  /// Values that a member may have: missing, null, of other types, other amounts and currencies, and those that the
  /// documents describe.
  private static let values: [JSON?] =
    [nil, .null, .boolean(true), .array([]), .object([])]
    + [
      "0", "1", "30.1", "30.10", "30.09", "30.11", "3010", "-30.10", "30.100", "30.101", "3.01e1", "301e-1", "0.1",
      "0.02",
    ]
    .map { .number($0) }
    + [
      "30.10", "30.1", "61.00", "30.101", "-30.10", "999999999999999999999", "0.01", "0.02", "USD", "EUR", "JPY", "CAD",
      "string", "other", "o-1", "", " ", "SUCCESS", "FAILURE", "PENDING", "APPROVED", "DECLINED", "PARTIALLY_APPROVED",
      "PROCEED", "AUTHORIZED", "CAPTURED", "REFUNDED", "AUTHORIZATION", "PAYMENT", "REFUND", "S", "F", "U", "FAILED",
      "PARTIAL_REFUND", "FULL_REFUND", "PAYMENT_IN_PROCESS", "2019-08-24T14:15:21Z",
    ].map { .string($0) }

  /// The record of a changed response and its answer; nil if it cannot be read, which succeeds for nobody.
  private static func outcome(_ sample: Sample, _ members: [JSON.Member], ignoring path: String? = nil)
    -> GatewayAnswer.Outcome?
  {
    let text = Array(JSON.object(members).text(.fewest).utf8)
    guard let check = try? BodyCheck(text.span, among: [sample.body], as: sample.body.name) else { return nil }
    guard let path else { return (try? sample.gateway.answer(text.span, check, to: sample.order))?.outcome }
    guard let record = try? sample.gateway.record?(text.span, sample.body.name) else { return nil }
    return record.ignoring(path).answer(to: sample.order, problems: check.problems).outcome
  }

  /// Whether a member has another meaning than in the example: as an amount another number, else another text.
  private static func differs(_ value: JSON?, from original: JSON?) -> Bool {
    guard let value, let original else { return false }
    func written(_ value: JSON) -> String? {
      switch value {
      case .number(let text), .string(let text): text
      default: nil
      }
    }
    guard let text = written(value), let old = written(original) else { return true }
    guard let number = Decimal(string: old), old.contains(where: \.isNumber), let other = Decimal(string: text) else {
      return text != old
    }
    return number != other
  }

  /// Values with which a response says less, but nothing else: a status may be missing where others say it.
  private static func isOtherSuccess(_ path: String, _ value: JSON?) -> Bool {
    guard case .string(let text)? = value else { return false }
    return switch path {
    case "result.resultCode": ["", "SUCCESS", "PAYMENT_IN_PROCESS"].contains(text)
    default: false
    }
  }

  @Test func `every change of every member is at most as good, and no other amount, currency or name succeeds`() throws
  {
    var (count, worse) = (0, 0)
    for sample in try Self.samples() {
      let best = try #require(Self.outcome(sample, sample.members))
      #expect(best == .succeeded, "\(sample.body.name)")
      for field in sample.body.fields {
        let path = field.path.split(separator: ".")[...]
        let original = JSON.object(sample.members)[Array(path)]
        for value in Self.values where original != nil {
          let outcome = Self.outcome(sample, Self.changed(sample.members, path, to: value))
          count += 1
          guard let outcome else { continue }
          #expect(outcome >= best)
          if outcome > best { worse += 1 }
          guard sample.watched.contains(field.path), Self.differs(value, from: original),
            !Self.isOtherSuccess(field.path, value)
          else { continue }
          #expect(outcome > .succeeded, "\(sample.body.name) \(field.path) \(String(describing: value))")
        }
      }
    }
    #expect(count > 2_000 && worse > 1_000)
  }

  /// Random changes of one to three members that the comparison misses.
  private static func missed(
    _ sample: Sample, count: Int, ignoring path: String?, using random: inout SplitMix64
  ) -> String? {
    for _ in 0..<count {
      var members = sample.members
      var changes: [(path: String, value: JSON?)] = []
      var fields = path.map { [$0] } ?? []
      while fields.count < Int.random(in: 1...3, using: &random) {
        guard let field = sample.body.fields.randomElement(using: &random)?.path else { break }
        if !fields.contains(field) { fields.append(field) }
      }
      for field in fields {
        let value = values.randomElement(using: &random) ?? nil
        let path = field.split(separator: ".")[...]
        guard JSON.object(sample.members)[Array(path)] != nil else { continue }
        members = changed(members, path, to: value)
        changes.append((field, value))
      }
      let differs = changes.contains { change in
        let original = JSON.object(sample.members)[change.path.split(separator: ".")]
        return sample.watched.contains(change.path) && Self.differs(change.value, from: original)
          && !isOtherSuccess(change.path, change.value)
          // A later change may have taken the object away.
          && JSON.object(members)[change.path.split(separator: ".")] != nil
      }
      if differs, outcome(sample, members, ignoring: path) == .succeeded {
        return "\(sample.body.name): \(changes.map { "\($0.path) \(String(describing: $0.value))" })"
      }
    }
    return nil
  }

  @Test func `random changes of one to three members never make another payment succeed`() throws {
    let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    let count = Ring.count(3_000, deep: 100_000)
    print("seed \(seed): \(count) changes of each response")
    var random = SplitMix64(seed: seed)
    for sample in try Self.samples() {
      #expect(Self.missed(sample, count: count, ignoring: nil, using: &random) == nil)
      // The comparison of each member is needed: without it a change is missed.
      // The check of the document compares orderId as well.
      for path in sample.watched where path != "applePayParams.orderId" {
        #expect(Self.missed(sample, count: 3_000, ignoring: path, using: &random) != nil, "\(sample.body.name) \(path)")
      }
    }
  }
}

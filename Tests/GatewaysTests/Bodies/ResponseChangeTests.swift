import Foundation
import Gateways
import HostIO
import StrictJSON
import TestSupport
import Testing

/// Each change of each member of a documented response, and random changes of one to three members.
@Suite struct ResponseChangeTests {
  private struct Sample {
    let name: String
    let gateway: Gateway
    let body: BodyDescription
    let members: [JSON.Member]
    let order: OrderFields
    let outcome: GatewayAnswer.Outcome
    /// Of a success, the members that must agree with the order or each other; of another outcome, those that say it.
    var watched: [String]

    var isSuccess: Bool { outcome == .succeeded }

    /// A response to the same order with changed members, and its outcome. A change without text removes the member.
    func with(_ name: String, _ changes: [(path: String, text: String?)], _ outcome: GatewayAnswer.Outcome) -> Sample {
      var members = members
      for (path, text) in changes {
        let value: JSON? = text.map { $0.first?.isNumber == true ? .number($0) : .string($0) }
        members = ResponseChangeTests.changed(members, path.split(separator: ".")[...], to: value)
      }
      return Sample(
        name: name, gateway: gateway, body: body, members: members, order: order, outcome: outcome,
        watched: outcome == .succeeded ? watched : changes.filter { $0.text != nil }.map(\.path))
    }
  }

  private static func sample(
    _ gateway: Gateway, _ body: String, _ text: String, _ order: OrderFields, _ watched: [String]
  ) throws -> Sample {
    let tree = try JSON(reading: Array(text.utf8).span)
    return Sample(
      name: body, gateway: gateway, body: try #require(gateway.bodies.first { $0.name == body }),
      members: try #require(tree.members), order: order, outcome: .succeeded, watched: watched)
  }

  /// The documents' examples with the order that each answers, and other outcomes of the same orders.
  private static func samples() throws -> [Sample] {
    let examples = try examples()
    let (card, order, payment) = (examples[0], examples[1], examples[2])
    var taken = card.with(
      "captured",
      [
        ("order.status", "CAPTURED"), ("transaction.type", "PAYMENT"), ("order.totalCapturedAmount", "30.10"),
      ], .succeeded)
    // After a capture the transaction may also be the authorization.
    taken.watched.removeAll { $0 == "transaction.type" }
    return examples + [
      taken,
      taken.with("refunded", [("order.totalRefundedAmount", "30.10")], .refunded),
      taken.with("charged back in part", [("order.chargeback.amount", "1")], .partial),
      card.with(
        "approved in part",
        [
          ("response.gatewayCode", "PARTIALLY_APPROVED"), ("order.totalAuthorizedAmount", "6"),
          ("transaction.amount", "6"),
        ], .partial),
      card.with(
        "declined",
        [
          ("result", "FAILURE"), ("response.gatewayCode", "DECLINED"),
          ("response.gatewayRecommendation", "DO_NOT_PROCEED"), ("order.status", "FAILED"),
          ("response.acquirerCode", "D5"), ("authorizationResponse.responseCode", "D5"),
          ("order.totalAuthorizedAmount", nil),
        ], .refused),
      card.with("timed out", [("result", "PENDING"), ("response.gatewayCode", "TIMED_OUT")], .unknown),
      order.with(
        "not made",
        [("result.resultStatus", "F"), ("result.resultCode", "PARAM_ILLEGAL"), ("applePayParams", nil)], .refused),
      payment.with(
        "failed",
        [("result.resultStatus", "F"), ("result.resultCode", "FAILED"), ("paymentStatus", "FAILED")], .refused),
      payment.with("partly refunded", [("paymentStatus", "PARTIAL_REFUND")], .partial),
      payment.with("wholly refunded", [("paymentStatus", "FULL_REFUND")], .refunded),
      payment.with(
        "pending",
        [("result.resultStatus", "U"), ("result.resultCode", "PAYMENT_IN_PROCESS"), ("paymentStatus", nil)], .unknown),
    ]
  }

  private static func examples() throws -> [Sample] {
    var mastercard = OrderFields()
    mastercard.terms = RequestTerms(amount: .minorUnits(3_010), currency: Currency.alphabetic("USD"))
    mastercard.reference = "o-1"
    let pair = #""merchantAmount":30.10,"merchantCurrency":"USD","totalRefundedAmount":0,"totalDisbursedAmount":0,"#
    let text = DocumentExamples.mastercardResponse.replacing(
      #""certainty":"FINAL","#, with: #""reference":"o-1","# + pair
    ).replacing(
      #""result":"#,
      with: #""risk":{"response":{"gatewayCode":"ACCEPTED","review":{"decision":"NOT_REQUIRED"}}},"result":"#)
    var alphapay = try AlphaPayPreOrder.order(reading: Array(DocumentExamples.preOrder.utf8).span)
    alphapay.paymentIdentifier = "string"
    return [
      try sample(
        .mpgs, "response", text, mastercard,
        [
          "order.amount", "order.currency", "order.merchantAmount", "order.merchantCurrency", "order.reference",
          "order.totalAuthorizedAmount", "order.totalCapturedAmount", "order.totalRefundedAmount",
          "order.totalDisbursedAmount", "order.chargeback.amount", "order.chargeback.currency", "transaction.amount",
          "transaction.currency", "result", "response.gatewayCode", "response.gatewayRecommendation", "order.status",
          "transaction.type", "response.acquirerCode", "authorizationResponse.responseCode",
          "risk.response.gatewayCode", "risk.response.review.decision",
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
      try sample(
        .alphapay, "inquiry-response", DocumentExamples.inquiryResponse, alphapay,
        [
          "paymentRequestId", "paymentId", "paymentStatus", "result.resultStatus", "result.resultCode",
          "order.orderAmount.value", "order.orderAmount.currency",
        ]),
    ]
  }

  /// The members with another value at a path, or without it for nil. A path that does not exist changes nothing.
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

  /// The outcome of a changed response; nil if it cannot be read.
  ///
  /// - Parameter paths: members that are not compared; a test then shows that it notices the difference.
  private static func outcome(
    _ sample: Sample, _ members: [JSON.Member], ignoring paths: [String] = []
  ) -> GatewayAnswer.Outcome? {
    let text = Array(JSON.object(members).text(.fewest).utf8)
    guard let check = try? BodyCheck(text.span, among: [sample.body], as: sample.body.name) else { return nil }
    if paths.isEmpty { return (try? sample.gateway.answer(text.span, check, to: sample.order))?.outcome }
    guard let record = try? sample.gateway.record?(text.span, sample.body.name) else { return nil }
    // `BodyCheck` also compares some members with each other: those problems are left out too.
    let problems = check.problems.filter { !paths.contains($0.path) && $0.kind != .disagreement }
    return record.ignoring(paths).answer(to: sample.order, problems: problems).outcome
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

  /// Whether the value is a result code with which the response may still be a success: none, that of a success, or, of
  /// an order that was made, that its payment is not finished.
  private static func isOtherSuccess(_ body: BodyDescription, _ path: String, _ value: JSON?) -> Bool {
    guard path == "result.resultCode", case .string(let text)? = value else { return false }
    return ["", "SUCCESS"].contains(text) || body.name == "preorder-response" && text == "PAYMENT_IN_PROCESS"
  }

  @Test func `every change of every member is at most as good, and no other amount, currency or name succeeds`() throws
  {
    var (count, worse) = (0, 0)
    for sample in try Self.samples() {
      #expect(Self.outcome(sample, sample.members) == sample.outcome, "\(sample.name)")
      for field in sample.body.fields {
        let path = field.path.split(separator: ".")[...]
        let original = JSON.object(sample.members)[Array(path)]
        for value in Self.values where original != nil {
          let outcome = Self.outcome(sample, Self.changed(sample.members, path, to: value))
          count += 1
          guard let outcome else { continue }
          // A change of one member does not improve the outcome, unless that member alone says it.
          if sample.watched != [field.path] { #expect(outcome >= sample.outcome, "\(sample.name) \(field.path)") }
          if outcome > sample.outcome { worse += 1 }
          guard sample.isSuccess, sample.watched.contains(field.path), Self.differs(value, from: original),
            !Self.isOtherSuccess(sample.body, field.path, value)
          else { continue }
          #expect(outcome > .succeeded, "\(sample.name) \(field.path) \(String(describing: value))")
        }
      }
    }
    #expect(count > 10_000 && worse > 3_000)
  }

  /// Makes random changes of one to three members, and describes the first that the comparison misses: another payment
  /// succeeds, or an outcome gets better although a member that says it is unchanged. Nil if it misses none.
  ///
  /// - Parameter paths: members that are not compared. In a success they are among the changed ones.
  private static func missed(
    _ sample: Sample, count: Int, ignoring paths: [String] = [], using random: inout SplitMix64
  ) -> String? {
    for _ in 0..<count {
      var members = sample.members
      var changes: [(path: String, value: JSON?)] = []
      var fields = sample.isSuccess ? paths : []
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
      if isMissed(sample, changes, members, outcome(sample, members, ignoring: paths)) {
        return "\(sample.name): \(changes.map { "\($0.path) \(String(describing: $0.value))" })"
      }
    }
    return nil
  }

  private static func isMissed(
    _ sample: Sample, _ changes: [(path: String, value: JSON?)], _ members: [JSON.Member],
    _ outcome: GatewayAnswer.Outcome?
  ) -> Bool {
    guard let outcome else { return false }
    func value(_ path: String, _ members: [JSON.Member]) -> JSON? { JSON.object(members)[path.split(separator: ".")] }
    guard sample.isSuccess else {
      let isSaid = sample.watched.contains { value($0, members) == value($0, sample.members) }
      return isSaid && outcome < sample.outcome
    }
    let others = changes.filter { change in
      sample.watched.contains(change.path) && differs(change.value, from: value(change.path, sample.members))
        && !isOtherSuccess(sample.body, change.path, change.value)
        // A later change may have taken the object away.
        && value(change.path, members) != nil
    }
    guard outcome == .succeeded, !others.isEmpty else { return false }
    // A held amount and a captured one are both a success, if all three members agree.
    let moneyPaths = ["order.status", "order.totalCapturedAmount", "transaction.type"]
    return !(others.allSatisfy { moneyPaths.contains($0.path) } && isHeldOrTaken(moneyPaths.map { value($0, members) }))
  }

  /// Whether a status, a captured amount and a type, each possibly absent, say that all of 30.10 is held, or taken.
  private static func isHeldOrTaken(_ members: [JSON?]) -> Bool {
    let texts = members.map { member in
      if case .number(let text)? = member { text } else { member?.string }
    }
    let captured = texts[1].flatMap { Decimal(string: $0) }
    let isHeld =
      ["AUTHORIZED", nil].contains(texts[0]) && (captured ?? 0) == 0 && ["AUTHORIZATION", nil].contains(texts[2])
    let isTaken =
      ["CAPTURED", nil].contains(texts[0]) && (captured == nil || captured == Decimal(string: "30.10"))
      && ["AUTHORIZATION", "PAYMENT", nil].contains(texts[2])
    return isHeld || isTaken
  }

  @Test func `random changes of one to three members never make another payment succeed`() throws {
    let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    let count = Ring.count(1_000, deep: 100_000)
    print("seed \(seed): \(count) changes of each response")
    var random = SplitMix64(seed: seed)
    var plantedOutcomes = 0
    for sample in try Self.samples() {
      #expect(Self.missed(sample, count: count, using: &random) == nil)
      // Without the comparison of any one member of a success, a change is missed. Of another outcome, all members that
      // say it are left out together, if the response then looks better.
      let saysMore = Self.outcome(sample, sample.members, ignoring: sample.watched).map { $0 < sample.outcome } ?? false
      let planted = sample.isSuccess ? sample.watched.map { [$0] } : saysMore ? [sample.watched] : []
      if !sample.isSuccess { plantedOutcomes += planted.count }
      for paths in planted {
        #expect(
          Self.missed(sample, count: 3_000, ignoring: paths, using: &random) != nil, "\(sample.name) \(paths)")
      }
    }
    #expect(plantedOutcomes >= 5)
  }
}

extension ResponseRecord {
  /// The record without some members, as if nothing were compared with them.
  fileprivate func ignoring(_ paths: [String]) -> ResponseRecord {
    var record = self
    record.statements.removeAll { paths.contains($0.member.path) }
    record.amounts.removeAll { paths.contains($0.member.path) }
    record.currencies.removeAll { paths.contains($0.path) }
    record.equals.removeAll { paths.contains($0.0.path) || paths.contains($0.1.path) }
    record.times.removeAll { paths.contains($0.earlier.path) || paths.contains($0.later.path) }
    record.references.removeAll { paths.contains($0.path) }
    return record
  }
}

/// The members of a response that say something about a payment, and their evaluation, which is the same for all
/// gateways.
///
/// A gateway's reader only fills this record. `answer(to:problems:)` compares the members with each other and with the
/// order that was sent. The outcome is the worst that any member supports. It is unknown if members contradict each
/// other or the order, or if the gateway's document does not describe a value.
package struct ResponseRecord: Sendable {
  /// A member as written.
  package struct Member: Hashable, Sendable {
    package let path: String
    package let text: String
  }

  /// What the value of a member says.
  enum Claim: Hashable, Sendable {
    /// Approved. Other members can make the outcome worse than this, but not better.
    case approved(GatewayAnswer.Outcome)
    case refused
    /// The money was taken.
    case captured
    /// The money is reserved, and none was taken.
    case held
    /// The money was reserved; it may have been captured or released since.
    case reserved
    /// The gateway's document does not describe the value, or the member is absent although the document requires it.
    case undescribed
  }

  /// What an amount refers to.
  enum Role: Hashable, Sendable {
    /// The amount of the order. All amounts of this role must be equal.
    case requested
    /// The maximum for all transactions together.
    case authorized
    /// The amount of one transaction.
    case transaction
    case captured, refunded, chargedBack
    /// Paid to the payer, which is no part of a payment.
    case disbursed
  }

  package struct Statement: Sendable {
    package let member: Member
    let claim: Claim
  }

  package struct Amount: Hashable, Sendable {
    let role: Role
    package let member: Member
  }

  /// Whether the response is about an order that the customer has yet to pay in a payment sheet; false for a payment.
  var isOfOrder = false
  var facts: [GatewayAnswer.Fact] = []
  /// Sentences to append to the advice.
  var warnings: [String] = []
  package var statements: [Statement] = []
  package var amounts: [Amount] = []
  /// The currencies of the response, which must all be equal.
  package var currencies: [Member] = []
  /// The only currency that the gateway takes; nil if it takes many.
  var onlyCurrency: Currency?
  package var equals: [(Member, Member)] = []
  package var times: [(earlier: Member, later: Member)] = []
  /// Members that are compared with the order that was sent.
  package var references: [(path: String, text: String?, isRequired: Bool, name: String, identifies: Bool)] = []

  // MARK: Sorting members

  mutating func state(_ path: String, _ text: String?, _ claim: Claim) {
    statements.append(Statement(member: Member(path: path, text: text ?? ""), claim: claim))
  }

  mutating func require(_ path: String, _ text: String?, sameAs other: String, _ otherText: String?) {
    guard let text, let otherText else { return }
    equals.append((Member(path: path, text: text), Member(path: other, text: otherText)))
  }

  mutating func require(_ earlier: String, _ text: String?, notAfter later: String, _ laterText: String?) {
    guard let text, let laterText else { return }
    times.append((Member(path: earlier, text: text), Member(path: later, text: laterText)))
  }

  /// - Parameters:
  ///   - isRequired: whether a response without the member contradicts the order.
  ///   - name: the member's name in an order document.
  ///   - identifies: whether each order has its own value.
  mutating func refer(_ path: String, _ text: String?, isRequired: Bool, to name: String, identifies: Bool = true) {
    references.append((path, text, isRequired, name, identifies))
  }

  // MARK: Evaluation

  /// The outcome, the facts and what to do next.
  ///
  /// - Parameters:
  ///   - order: what was sent; nil compares the members with each other only.
  ///   - problems: what a check of the response found.
  package func answer(to order: OrderFields? = nil, problems: [BodyProblem] = []) -> GatewayAnswer {
    var comparison = ResponseComparison(self, order)
    comparison.compare()
    let isCertain =
      problems.isEmpty && comparison.contradictions.isEmpty && comparison.unclear.isEmpty && !statements.isEmpty
    // A success that contains nothing of the order may belong to another order.
    let isSuccessOfAny = comparison.hasNothingOfOrder && comparison.outcome == .succeeded
    let outcome = isCertain && !isSuccessOfAny ? comparison.outcome : .unknown
    return GatewayAnswer(
      outcome: outcome, facts: facts,
      advice: ([advice(outcome, comparison, breaksDocument: !problems.isEmpty)] + warnings).joined(separator: " "),
      contradictions: comparison.contradictions, unclear: comparison.unclear, compared: comparison.compared,
      uncompared: comparison.uncompared, differences: comparison.differences)
  }

  /// The advice for an outcome. It never tells the merchant to pay, capture or try again if that could be wrong under
  /// some reading of the response.
  private func advice(
    _ outcome: GatewayAnswer.Outcome, _ comparison: ResponseComparison, breaksDocument: Bool
  ) -> String {
    let caution =
      comparison.hasNothingOfOrder
      ? " It names nothing that identifies the order that was sent: make sure that it is the answer to that."
      : ""
    switch outcome {
    case .succeeded:
      if isOfOrder {
        return "The order is made and waits for the customer: show the payment sheet with applePayParams."
      }
      if comparison.isCaptured { return "The payment is made and the money taken: do not capture it again." }
      if comparison.isHeld { return "The amount is approved and reserved: capture it to be paid." }
      return "Approved: after PAY the payment is made, after AUTHORIZE the amount is reserved until it is captured. "
        + "Ask for the order's state before capturing it."
    case .partial:
      return
        "Only a part is approved, paid or kept: ask for the order's state, then collect the rest by other means or "
        + "return the part." + caution
    case .refunded: return "The payment was made, and all of it has been returned: deliver nothing for it." + caution
    case .refused:
      let refusal =
        isOfOrder ? "No order was made; the response says why." : "The payment is refused, and no money was taken."
      return refusal + caution
    case .unknown:
      let reason =
        if !comparison.differences.isEmpty {
          "The response does not match the order that was sent"
        } else if breaksDocument {
          "The response violates the gateway's document"
        } else if !comparison.contradictions.isEmpty {
          "The response contradicts itself"
        } else if comparison.unclear.isEmpty, comparison.hasNothingOfOrder {
          "The response names nothing that identifies the order that was sent, so it may be another's"
        } else {
          "The response does not say for certain what happened"
        }
      let sheet = isOfOrder ? "show no payment sheet, " : ""
      return "\(reason): \(sheet)deliver nothing, do not try again, and ask for the order's state first."
    }
  }
}

/// The comparison of a response's members with each other and with the order that was sent.
private struct ResponseComparison {
  private typealias Member = ResponseRecord.Member

  private let record: ResponseRecord
  private let order: OrderFields?
  /// Stands for the order, in place of a path, in a `GatewayAnswer.Contradiction`.
  private static let sent = "the order that was sent"

  private(set) var contradictions: [GatewayAnswer.Contradiction] = []
  /// Members whose value cannot be read or is not described.
  private(set) var unclear: [String] = []
  /// Members that were compared with the order.
  private(set) var compared: [String] = []
  /// What the order has and the response lacks, by the names of an order document.
  private(set) var uncompared: [String] = []
  private(set) var outcome = GatewayAnswer.Outcome.succeeded
  private(set) var isCaptured = false
  private(set) var isHeld = false

  /// Whether the order has a name of its own that a response can contain.
  private var isNamed = false
  /// Whether a name of the order was compared, or the amount of an order without one. A currency, a merchant or an
  /// amount of zero is the same in many orders.
  private var isIdentified = false

  var hasNothingOfOrder: Bool { order != nil && !isIdentified }

  var differences: [String] { contradictions.filter { $0.other == Self.sent }.map(\.path) }

  init(_ record: ResponseRecord, _ order: OrderFields?) {
    self.record = record
    self.order = order
  }

  mutating func compare() {
    compareReferences()
    compareCurrencies()
    compareStatements()
    compareAmounts()
    compareOperation()
    for (member, other) in record.equals where !Self.same(member.text, other.text) {
      contradict(member.path, other.path)
    }
    for (earlier, later) in record.times {
      guard let first = FieldForm.time(earlier.text), let second = FieldForm.time(later.text) else { continue }
      if first.secondsSinceEpoch > second.secondsSinceEpoch { contradict(later.path, earlier.path) }
    }
  }

  private mutating func contradict(_ path: String, _ other: String) {
    contradictions.append(GatewayAnswer.Contradiction(path: path, other: other))
  }

  private static func same(_ text: String, _ other: String) -> Bool { text.utf8.elementsEqual(other.utf8) }

  private mutating func lower(_ other: GatewayAnswer.Outcome) { outcome = max(outcome, other) }

  private mutating func compareReferences() {
    for (path, text, isRequired, name, identifies) in record.references {
      guard let expected = OrderFields.texts.first(where: { $0.name == name }).flatMap({ order?[keyPath: $0.member] })
      else { continue }
      if identifies { isNamed = true }
      guard text != nil || isRequired else {
        uncompared.append(name)
        continue
      }
      compared.append(path)
      if identifies { isIdentified = true }
      if text.map({ !Self.same($0, expected) }) ?? true { contradict(path, Self.sent) }
    }
  }

  private mutating func compareCurrencies() {
    if let sent = order?.terms.currency?.alphabeticCode {
      if record.currencies.isEmpty { uncompared.append("currency") }
      if let only = record.onlyCurrency?.alphabeticCode, only != sent {
        contradict("the gateway's only currency", Self.sent)
      }
      for currency in record.currencies {
        compared.append(currency.path)
        if !Self.same(currency.text, sent) { contradict(currency.path, Self.sent) }
      }
    }
    guard let first = record.currencies.first else { return }
    for other in record.currencies.dropFirst() where !Self.same(first.text, other.text) {
      contradict(first.path, other.path)
    }
  }

  private func members(_ claims: (ResponseRecord.Claim) -> Bool) -> [Member] {
    record.statements.filter { claims($0.claim) }.map(\.member)
  }

  private mutating func compareStatements() {
    unclear += members { $0 == .undescribed }.map(\.path)
    let refused = members { $0 == .refused }
    let others = members { ![.refused, .undescribed].contains($0) }
    if let refused = refused.first, let other = others.first { contradict(refused.path, other.path) }
    let (captured, held) = (members { $0 == .captured }, members { $0 == .held })
    if let captured = captured.first, let held = held.first { contradict(captured.path, held.path) }
    (isCaptured, isHeld) = (!captured.isEmpty, !held.isEmpty)
    if !refused.isEmpty { outcome = .refused }
    for statement in record.statements {
      if case .approved(let best) = statement.claim { lower(best) }
    }
  }

  // MARK: Amounts

  private typealias Sum = (path: String, value: DecimalText)

  /// The amounts of a role that can be read.
  private func sums(_ role: ResponseRecord.Role) -> [Sum] {
    record.amounts.filter { $0.role == role }.compactMap { amount in
      value(amount.member).map { (amount.member.path, $0) }
    }
  }

  /// Nil for a sign, an exponent, or a nonzero digit beyond the currency's decimals.
  private func value(_ member: Member) -> DecimalText? {
    guard let value = DecimalText(member.text) else { return nil }
    let currency = record.currencies.first.flatMap { Currency.alphabetic($0.text) } ?? order?.terms.currency
    guard let decimals = currency?.exponent else { return value }
    return value.decimals.utf8.dropFirst(decimals).allSatisfy { $0 == UInt8(ascii: "0") } ? value : nil
  }

  private mutating func compareAmounts() {
    unclear += record.amounts.map(\.member).filter { value($0) == nil }.map(\.path)
    var whole = sums(.requested)
    let sent = order?.decimalAmount.flatMap { DecimalText($0) }
    // Other roles, and a capture of zero, say what happened to the payment later, and identify no order.
    let ofOrder = whole + sums(.authorized) + sums(.transaction) + sums(.captured).filter { !$0.value.isZero }
    if order?.terms.amount != nil {
      if ofOrder.isEmpty { uncompared.insert("amount", at: 0) }
      if sent == nil { unclear.append(Self.sent) }
    }
    if let sent {
      compared += record.amounts.map(\.member.path)
      if !isNamed { isIdentified = ofOrder.contains { !$0.value.isZero } }
      whole.insert((Self.sent, sent), at: 0)
    }
    for other in whole.dropFirst() where !other.value.isEqual(to: whole[0].value) {
      contradict(other.path, whole[0].path)
    }
    let (authorized, transaction, captured) = (sums(.authorized), sums(.transaction), sums(.captured))
    let returned = sums(.refunded) + sums(.chargedBack)
    let moved = authorized + captured + returned + sums(.disbursed)
    guard outcome != .refused else {
      // A refused payment moves no money: every amount that was moved contradicts the refusal.
      let path = members { $0 == .refused }.first?.path ?? ""
      for sum in moved where !sum.value.isZero { contradict(sum.path, path) }
      return
    }
    for sum in sums(.disbursed) where !sum.value.isZero { unclear.append(sum.path) }
    let parts = authorized + transaction
    // If the order's amount is unknown, the first transaction's amount takes its place.
    for limit in (whole + transaction).prefix(1) {
      limitSums(parts + captured + returned, to: limit)
      // Zero is not a partial amount: an approved payment cannot have an approved amount of zero.
      for sum in parts where sum.value.isZero && !limit.value.isZero { contradict(sum.path, limit.path) }
      let smaller = (parts + captured.filter { !$0.value.isZero }).contains { $0.value.isLess(than: limit.value) }
      if smaller { lower(.partial) }
    }
    for limit in authorized { limitSums(captured, to: limit) }
    for limit in captured { limitSums(returned, to: limit) }
    compareCapture(captured, transaction)
    compareReturns(returned, of: captured.first ?? whole.first ?? transaction.first)
  }

  private mutating func limitSums(_ sums: [Sum], to limit: Sum) {
    for sum in sums where limit.value.isLess(than: sum.value) { contradict(sum.path, limit.path) }
  }

  /// Compares the captured amounts with what the statements say about a capture.
  private mutating func compareCapture(_ captured: [Sum], _ transaction: [Sum]) {
    for sum in captured {
      for member in members({ $0 == .captured }) where sum.value.isZero { contradict(sum.path, member.path) }
      for member in members({ $0 == .held }) where !sum.value.isZero { contradict(sum.path, member.path) }
      if !members({ $0 == .captured }).isEmpty { limitSums(transaction, to: sum) }
      if !sum.value.isZero { isCaptured = true }
      if sum.value.isZero, !members({ $0 == .reserved }).isEmpty { isHeld = true }
    }
  }

  /// Compares whether the money was taken, or only reserved, with what the order asked for.
  private mutating func compareOperation() {
    // A refused payment neither took nor reserved money: `compareAmounts` has compared what contradicts that.
    guard let sent = order?.capture, outcome != .refused else { return }
    let sums = sums(.captured)
    let taken = members { $0 == .captured }.map(\.path) + sums.filter { !$0.value.isZero }.map(\.path)
    // What was reserved may have been captured since.
    let held =
      members { $0 == .held || $0 == .reserved && taken.isEmpty }.map(\.path)
      + sums.filter { $0.value.isZero }.map(\.path)
    if (taken + held).isEmpty { uncompared.append("capture") }
    compared += (taken + held).filter { !compared.contains($0) }
    for path in sent == .purchase ? held : taken { contradict(path, Self.sent) }
  }

  private mutating func compareReturns(_ returned: [Sum], of paid: Sum?) {
    let sums = returned.filter { !$0.value.isZero }
    guard let first = sums.first else { return }
    if sums.count > 1 { contradict(first.path, sums[1].path) }
    guard let paid else { return unclear.append(first.path) }
    lower(first.value.isLess(than: paid.value) ? .partial : .refunded)
  }
}

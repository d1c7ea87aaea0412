import Gateways
import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

/// The request that sends a payment on: `assay decrypt --output` and `assay gateway request`.
package struct OutgoingRequest {
  private let gateway: Gateway
  private let name: String?
  private let order: OrderFields
  private let choices: Choices

  /// - Parameters:
  ///   - name: the name of the body; nil takes the first that fits the order.
  ///   - order: the merchant's own order details.
  package init(to gateway: Gateway, as name: String? = nil, order: OrderFields = OrderFields(), _ choices: Choices) {
    (self.gateway, self.name, self.order, self.choices) = (gateway, name, order, choices)
  }

  /// What the caller chooses beside the order.
  package struct Choices {
    /// Which to send if request and token differ; nil refuses that.
    package var preference: OrderDifference.Choice?
    package var capture: OrderFields.Capture?
    package var operation: MastercardRequest.Operation?
    package var reference: String?

    package init() {}

    fileprivate func applied(to order: OrderFields) -> OrderFields {
      var order = order
      if let capture { (order.capture, order.operation) = (capture, nil) }
      if let operation { order.operation = operation }
      if let reference { order.reference = reference }
      return order
    }
  }

  /// Why there is no request, one sentence per reason.
  package struct Refusal: Error {
    package let messages: [String]

    fileprivate init(_ message: String) { messages = [message] }

    fileprivate init(_ error: MappingError, _ source: String) {
      let hint = [.amountDiffers, .currencyDiffers].contains(error) ? " (--prefer token or request)" : ""
      self.init("cannot be sent on: \(error.code). \(error.advice(about: source))\(hint)")
    }

    /// - Parameter amount: why the order's amount cannot be sent in any body; nil if it can.
    fileprivate init(_ problems: [BodyProblem], in body: BodyDescription, amount: Refusal?) {
      let ofAmount = problems.filter { amount != nil && $0.path == body.amountPath }
      messages =
        (ofAmount.isEmpty ? [] : amount?.messages ?? [])
        + problems.filter { !ofAmount.contains($0) }.map { problem in
          let what = problem.kind == .missing ? "is missing" : "does not conform to \(body.name)"
          return "cannot be sent on: \(Text.harmless(problem.path)) \(what). Expected: \(problem.expectation)."
        }
    }
  }

  // MARK: Decrypted tokens

  /// The body for an accepted token, its fields carried over from the request that brought it.
  ///
  /// - Parameters:
  ///   - keys: those that opened it, under `policy`.
  ///   - isEnclosed: whether the token itself is sent on instead of its decrypted data.
  ///   - remarks: receives what the body changes or omits.
  package func body(
    for outcome: DecryptOutcome, by keys: MerchantKeySet, under policy: VerificationPolicy, request: [UInt8],
    isEnclosed: Bool = false, _ remarks: inout [String]
  ) throws(Refusal) -> OutgoingBody {
    switch outcome {
    case .accepted(let token, _):
      let body = try body(
        for: token, by: keys, from: policy.envelope, request: request, isEnclosed: isEnclosed, &remarks)
      Self.remarkAge(policy.freshness, &remarks)
      if token.isFromSandbox { remarks.append(DecryptOutcome.sandboxRemark) }
      return body
    case .unsigned: throw Refusal("cannot be sent on: nobody signed the token.")
    case .rejected(let fault): throw Refusal("rejected: \(fault.description). \(fault.code.advice)")
    case .undecided(_, let reason): throw Refusal(outcome.indecision ?? reason)
    }
  }

  private func body(
    for token: DecryptedToken, by keys: MerchantKeySet, from envelope: EnvelopeSelection, request: [UInt8],
    isEnclosed: Bool, _ remarks: inout [String]
  ) throws(Refusal) -> OutgoingBody {
    var order = try orderFields(of: request, in: Envelope.named(token.envelope), &remarks)
    var overridden: [OrderDifference] = []
    if choices.preference == nil {
      try checkMerchant(order, token, keys)
    } else {
      overridden = Self.differences(order, token, keys)
    }
    guard isEnclosed else {
      return try made(of: .opened(token, preferring: choices.preference), order, overriding: overridden, &remarks)
    }
    if order.terms.amount == nil {
      remarks.append("neither the order nor the request names an amount: none was compared with the token's.")
    }
    if case .emv = token.payment.paymentData {
      remarks.append("the payment has the type EMV: \(gateway.nameInText) describes only 3DSecure.")
    }
    if choices.preference == .token, let merchant = order.merchantIdentifier,
      keys.isToken(token, of: merchant) != true
    {
      order.merchantIdentifier = keys.merchantID(of: token)
    }
    do {
      order = try order.resolved(with: token.payment, preferring: choices.preference)
    } catch {
      throw refusal(error)
    }
    let enclosed = try Self.token(in: request, from: envelope).token
    return try made(of: .token(enclosed), order, overriding: overridden, &remarks)
  }

  /// Warns that the token's age was not checked, since the request cannot say so.
  private static func remarkAge(_ freshness: Freshness, _ remarks: inout [String]) {
    switch freshness {
    case .signingTime: remarks.append(DecryptOutcome.archivalRemark)
    case .windowOff:
      remarks.append("--window off: the signing time was not checked. The token may have been used already.")
    case .window: break
    }
  }

  // MARK: Encrypted tokens, or none

  /// The body for a token that was not opened.
  package func body(
    enclosing request: [UInt8], from envelope: EnvelopeSelection, _ remarks: inout [String]
  ) throws(Refusal) -> OutgoingBody {
    let found = try Self.token(in: request, from: envelope)
    let order = try orderFields(of: request, in: Envelope.named(found.envelope), &remarks)
    return try made(of: .token(found.token), order, &remarks)
  }

  /// The body without a token.
  package func body(_ remarks: inout [String]) throws(Refusal) -> OutgoingBody {
    try made(of: .nothing, choices.applied(to: order), &remarks)
  }

  private static func token(
    in request: [UInt8], from envelope: EnvelopeSelection
  ) throws(Refusal) -> (token: EnclosedToken, envelope: String) {
    do {
      return try EnclosedToken.found(in: request.span, from: envelope)
    } catch {
      throw Refusal("rejected: \(error.description). \(error.code.advice)")
    }
  }

  /// - Parameter overridden: the differences between order and token that the caller's choice overrides.
  private func made(
    of material: BodyMaterial, _ order: OrderFields, overriding overridden: [OrderDifference] = [],
    _ remarks: inout [String]
  ) throws(Refusal) -> OutgoingBody {
    let body: OutgoingBody?
    do {
      body = try gateway.body(of: material, order, as: name)
    } catch {
      throw refusal(error)
    }
    guard let body else { throw Refusal("cannot be sent on: \(gateway.name) has no such request.") }
    guard body.problems.isEmpty else {
      let amount = order.amountError.map { refusal(MappingError($0)) }
      throw Refusal(body.problems, in: body.body, amount: amount)
    }
    // The number alone is sent: the gateway would take it in the currency of the account.
    if body.body.omitsCurrency, let currency = order.terms.currency, !gateway.currencies.isEmpty,
      !gateway.currencies.contains(currency)
    {
      let known = gateway.currencies.map(\.alphabeticCode).listed("or")
      throw Refusal(
        "cannot be sent on: the amount is in \(currency.alphabeticCode), and accounts of \(gateway.nameInText) are in \(known)."
      )
    }
    for source in ["order", "request"] {
      let fields = overridden.filter { self.source(of: $0) == source }.map(\.rawValue)
      guard !fields.isEmpty else { continue }
      remarks.append("sent on although the \(source) and the token differ in \(fields.joined(separator: ", ")).")
    }
    remarkOmitted(of: material, order, in: body, &remarks)
    return body
  }

  // MARK: Order details

  /// The fields of an order, and how to remove each.
  private static let members: [(name: String, remove: @Sendable (inout OrderFields) -> Void)] = [
    ("reference", { $0.reference = nil }), ("summary", { $0.summary = nil }), ("capture", { $0.capture = nil }),
    ("paymentIdentifier", { $0.paymentIdentifier = nil }), ("customerIdentifier", { $0.customerIdentifier = nil }),
    ("merchantIdentifier", { $0.merchantIdentifier = nil }), ("billingContact", { $0.billingContact = nil }),
    ("shippingContact", { $0.shippingContact = nil }), ("telephoneNumber", { $0.telephoneNumber = nil }),
    ("phoneModel", { $0.phoneModel = nil }), ("terminalLocation", { $0.terminalLocation = nil }),
    ("returnAddress", { $0.returnAddress = nil }), ("notificationAddress", { $0.notificationAddress = nil }),
    ("locale", { $0.locale = nil }),
    ("amount", { $0.terms = RequestTerms(amount: nil, currency: nil) }),
  ]

  /// Reports the order details that this request has no member for.
  private func remarkOmitted(
    of material: BodyMaterial, _ sent: OrderFields, in body: OutgoingBody, _ remarks: inout [String]
  ) {
    let own = choices.applied(to: order)
    let unsent = Self.members.filter { member in
      var (without, others) = (own, sent)
      member.remove(&without)
      member.remove(&others)
      guard without != own, others != sent else { return false }
      // An authorization is the default, and so is the amount of a decrypted token.
      if member.name == "capture", own.capture == .authorization { return false }
      if member.name == "amount", case .opened = material { return false }
      return (try? gateway.body(of: material, others, as: body.body.name))?.text == body.text
    }
    if !unsent.isEmpty {
      remarks.append("\(body.body.name) has no member for \(unsent.map(\.name).joined(separator: ", ")): not sent.")
    }
    if body.body.omitsCurrency, let currency = sent.terms.currency {
      remarks.append(
        "\(body.body.name) names no currency: the amount is in \(currency.alphabeticCode), which must be the currency of the account."
      )
    }
  }

  /// All differences that the caller's choice overrides. There may be more than the caller knows of.
  private static func differences(_ order: OrderFields, _ token: DecryptedToken, _ keys: MerchantKeySet)
    -> [OrderDifference]
  {
    var differences = order.differences(from: token.payment)
    if let merchant = order.merchantIdentifier, keys.isToken(token, of: merchant) != true {
      differences.append(.merchant)
    }
    return differences
  }

  /// The origin of a field beside the token: the merchant's own order, or the request that contains the token.
  private func source(of field: OrderDifference) -> String {
    let isOrder =
      switch field {
      case .amount: order.terms.amount != nil
      case .currency: order.terms.currency != nil
      case .merchant: order.merchantIdentifier != nil
      default: order.paymentIdentifier != nil
      }
    return isOrder ? "order" : "request"
  }

  private func refusal(_ error: MappingError) -> Refusal {
    switch error {
    case .currencyDiffers, .requestWithoutAmount(nil): Refusal(error, source(of: .currency))
    default: Refusal(error, source(of: .amount))
    }
  }

  private func checkMerchant(
    _ order: OrderFields, _ token: DecryptedToken, _ keys: MerchantKeySet
  ) throws(Refusal) {
    guard let merchant = order.merchantIdentifier else { return }
    switch keys.isToken(token, of: merchant) {
    case true?: return
    case false?:
      throw Refusal(
        "cannot be sent on: merchantDiffers. The \(source(of: .merchant)) names another merchant than the one whose key opened the token: "
          + "find out why, or say which to send. (--prefer token or request)")
    case nil:
      throw Refusal(
        "cannot be sent on: merchantUnknown. The \(source(of: .merchant)) names a merchant, and the one of the key is not "
          + "known: give its certificate, or --merchant-id KEYFILE=ID.")
    }
  }

  /// The order details of the request, overridden by the order's own fields and the caller's choices.
  private func orderFields(
    of request: [UInt8], in envelope: Envelope?, _ remarks: inout [String]
  ) throws(Refusal) -> OrderFields {
    guard let envelope else { return choices.applied(to: order) }
    let details: OrderFields
    do {
      details = try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal("cannot be sent on: \(error.sentence()).")
    }
    if envelope == .mpgs, (try? JSON(reading: request.span))?["responseControls"]?["sensitiveData"] != nil {
      remarks.append("responseControls.sensitiveData is not carried over: add it to ask for account numbers in full.")
    }
    let differences = order.differences(from: details).map(\.rawValue)
    guard differences.isEmpty else {
      if differences.contains(OrderDifference.amount.rawValue), let error = details.amountError {
        throw Refusal(MappingError(error), "request")
      }
      throw Refusal(
        "cannot be sent on: the order and the request that brought the token differ in "
          + "\(differences.joined(separator: ", ")). Find out why, or leave it out of the order.")
    }
    return choices.applied(to: details.overlaid(by: order))
  }
}

extension MerchantKeySet {
  /// The identifier of the merchant whose key opened the token; nil if neither its certificate nor the caller names it.
  fileprivate func merchantID(of token: DecryptedToken) -> String? {
    guard let index = index(of: token.publicKeyHash, for: token.version) else { return nil }
    let name = self[index].merchantID ?? self[index].certificate?.merchantID
    return name.flatMap { isKey(at: index, of: $0) == true ? $0 : nil }
  }
}

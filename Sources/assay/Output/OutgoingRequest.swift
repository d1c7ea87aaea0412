import Descriptions
import Gateways
import HostIO
import PaymentToken
import Reports
import StrictJSON

/// The request that sends a payment on: `assay decrypt --output` and `assay gateway request`.
struct OutgoingRequest {
  let gateway: Gateway
  /// The name of the body; nil takes the first that fits the order.
  var name: String?
  /// The merchant's own order details.
  var order = OrderFields()
  let choices: Choices

  /// The gateways that accept decrypted data, for which `decrypt --output` writes requests.
  static let gateways = Gateway.all.filter(\.takesOpenedTokens)
  static let outputs = gateways.map(\.name).listed("and")

  struct Choices {
    /// Which to send if request and token differ; nil refuses that.
    var preference: OrderDifference.Choice?
    var capture: OrderFields.Capture?
    var operation: MastercardRequest.Operation?
    var reference: String?

    static let definitions: [OptionDefinition] = [
      .choice(
        "--prefer", OrderDifference.Choice.allCases.map(\.rawValue),
        "which to send if the token and the request differ (default: refuse)"),
      .choice(
        "--capture", OrderFields.Capture.allCases.map(\.rawValue),
        "only authorize, or take the money at once (default: as in the request)"),
      .choice(
        "--operation", operations.map(\.word),
        "operation to request from \(Gateway.mpgs.nameInText) (default: as in the request)"
      ),
      .value("--reference", "TEXT", "the merchant's order reference (default: as in the request)"),
    ]

    private static let operations: [(word: String, operation: MastercardRequest.Operation)] = [
      ("authorize", .authorize), ("pay", .pay), ("update-session", .updateSession),
    ]

    /// - Parameter gateway: the recipient of the request; nil without a request.
    /// - Throws: `CommandError` for choices that contradict each other or do not apply to the output.
    init(_ arguments: ParsedArguments, for gateway: Gateway?) throws(CommandError) {
      preference = arguments.choice("--prefer")
      capture = arguments.choice("--capture")
      let word = arguments.value("--operation")
      operation = Self.operations.first { $0.word == word }?.operation
      reference = arguments.value("--reference")
      for option in ["--prefer", "--capture", "--operation", "--reference"]
      where gateway == nil && arguments.value(option) != nil {
        throw .usage("\(option) is for --output \(OutgoingRequest.outputs).")
      }
      if operation != nil, gateway?.id != .mpgs {
        throw .usage("--operation is for \(Gateway.mpgs.nameInText), \(Gateway.mpgs.name).")
      }
      if reference?.isEmpty == true { throw .usage("--reference must not be empty.") }
      if preference == .request {
        for option in ["--expect-amount", "--expect-currency"] {
          guard let expected = arguments.value(option), expected != RequestExpectations.word else { continue }
          throw .usage("\(option) is about the token: with --prefer request what is sent on might be another.")
        }
      }
      if operation != nil, capture != nil { throw .usage("--operation and --capture exclude each other.") }
    }

    func applied(to order: OrderFields) -> OrderFields {
      var order = order
      if let capture { (order.capture, order.operation) = (capture, nil) }
      if let operation { order.operation = operation }
      if let reference { order.reference = reference }
      return order
    }
  }

  /// Why there is no request, one sentence per reason.
  struct Refusal: Error {
    let messages: [String]

    init(_ message: String) { messages = [message] }

    /// - Parameter amount: why the order's amount cannot be sent in any body; nil if it can.
    init(_ problems: [BodyProblem], in body: BodyDescription, amount: Refusal?) {
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
  ///   - isEnclosed: whether the token itself is sent on instead of its decrypted data.
  ///   - remarks: receives what the body changes or omits.
  func body(
    for outcome: DecryptOutcome, of verifier: Verifier, request: [UInt8], isEnclosed: Bool = false,
    _ remarks: inout Remarks
  ) throws(Refusal) -> OutgoingBody {
    switch outcome {
    case .accepted(let token, _):
      let body = try body(for: token, of: verifier, request: request, isEnclosed: isEnclosed, &remarks)
      Self.remarkAge(verifier.policy.freshness, &remarks)
      if token.isFromSandbox { remarks.tell(DecryptOutcome.sandboxRemark) }
      return body
    case .unsigned: throw Refusal("cannot be sent on: nobody signed the token.")
    case .rejected(let fault): throw Refusal("rejected: \(fault.description). \(fault.code.advice)")
    case .undecided(_, let reason): throw Refusal(outcome.indecision ?? reason)
    }
  }

  private func body(
    for token: DecryptedToken, of verifier: Verifier, request: [UInt8], isEnclosed: Bool, _ remarks: inout Remarks
  ) throws(Refusal) -> OutgoingBody {
    var order = try orderFields(of: request, in: Envelope.named(token.envelope), &remarks)
    var overridden: [OrderDifference] = []
    if choices.preference == nil {
      try checkMerchant(order, token, verifier)
    } else {
      overridden = Self.differences(order, token, verifier)
    }
    guard isEnclosed else {
      return try made(of: .opened(token, preferring: choices.preference), order, overriding: overridden, &remarks)
    }
    if order.terms.amount == nil {
      remarks.tell("neither the order nor the request names an amount: none was compared with the token's.")
    }
    if case .emv = token.payment.paymentData {
      remarks.tell("the payment has the type EMV: \(gateway.nameInText) describes only 3DSecure.")
    }
    if choices.preference == .token, let merchant = order.merchantIdentifier,
      verifier.isToken(token, of: merchant) != true
    {
      order.merchantIdentifier = verifier.merchantID(of: token)
    }
    do {
      order = try order.resolved(with: token.payment, preferring: choices.preference)
    } catch {
      throw refusal(error)
    }
    let enclosed = try Self.token(in: request, from: verifier.policy.envelope).token
    return try made(of: .token(enclosed), order, overriding: overridden, &remarks)
  }

  /// Warns that the token's age was not checked, since the request cannot say so.
  private static func remarkAge(_ freshness: Freshness, _ remarks: inout Remarks) {
    switch freshness {
    case .signingTime: remarks.tell(DecryptOutcome.archivalRemark)
    case .windowOff:
      remarks.tell("--window off: the signing time was not checked. The token may have been used already.")
    case .window: break
    }
  }

  // MARK: Encrypted tokens, or none

  func body(
    enclosing request: [UInt8], from envelope: EnvelopeSelection, _ remarks: inout Remarks
  ) throws(Refusal) -> OutgoingBody {
    let found = try Self.token(in: request, from: envelope)
    let order = try orderFields(of: request, in: Envelope.named(found.envelope), &remarks)
    return try made(of: .token(found.token), order, &remarks)
  }

  func body(_ remarks: inout Remarks) throws(Refusal) -> OutgoingBody {
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
    _ remarks: inout Remarks
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
      remarks.tell("sent on although the \(source) and the token differ in \(fields.joined(separator: ", ")).")
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
    of material: BodyMaterial, _ sent: OrderFields, in body: OutgoingBody, _ remarks: inout Remarks
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
      remarks.tell("\(body.body.name) has no member for \(unsent.map(\.name).joined(separator: ", ")): not sent.")
    }
    if body.body.omitsCurrency, let currency = sent.terms.currency {
      remarks.tell(
        "\(body.body.name) names no currency: the amount is in \(currency.alphabeticCode), which must be the currency of the account."
      )
    }
  }

  /// All differences that the caller's choice overrides. There may be more than the caller knows of.
  private static func differences(_ order: OrderFields, _ token: DecryptedToken, _ verifier: Verifier)
    -> [OrderDifference]
  {
    var differences = order.differences(from: token.payment)
    if let merchant = order.merchantIdentifier, verifier.isToken(token, of: merchant) != true {
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
    _ order: OrderFields, _ token: DecryptedToken, _ verifier: Verifier
  ) throws(Refusal) {
    guard let merchant = order.merchantIdentifier else { return }
    switch verifier.isToken(token, of: merchant) {
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
    of request: [UInt8], in envelope: Envelope?, _ remarks: inout Remarks
  ) throws(Refusal) -> OrderFields {
    guard let envelope else { return choices.applied(to: order) }
    let details: OrderFields
    do {
      details = try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal("cannot be sent on: \(error.sentence).")
    }
    if envelope == .mpgs, (try? JSON(reading: request.span))?["responseControls"]?["sensitiveData"] != nil {
      remarks.tell("responseControls.sensitiveData is not carried over: add it to ask for account numbers in full.")
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

extension OutgoingRequest.Refusal {
  fileprivate init(_ error: MappingError, _ source: String) {
    let hint = [.amountDiffers, .currencyDiffers].contains(error) ? " (--prefer token or request)" : ""
    self.init("cannot be sent on: \(error.code). \(error.advice(about: source))\(hint)")
  }
}

/// The command that sends a body, with placeholders in braces for the merchant's own values.
enum CurlCommand {
  /// The body goes through standard input, since everyone on the machine can see the words of a command.
  static func text(_ body: OutgoingBody) -> String {
    guard let endpoint = body.body.endpoint else { return String(decoding: body.text, as: UTF8.self) + "\n" }
    let headers = endpoint.headers.map { "--header \(ShellWord.quoted($0))" }
    let words =
      ["curl --fail-with-body --request \(endpoint.method)"] + headers
      + ["--data-binary @- \(ShellWord.quoted(endpoint.address)) <<'\(end)'"]
    return words.joined(separator: " \\\n  ") + "\n" + String(decoding: body.text, as: UTF8.self) + "\n\(end)\n"
  }

  /// No line of a JSON document equals this word.
  private static let end = "END-OF-BODY"
}

extension RequestError {
  /// What is wrong with the request, without a full stop and without its content.
  var sentence: String { sentence(of: "request") }

  /// What is wrong with a request, a response or an order, without a full stop and without its content.
  func sentence(of text: String) -> String {
    switch self {
    case .repeatedName(let path): "the \(text) has \(path) twice"
    case .wrongType(let path): "the \(text)'s \(path) is of the wrong type"
    case .unknownValue(let path): "the \(text)'s \(path) has a value that its gateway does not describe"
    case .contradiction(let path, let other): "the \(text)'s \(path) and \(other) differ"
    case .unknownCurrency(let path): "the \(text)'s \(path) is no currency of ISO 4217"
    case .missing(let path): "the \(text) has no \(path)"
    case .invalidAmount(let error): "the \(text)'s amount is not valid: \(error.reason)"
    case .malformed: "the \(text) cannot be read"
    case .noAmount: "the \(text) names no amount beside the token"
    case .otherCurrency: "the \(text) names another currency than --expect-currency"
    case .noCurrency: "the \(text) names no currency beside the token"
    }
  }
}

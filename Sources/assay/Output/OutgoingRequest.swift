import Descriptions
import Gateways
import HostIO
import PaymentToken
import Reports

/// The request in which a payment is sent on: `assay decrypt --output` and `assay gateway request`.
struct OutgoingRequest {
  let gateway: Gateway
  /// Which of its bodies; nil takes the one that the order asks for.
  var name: String?
  /// What the merchant's own program says of the order.
  var order = OrderFields()
  let choices: Choices

  /// Those that take what a token held: they are what `decrypt --output` can write for.
  static let gateways = Gateway.all.filter(\.takesOpenedTokens)
  /// Their names, for sentences.
  static let outputs = gateways.map(\.name).listed("and")

  /// What the caller says of the request, beyond what came with the token.
  struct Choices {
    /// Which counts where request and token differ; nil refuses that.
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

    /// - Parameter gateway: where the request goes; nil for nowhere.
    /// - Throws: `UsageError` for choices that contradict each other, or that no output has a use for.
    init(_ arguments: ParsedArguments, for gateway: Gateway?) throws(UsageError) {
      preference = arguments.value("--prefer").flatMap(OrderDifference.Choice.init(rawValue:))
      capture = arguments.value("--capture").flatMap(OrderFields.Capture.init(rawValue:))
      let word = arguments.value("--operation")
      operation = Self.operations.first { $0.word == word }?.operation
      reference = arguments.value("--reference")
      for option in ["--prefer", "--capture", "--operation", "--reference"]
      where gateway == nil && arguments.value(option) != nil {
        throw UsageError("\(option) is for --output \(OutgoingRequest.outputs).")
      }
      if operation != nil, gateway?.id != .mpgs {
        throw UsageError("--operation is for \(Gateway.mpgs.nameInText), \(Gateway.mpgs.name).")
      }
      if reference?.isEmpty == true { throw UsageError("--reference is not empty.") }
      if preference == .request {
        for option in ["--expect-amount", "--expect-currency"] {
          guard let expected = arguments.value(option), expected != RequestExpectations.word else { continue }
          throw UsageError("\(option) is about the token: with --prefer request what is sent on might be another.")
        }
      }
      if operation != nil, capture != nil { throw UsageError("--operation and --capture exclude each other.") }
    }

    /// The order's fields as chosen.
    func applied(to order: OrderFields) -> OrderFields {
      var order = order
      if let capture { (order.capture, order.operation) = (capture, nil) }
      if let operation { order.operation = operation }
      if let reference { order.reference = reference }
      return order
    }
  }

  /// Why there is none; a sentence each.
  struct Refusal: Error {
    let messages: [String]

    init(_ message: String) { messages = [message] }

    init(_ problems: [BodyProblem], in body: BodyDescription) {
      messages = problems.map { problem in
        let what = problem.kind == .missing ? "is missing" : "is not as \(body.name) has it"
        return "cannot be sent on: \(Text.harmless(problem.path)) \(what). Expected: \(problem.expectation)."
      }
    }
  }

  // MARK: Of an opened token

  /// The body for an accepted token, its fields carried over from the request that brought it.
  ///
  /// - Parameter isEnclosed: whether the token itself is sent on, not what it held.
  func body(
    for outcome: DecryptOutcome, of verifier: Verifier, request: [UInt8], isEnclosed: Bool = false
  ) throws(Refusal) -> OutgoingBody {
    switch outcome {
    case .accepted(let token, _):
      let body = try body(for: token, of: verifier, request: request, isEnclosed: isEnclosed)
      Self.remarkAge(verifier.policy.freshness)
      return body
    case .unsigned: throw Refusal("cannot be sent on: nobody signed the token.")
    case .rejected(let fault): throw Refusal("rejected: \(fault.description). \(fault.code.advice)")
    }
  }

  private func body(
    for token: DecryptedToken, of verifier: Verifier, request: [UInt8], isEnclosed: Bool
  ) throws(Refusal) -> OutgoingBody {
    var order = try orderFields(of: request, in: Envelope.named(token.envelope))
    if choices.preference == nil {
      try Self.checkMerchant(order, token, verifier)
    } else {
      Self.remark(order, token, verifier)
    }
    guard isEnclosed else { return try made(of: .opened(token, preferring: choices.preference), order) }
    // The key's own identifier is known as a hash only.
    if choices.preference == .token, let merchant = order.merchantIdentifier,
      verifier.isToken(token, of: merchant) != true
    {
      order.merchantIdentifier = nil
    }
    do {
      order = try order.resolved(with: token.payment, preferring: choices.preference)
    } catch {
      throw Refusal(error)
    }
    return try made(of: .token(try Self.token(in: request, from: verifier.policy.envelope).token), order)
  }

  /// Where nobody has asked how old the token is, the request cannot say it, and even --quiet does not silence it.
  private static func remarkAge(_ freshness: Freshness) {
    switch freshness {
    case .signingTime: DecryptOutcome.remarkArchival()
    case .windowOff:
      Console.remark("--window off: when the token was signed was not asked. It may have been paid with already.")
    case .window: break
    }
  }

  // MARK: Of a token that is not opened, or of none

  /// The body around a token as it came.
  func body(enclosing request: [UInt8], from envelope: EnvelopeSelection) throws(Refusal) -> OutgoingBody {
    let found = try Self.token(in: request, from: envelope)
    return try made(of: .token(found.token), try orderFields(of: request, in: Envelope.named(found.envelope)))
  }

  /// The body for the order alone.
  func body() throws(Refusal) -> OutgoingBody { try made(of: .nothing, choices.applied(to: order)) }

  private static func token(
    in request: [UInt8], from envelope: EnvelopeSelection
  ) throws(Refusal) -> (token: EnclosedToken, envelope: String) {
    do {
      return try EnclosedToken.found(in: request.span, from: envelope)
    } catch {
      throw Refusal("rejected: \(error.description). \(error.code.advice)")
    }
  }

  private func made(of material: BodyMaterial, _ order: OrderFields) throws(Refusal) -> OutgoingBody {
    let body: OutgoingBody?
    do {
      body = try gateway.body(of: material, order, as: name)
    } catch {
      throw Refusal(error)
    }
    guard let body else { throw Refusal("cannot be sent on: \(gateway.name) has no such request.") }
    guard body.problems.isEmpty else { throw Refusal(body.problems, in: body.body) }
    remarkUnsent(of: material, order, in: body)
    return body
  }

  // MARK: What beside the token is sent on

  /// What the merchant can say of an order, and how it is unsaid.
  private static let members: [(name: String, unsay: @Sendable (inout OrderFields) -> Void)] = [
    ("reference", { $0.reference = nil }), ("summary", { $0.summary = nil }), ("capture", { $0.capture = nil }),
    ("paymentIdentifier", { $0.paymentIdentifier = nil }), ("customerIdentifier", { $0.customerIdentifier = nil }),
    ("merchantIdentifier", { $0.merchantIdentifier = nil }), ("billingContact", { $0.billingContact = nil }),
    ("shippingContact", { $0.shippingContact = nil }), ("telephoneNumber", { $0.telephoneNumber = nil }),
    ("phoneModel", { $0.phoneModel = nil }), ("terminalLocation", { $0.terminalLocation = nil }),
    ("returnAddress", { $0.returnAddress = nil }), ("notificationAddress", { $0.notificationAddress = nil }),
    ("locale", { $0.locale = nil }),
    ("amount", { $0.terms = RequestTerms(amount: nil, currency: nil) }),
  ]

  /// Says what the merchant said and this request has no place for.
  private func remarkUnsent(of material: BodyMaterial, _ sent: OrderFields, in body: OutgoingBody) {
    let own = choices.applied(to: order)
    let unsent = Self.members.filter { member in
      var (without, others) = (own, sent)
      member.unsay(&without)
      member.unsay(&others)
      guard without != own, others != sent else { return false }
      // An authorization is what is asked for where nothing is said, and an opened token's amount where the order says none.
      if member.name == "capture", own.capture == .authorization { return false }
      if member.name == "amount", case .opened = material { return false }
      return (try? gateway.body(of: material, others, as: body.body.name))?.text == body.text
    }
    if !unsent.isEmpty {
      Console.remark("\(body.body.name) has no place for \(unsent.map(\.name).joined(separator: ", ")): not sent.")
    }
    if body.body.omitsCurrency, let currency = sent.terms.currency {
      Console.remark(
        "\(body.body.name) names no currency: the amount is in \(currency.alphabeticCode), and so must the account be.")
    }
  }

  /// Says what the caller's choice passes over: the difference that was meant may not be the only one.
  private static func remark(_ order: OrderFields, _ token: DecryptedToken, _ verifier: Verifier) {
    var differences = order.differences(from: token.payment).map(\.rawValue)
    if let merchant = order.merchantIdentifier, verifier.isToken(token, of: merchant) != true {
      differences.append(OrderDifference.merchant.rawValue)
    }
    guard !differences.isEmpty else { return }
    Console.remark("sent on although request and token differ in \(differences.joined(separator: ", ")).")
  }

  private static func checkMerchant(
    _ order: OrderFields, _ token: DecryptedToken, _ verifier: Verifier
  ) throws(Refusal) {
    guard let merchant = order.merchantIdentifier else { return }
    switch verifier.isToken(token, of: merchant) {
    case true?: return
    case false?:
      throw Refusal(
        "cannot be sent on: merchantDiffers. The request names another merchant than the one whose key opened the token: "
          + "find out why, or say which of the two counts. (--prefer token or request)")
    case nil:
      throw Refusal(
        "cannot be sent on: merchantUnknown. The request names a merchant, and the one of the key is not known: give its "
          + "certificate, or --merchant-id KEYFILE=ID.")
    }
  }

  /// What the request says beside the token, with the order's own fields and the caller's choices in their places.
  private func orderFields(of request: [UInt8], in envelope: Envelope?) throws(Refusal) -> OrderFields {
    guard let envelope else { return choices.applied(to: order) }
    let besides: OrderFields
    do {
      besides = try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal("cannot be sent on: \(error.sentence).")
    }
    let differences = order.differences(from: besides).map(\.rawValue)
    guard differences.isEmpty else {
      throw Refusal(
        "cannot be sent on: the order and the request that brought the token differ in "
          + "\(differences.joined(separator: ", ")). Find out why, or leave it out of the order.")
    }
    return choices.applied(to: besides.overlaid(by: order))
  }
}

extension OutgoingRequest.Refusal {
  /// Why an opened token cannot be sent on as card data.
  init(_ error: MappingError) {
    let hint = [.amountDiffers, .currencyDiffers].contains(error) ? " (--prefer token or request)" : ""
    self.init("cannot be sent on: \(error.rawValue). \(error.advice)\(hint)")
  }
}

/// The command that sends a body, for people to copy: words in braces stand for what is the merchant's.
enum CurlCommand {
  /// The body comes by standard input: a word of a command is seen by everyone on the machine.
  static func text(_ body: OutgoingBody) -> String {
    guard let endpoint = body.body.endpoint else { return String(decoding: body.text, as: UTF8.self) + "\n" }
    let headers = endpoint.headers.map { "--header \(ShellWord.quoted($0))" }
    let words =
      ["curl --fail-with-body --request \(endpoint.method)"] + headers
      + ["--data-binary @- \(ShellWord.quoted(endpoint.address)) <<'\(end)'"]
    return words.joined(separator: " \\\n  ") + "\n" + String(decoding: body.text, as: UTF8.self) + "\n\(end)\n"
  }

  /// No line of JSON is like it.
  private static let end = "END-OF-BODY"
}

extension RequestError {
  /// What is wrong with the request, without a full stop; nothing of what it holds.
  var sentence: String { sentence(of: "request") }

  /// What is wrong with a request, an answer or an order, called so, without a full stop; nothing of what it holds.
  func sentence(of text: String) -> String {
    switch self {
    case .repeatedName(let path): "the \(text) has \(path) twice"
    case .wrongType(let path): "the \(text)'s \(path) is of the wrong type"
    case .unknownValue(let path): "the \(text)'s \(path) has a value that its gateway does not describe"
    case .contradiction(let path, let other): "the \(text)'s \(path) and \(other) differ"
    case .unknownCurrency(let path): "the \(text)'s \(path) is no currency of ISO 4217"
    case .missing(let path): "the \(text) has no \(path)"
    case .invalidAmount: "the \(text)'s amount is not one of its currency"
    case .malformed: "the \(text) cannot be read"
    case .noAmount: "the \(text) names no amount beside the token"
    case .otherCurrency: "the \(text) names another currency than --expect-currency"
    case .noCurrency: "the \(text) names no currency beside the token"
    }
  }
}

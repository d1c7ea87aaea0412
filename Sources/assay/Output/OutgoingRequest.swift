import Gateways
import PaymentToken

/// The requests in which `assay decrypt --output` sends a payment on.
enum OutgoingRequest {
  case worldline, mastercard

  /// What the caller says of the request, beyond what came with the token.
  struct Choices {
    /// Which counts where request and token differ; nil refuses that.
    var counting: OrderDifference.Choice?
    var capture: OrderFields.Capture?
    var operation: MastercardRequest.Operation?
    var reference: String?

    static let definitions: [OptionDefinition] = [
      .choice(
        "--counts", OrderDifference.Choice.allCases.map(\.rawValue),
        "which is sent on where the two say different things (default: neither)"),
      .choice(
        "--capture", OrderFields.Capture.allCases.map(\.rawValue),
        "whether what is sent on takes the money (default: as the request says)"),
      .choice(
        "--operation", operations.map(\.word), "what the Mastercard Gateway is asked for (default: as the request says)"
      ),
      .value("--reference", "TEXT", "the merchant's name for the order (default: the request's)"),
    ]

    private static let operations: [(word: String, operation: MastercardRequest.Operation)] = [
      ("authorize", .authorize), ("pay", .pay), ("update-session", .updateSession),
    ]

    /// - Throws: `UsageError` for choices that contradict each other, or that no output has a use for.
    init(_ arguments: ParsedArguments, for output: DecryptCommand.Output) throws(UsageError) {
      counting = arguments.value("--counts").flatMap(OrderDifference.Choice.init(rawValue:))
      capture = arguments.value("--capture").flatMap(OrderFields.Capture.init(rawValue:))
      let word = arguments.value("--operation")
      operation = Self.operations.first { $0.word == word }?.operation
      reference = arguments.value("--reference")
      let isSentOn = output == .worldline || output == .mpgs
      for option in ["--counts", "--capture", "--operation", "--reference"]
      where !isSentOn && arguments.value(option) != nil {
        throw UsageError("\(option) is for --output worldline and mpgs.")
      }
      if operation != nil, output == .worldline { throw UsageError("--operation is for --output mpgs.") }
      if reference?.isEmpty == true { throw UsageError("--reference is not empty.") }
      if counting == .request {
        for option in ["--expect-amount", "--expect-currency"] {
          guard let expected = arguments.value(option), expected != RequestExpectations.word else { continue }
          throw UsageError("\(option) is about the token: with --counts request what is sent on might be another.")
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

  /// Why there is none, a sentence.
  struct Refusal: Error {
    let message: String
  }

  /// The body for an accepted token, its fields carried over from the request that brought it.
  static func body(
    _ target: OutgoingRequest, for outcome: DecryptOutcome, of verifier: Verifier, request: [UInt8], _ choices: Choices
  ) -> Result<[UInt8], Refusal> {
    switch outcome {
    case .accepted(let token, _):
      do {
        let order = choices.applied(to: try orderFields(of: request, in: token.envelope))
        if choices.counting == nil { try checkMerchant(order, token, verifier) } else { remark(order, token, verifier) }
        return .success(try target.json(token, order, choices).text())
      } catch {
        return .failure(error)
      }
    case .unsigned:
      return .failure(Refusal(message: "cannot be sent on: nobody signed the token."))
    case .rejected(let fault):
      return .failure(Refusal(message: "rejected: \(fault.description). \(fault.code.advice)"))
    }
  }

  private func json(_ token: DecryptedToken, _ order: OrderFields, _ choices: Choices) throws(Refusal) -> JSONValue {
    do {
      return switch self {
      case .worldline: try WorldlinePayment(token, order, counting: choices.counting).json
      case .mastercard: try MastercardPayment(token, order, counting: choices.counting).json
      }
    } catch {
      let hint = [.amountDiffers, .currencyDiffers].contains(error) ? " (--counts token or request)" : ""
      throw Refusal(message: "cannot be sent on: \(error.rawValue). \(error.advice)\(hint)")
    }
  }

  /// Says what the caller's choice passes over: the difference that was meant may not be the only one.
  private static func remark(_ order: OrderFields, _ token: DecryptedToken, _ verifier: Verifier) {
    var differences = order.differences(from: token.payment).map(\.rawValue)
    if let merchant = order.merchantIdentifier, verifier.isToken(token, of: merchant) != true {
      differences.append("merchant")
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
        message:
          "cannot be sent on: merchantDiffers. The request names another merchant than the one whose key opened the token: "
          + "find out why, or say which of the two counts. (--counts token or request)")
    case nil:
      throw Refusal(
        message:
          "cannot be sent on: merchantUnknown. The request names a merchant, and the one of the key is not known: give its "
          + "certificate, or --merchant-id KEYFILE=ID.")
    }
  }

  private static func orderFields(of request: [UInt8], in envelope: String) throws(Refusal) -> OrderFields {
    guard let envelope = Envelope.named(envelope) else { return OrderFields() }
    do {
      return try OrderFields(of: request.span, in: envelope)
    } catch {
      throw Refusal(message: "cannot be sent on: \(error.sentence).")
    }
  }
}

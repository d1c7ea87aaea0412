import Descriptions
import Explanation
import Gateways
import HostIO
import PaymentToken
import Reports

enum GatewayRequestCommand: Command {
  private static let known = Gateway.all.filter { !$0.outgoingBodies.isEmpty }

  static let definition = CommandDefinition(
    path: ["gateway", "request"], summary: "make the request to send to a gateway from a token and an order",
    operands: "NAME [FILE|-]", operandLimit: 2, needs: "one of \(known.map(\.name).joined(separator: ", "))",
    options: [
      .value("--as", "BODY", "kind of request (default: the one with the encrypted token)"),
      .value("--order", "FILE", "the merchant's own order details, JSON"),
      .flag("--curl", "write the curl command that sends it, with placeholders in braces for credentials"),
    ] + OutgoingRequest.Choices.definitions + VerificationOptions.definitions + [
      .flag("--json", "write one JSON document: the request and all remarks, or why there is none"), .quiet,
    ],
    remarks: [
      "FILE is the token, bare or in any gateway's request, whose fields are carried over. gateway show lists the values",
      "of NAME and BODY. With a key the token is opened first, and if the request and the token differ in amount, currency",
      "or merchant, nothing is written unless --prefer says which to send. Without a key the token stays unopened.",
      "--order FILE: amount (minor units), currency, reference, summary, paymentIdentifier, customerIdentifier,",
      "merchantIdentifier, capture, billingContact, shippingContact, telephoneNumber, phoneModel, terminalLocation,",
      "returnAddress, notificationAddress, locale.",
      "Exits with 1 if token and order lack something that the gateway's document requires, and lists all of it.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let gateway = try gateway(arguments.operands[0])
    let kind = try GatewayBodies.chosen(
      arguments, among: gateway.outgoingBodies, "\(gateway.name) has no request")
    let verification = try VerificationOptions(arguments)
    let opens = !verification.keyFiles.isEmpty || !verification.archiveFiles.isEmpty
    let orderFile = arguments.value("--order")
    let choices = try OutgoingRequest.Choices(arguments, for: gateway)
    let writesCurl = arguments.has("--curl")
    if writesCurl, output.json { throw .usage("--curl and --json exclude each other.") }
    let needsNoToken = kind?.needsNoToken ?? false
    let input = needsNoToken ? nil : arguments.operands.dropFirst().first ?? "-"
    if needsNoToken, arguments.operands.count > 1 {
      throw .usage("\(kind?.name ?? "") is made from an order only: it takes no token.")
    }
    if kind?.needsOpenedToken == true, !opens {
      throw .usage("\(kind?.name ?? "") contains decrypted data: give --key or --p12.")
    }
    if needsNoToken || !opens { try refuseTokenOptions(arguments) }
    try CommandError.checkStandardInput(verification.files + [input, orderFile].compactMap { $0 })
    let order = try orderFile.map { (file) throws(CommandError) in try OrderFile.read(file) } ?? OrderFields()
    let request = OutgoingRequest(to: gateway, as: kind?.name, order: order, choices)
    let bytes = try input.map { (file) throws(CommandError) in try FileReader.request(file) }
    var remarks = Remarks(output)
    let verifier = opens && bytes != nil ? try Verifier(verification) : nil
    if let remark = verifier?.remark { remarks.add(remark) }
    let outcome = try verifier.map { (verifier) throws(CommandError) in
      try verifier.outcome(of: bytes ?? [], hasDocument: output.json)
    }
    let made = remarks.body { (remarks) throws(OutgoingRequest.Refusal) in
      guard let bytes else { return try request.body(&remarks) }
      if let verifier, let outcome {
        return try request.body(
          for: outcome, by: verifier.keys, under: verifier.policy, request: bytes,
          isEnclosed: kind?.needsOpenedToken != true, &remarks)
      }
      return try request.body(enclosing: bytes, from: verification.envelope, &remarks)
    }
    if made != nil, bytes != nil, verifier == nil {
      remarks.add("not opened: --key checks whether the token is genuine and of this amount.")
    }
    if output.json {
      try Console.answer(remarks.document(made, for: gateway).text + "\n")
    } else if let made {
      try Console.answer(writesCurl ? Array(CurlCommand.text(made).utf8) : made.text + [0x0A])
    }
    if case .undecided? = outcome { return .noAnswer }
    return made == nil ? .finding : .success
  }

  private static func gateway(_ name: String) throws(CommandError) -> Gateway {
    if let gateway = known.first(where: { $0.name == name }) { return gateway }
    let names = GatewayBodies.list(known.map(\.name), for: name)
    throw .usage("there are no requests for \(Text.harmless(name)): name one of \(names)")
  }

  /// Refuses options for a token that is not opened, since they would be ignored.
  private static func refuseTokenOptions(_ arguments: ParsedArguments) throws(CommandError) {
    let options = VerificationOptions.definitions.map(\.name).filter { $0 != "--envelope" } + ["--prefer"]
    for option in options where arguments.has(option) {
      throw .usage(
        "\(option) applies to a decrypted token: give --key or --p12, and a request with a token.")
    }
  }
}

/// A merchant's own order details, `--order FILE`.
enum OrderFile {
  static func read(_ file: String) throws(CommandError) -> OrderFields {
    let text = try FileReader.read(file, limit: FileReader.requestLimit)
    do {
      return try OrderFields(readingOrder: text.span)
    } catch {
      let name = Text.harmless(file)
      switch error {
      case .malformed:
        throw CommandError(
          .noAnswer,
          "\(name): not a strict JSON object of at most 65,536 bytes without repeated names\(JSONDefect.ending(for: text))."
        )
      case .contact(let error): throw CommandError(.noAnswer, "\(name): \(error.sentence(of: "order")).")
      case .problems(let problems):
        for problem in problems {
          let verb = problem.kind == .exclusion ? "is not" : "must be"
          Console.remark("\(name): \(Text.harmless(problem.path)) \(verb) \(problem.expectation).")
        }
        throw CommandError(.noAnswer, "")
      }
    }
  }
}

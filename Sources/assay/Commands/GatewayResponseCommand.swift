import Descriptions
import Gateways
import HostIO
import Reports

enum GatewayResponseCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "response"], summary: "read a gateway's response: what happened, and what to do next",
    operands: "NAME FILE|-", operandLimit: 2, needs: "a gateway and a file, or - for input",
    options: [
      .value("--as", "BODY", "kind of response (default: detected)"),
      .value("--order", "FILE", "the order that was sent, as for gateway request: what differs is named"),
      .value("--pre-order", "FILE", "AlphaPay's pre-order, which its response must not contradict"),
      .flag("--payment-request", "write only the payment request that AlphaPay's response describes"),
      .json,
    ],
    remarks: [
      "Exits with 0 if the request succeeded; 1 if it failed, succeeded in part, or the response does not say for certain",
      "or violates the gateway's document; 2 if the response cannot be read, or --order contradicts --pre-order. Without",
      "these the response is compared with itself only; with one, a success that names nothing of the order is not certain.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let (name, file) = (arguments.operands[0], arguments.operands[1])
    guard let gateway = Gateway.named(name), gateway.describesResponses else {
      let names = GatewayBodies.list(Gateway.all.filter(\.describesResponses).map(\.name), for: name)
      throw .usage("responses of \(Text.harmless(name)) are not described: name one of \(names)")
    }
    let answers = gateway.bodies.filter { $0.direction == .answer }
    let kind = try GatewayBodies.chosen(arguments, among: answers, "\(name) has no response")
    let (orderFile, preOrder) = (arguments.value("--order"), arguments.value("--pre-order"))
    let writesRequest = arguments.has("--payment-request")
    if gateway.id != .alphapay, preOrder != nil || writesRequest {
      throw .usage("--pre-order and --payment-request are for \(Gateway.alphapay.name).")
    }
    if writesRequest, output.json { throw .usage("--payment-request and --json exclude each other.") }
    try CommandError.checkStandardInput([file, orderFile, preOrder].compactMap { $0 })
    let bytes = try FileReader.read(file, limit: FileReader.requestLimit)
    let check = try GatewayBodies.check(bytes, of: file, among: answers, as: kind?.name)
    let order = try order(orderFile, preOrder)
    let read: GatewayAnswer?
    do {
      read = try gateway.answer(bytes.span, check, to: order)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(file)): \(error.sentence(of: "response")).")
    }
    guard let answer = read else { throw CommandError(.internalError, "\(name) has no reader of responses.") }
    let holds = answer.outcome == .succeeded
    if writesRequest {
      guard holds, let parameters = (try? AlphaPayPreOrderResponse(reading: bytes.span))?.parameters,
        check.body.name == "preorder-response"
      else {
        throw CommandError(
          .finding,
          "there is no order to show a payment sheet for: see assay gateway response without --payment-request.")
      }
      try Console.answer(parameters.paymentRequest.text() + [0x0A])
      return .success
    }
    try output.answer(answer.document(check, of: name), answer.text(check, hasOrder: order != nil))
    return holds ? .success : .finding
  }

  /// The order that was sent: what `--order` and `--pre-order` say together. Nil if neither is given.
  private static func order(_ orderFile: String?, _ preOrder: String?) throws(CommandError) -> OrderFields? {
    let order = try orderFile.map { file throws(CommandError) in try OrderFile.read(file) }
    guard let preOrder else { return order }
    let text = try FileReader.read(preOrder, limit: FileReader.requestLimit)
    let made: OrderFields
    do {
      made = try AlphaPayPreOrder.order(reading: text.span)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(preOrder)): \(error.sentence(of: "pre-order")).")
    }
    guard let order else { return made }
    var differences = made.differences(from: order).map(\.rawValue)
    if let own = made.reference, let other = order.reference, !own.utf8.elementsEqual(other.utf8) {
      differences.append("reference")
    }
    guard differences.isEmpty else {
      throw CommandError(.noAnswer, "--order and --pre-order differ in \(differences.listed("and")): name one order.")
    }
    return made.overlaid(by: order)
  }
}

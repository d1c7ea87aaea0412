import Gateways
import HostIO
import Reports
import StrictJSON

struct GatewayResponseCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "response"], summary: "read a gateway's response: what happened, and what to do next",
    operands: "NAME FILE|-", operandLimit: 2,
    options: [
      .value("--as", "BODY", "kind of response (default: detected)"),
      .value("--order", "FILE", "the order that was sent, as for gateway request: what differs is named"),
      .value("--pre-order", "FILE", "AlphaPay's pre-order, which its response must not contradict"),
      .flag("--payment-request", "write only the payment request that AlphaPay's response describes"),
      .json,
    ],
    remarks: [
      "Exits with 0 if the request succeeded; 1 if it failed, succeeded in part, or the response does not say for certain",
      "or violates the gateway's document; 2 if the response cannot be read. Without --order or --pre-order the response is",
      "compared with itself only; with one, a success that names nothing of the order is not certain.",
    ])

  private let name: String
  private let gateway: Gateway
  private let file: String
  private let kind: String?
  private let orderFile: String?
  private let preOrder: String?
  private let writesRequest: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.operands.count == 2 else {
      throw UsageError("gateway response needs a gateway and a file, or - for input.")
    }
    name = arguments.operands[0]
    guard let gateway = Gateway.named(name), gateway.describesResponses else {
      let known = Gateway.all.filter(\.describesResponses).map(\.name)
      let names = known.joined(separator: ", ") + Suggestion.ending(for: name, among: known)
      throw UsageError("responses of \(Text.harmless(name)) are not described: name one of \(names)")
    }
    self.gateway = gateway
    file = arguments.operands[1]
    kind = arguments.value("--as")
    let answers = gateway.bodies.filter { $0.direction == .answer }
    if let kind, !answers.contains(where: { $0.name == kind }) {
      throw UsageError(
        "\(name) has no response \(Text.harmless(kind)): it is one of \(GatewayBodies.list(answers, for: kind))")
    }
    orderFile = arguments.value("--order")
    preOrder = arguments.value("--pre-order")
    writesRequest = arguments.has("--payment-request")
    if gateway.id != .alphapay, preOrder != nil || writesRequest {
      throw UsageError("--pre-order and --payment-request are for \(Gateway.alphapay.name).")
    }
    if writesRequest, arguments.has("--json") { throw UsageError("--payment-request and --json exclude each other.") }
    try UsageError.checkStandardInput([file, orderFile, preOrder].compactMap { $0 })
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let bytes = try FileReader.read(file, limit: FileReader.requestLimit)
    let check = try GatewayBodies.check(
      bytes, of: file, among: gateway.bodies.filter { $0.direction == .answer }, as: kind)
    let answer = try answer(bytes, check)
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
    try output.answer(document(answer, check), text(answer, check))
    return holds ? .success : .finding
  }

  private func answer(_ bytes: [UInt8], _ check: BodyCheck) throws(CommandError) -> GatewayAnswer {
    let order = try order()
    do {
      if let answer = try gateway.answer(bytes.span, check, to: order) { return answer }
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(file)): \(error.sentence(of: "response")).")
    }
    throw CommandError(.internalError, "\(name) has no reader of responses.")
  }

  /// What was sent, the order's own fields over the pre-order's; nil if neither is given.
  private func order() throws(CommandError) -> OrderFields? {
    var order = try orderFile.map { file throws(CommandError) in try OrderFile.read(file) }
    guard let preOrder else { return order }
    let text = try FileReader.read(preOrder, limit: FileReader.requestLimit)
    do {
      order = try AlphaPayPreOrder(reading: text.span).order.overlaid(by: order ?? OrderFields())
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(preOrder)): \(error.sentence(of: "pre-order")).")
    }
    return order
  }

  private func document(_ answer: GatewayAnswer, _ check: BodyCheck) -> JSON {
    [
      "schema": "assay.gateway-response/1", "gateway": name, "body": check.body.name,
      "outcome": answer.outcome.rawValue, "advice": answer.advice,
      "facts": JSON.object(answer.facts.map { .init($0.path, $0.value) }),
      "problems": check.problems.map(\.path), "differences": answer.differences,
      "contradictions": answer.contradictions.map { [$0.path, $0.other] }, "unclear": answer.unclear,
      "compared": answer.compared, "uncompared": answer.uncompared,
    ]
  }

  private func text(_ answer: GatewayAnswer, _ check: BodyCheck) -> String {
    var rows: [(name: String, value: String)] = [("outcome", answer.outcome.rawValue), ("advice", answer.advice)]
    rows += answer.facts.map { ($0.path, Text.harmless($0.value)) }
    rows += check.problems.map { ("problem", "\($0.path) must be \($0.expectation)") }
    rows += answer.contradictions.map { ("contradiction", "\($0.path) and \($0.other)") }
    rows += answer.unclear.map { ("not clear", $0) }
    let order = orderFile ?? preOrder
    let nothing = order == nil ? "nothing with what was sent: see --order" : "nothing with the order that was sent"
    rows.append(("compared", answer.compared.isEmpty ? nothing : answer.compared.joined(separator: ", ")))
    if !answer.uncompared.isEmpty {
      rows.append(("not compared", "\(answer.uncompared.listed("and")) of the order, which the response does not name"))
    }
    return Text.pairs(rows).joined(separator: "\n") + "\n"
  }
}

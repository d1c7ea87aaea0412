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
      .value("--pre-order", "FILE", "AlphaPay's pre-order, which its response must not contradict"),
      .flag("--payment-request", "write only the payment request that AlphaPay's response describes"),
      .json,
    ],
    remarks: [
      "Exits with 0 if the request succeeded; 1 if it failed, succeeded in part, or the response does not say for certain",
      "or violates the gateway's document; 2 if the response cannot be read.",
    ])

  private let name: String
  private let gateway: Gateway
  private let file: String
  private let kind: String?
  private let preOrder: String?
  private let writesRequest: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.operands.count == 2 else {
      throw UsageError("gateway response needs a gateway and a file, or - for input.")
    }
    name = arguments.operands[0]
    guard let gateway = Gateway.named(name), gateway.answer != nil else {
      let known = Gateway.all.filter { $0.answer != nil }.map(\.name)
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
    preOrder = arguments.value("--pre-order")
    writesRequest = arguments.has("--payment-request")
    if gateway.id != .alphapay, preOrder != nil || writesRequest {
      throw UsageError("--pre-order and --payment-request are for \(Gateway.alphapay.name).")
    }
    if writesRequest, arguments.has("--json") { throw UsageError("--payment-request and --json exclude each other.") }
    try UsageError.checkStandardInput([file, preOrder].compactMap { $0 })
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let bytes = try FileReader.read(file, limit: FileReader.requestLimit)
    let check = try GatewayBodies.check(
      bytes, of: file, among: gateway.bodies.filter { $0.direction == .answer }, as: kind)
    let differences = try differences(bytes, as: check)
    let answer = try read(bytes, as: check).downgraded(problems: check.problems, differences: differences)
    let holds = check.problems.isEmpty && differences.isEmpty && answer.outcome == .succeeded
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
    try output.answer(document(answer, check, differences), text(answer, check, differences))
    return holds ? .success : .finding
  }

  private func read(_ bytes: [UInt8], as check: BodyCheck) throws(CommandError) -> GatewayAnswer {
    guard let reader = gateway.answer else { throw CommandError(.internalError, "\(name) has no reader of responses.") }
    do {
      return try reader(bytes.span, check.body.name)
    } catch {
      // The problems include the reason why it cannot be read.
      guard check.problems.isEmpty else { return GatewayAnswer(outcome: .unknown, facts: [], advice: "") }
      throw CommandError(.noAnswer, "\(Text.harmless(file)): \(error.sentence(of: "response")).")
    }
  }

  private func differences(_ bytes: [UInt8], as check: BodyCheck) throws(CommandError) -> [String] {
    guard let preOrder else { return [] }
    let text = try FileReader.read(preOrder, limit: FileReader.requestLimit)
    let order: AlphaPayPreOrder
    do {
      order = try AlphaPayPreOrder(reading: text.span)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(preOrder)): \(error.sentence(of: "pre-order")).")
    }
    let found =
      check.body.name == "preorder-response"
      ? (try? AlphaPayPreOrderResponse(reading: bytes.span))?.differences(from: order)
      : (try? AlphaPayPaymentResponse(reading: bytes.span))?.differences(from: order)
    return found ?? []
  }

  private func document(_ answer: GatewayAnswer, _ check: BodyCheck, _ differences: [String]) -> JSON {
    [
      "schema": "assay.gateway-response/1", "gateway": name, "body": check.body.name,
      "outcome": answer.outcome.rawValue, "advice": answer.advice,
      "facts": JSON.object(answer.facts.map { .init($0.path, $0.value) }),
      "problems": check.problems.map(\.path), "differences": differences,
    ]
  }

  private func text(_ answer: GatewayAnswer, _ check: BodyCheck, _ differences: [String]) -> String {
    var rows: [(name: String, value: String)] = [("outcome", answer.outcome.rawValue), ("advice", answer.advice)]
    rows += answer.facts.map { ($0.path, Text.harmless($0.value)) }
    rows += check.problems.map { ("problem", "\($0.path) is not \($0.expectation)") }
    rows += differences.map { ("not the order's", $0) }
    return Text.pairs(rows).joined(separator: "\n") + "\n"
  }
}

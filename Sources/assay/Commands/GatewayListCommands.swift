import Descriptions
import Gateways
import HostIO
import Reports
import StrictJSON

enum GatewayListCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "list"], summary: "list the gateways and where each puts the token", options: [.json])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    try output.answer(document, text)
    return .success
  }

  private static var document: JSON {
    [
      "schema": "assay.gateway-list/1",
      "gateways": GatewayDescription.all.map(\.summary),
    ]
  }

  private static var text: String {
    let rows = GatewayDescription.all.map { [$0.name, $0.title, $0.token.joined(separator: ", or ")] }
    let lines = Text.columns(rows, names: ["name", "gateway", "token"], dropping: ["gateway"])
    return lines.joined(separator: "\n") + "\n"
  }
}

enum GatewayShowCommand: Command {
  private static let known = GatewayDescription.all.map(\.name)

  static let definition = CommandDefinition(
    path: ["gateway", "show"], summary: "show where a gateway puts the token, what is checked and what is sent on",
    operands: "NAME", operandLimit: 1, needs: "one of \(known.joined(separator: ", "))", operandWords: known,
    options: [.json],
    remarks: [
      "gateway list shows the names. The example request has three dots in place of token data."
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let name = arguments.operands[0]
    guard let gateway = GatewayDescription.all.first(where: { $0.name == name }) else {
      throw .usage(
        "there is no gateway \(Text.harmless(name)): it is one of \(GatewayBodies.list(known, for: name))")
    }
    try output.answer(gateway.document, gateway.text)
    return .success
  }
}

enum GatewayEventsCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "events"], summary: "read a log of onramp_api events: what happened, and what to do next",
    operands: "FILE|-", operandLimit: 1, needs: "a file, or - for input",
    options: [.flag("--web", "the page is on the web, where without Apple Pay it shows a QR code"), .json],
    remarks: [
      "FILE contains the events of one order as the page posted them: a JSON array, or one event per line. Exits with 1 if",
      "the payment failed or the events cannot have occurred in this order, 2 if the log cannot be read.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let file = arguments.operands[0]
    let bytes = try FileReader.wholeFile(file)
    let log: OnrampLog
    do {
      log = try OnrampLog(reading: bytes)
    } catch {
      let place = error.position == 0 ? "" : ", event or line \(error.position)"
      throw CommandError(.noAnswer, "\(Text.harmless(file))\(place): \(error.reason.reason).")
    }
    guard log.hasDescribedEvent else {
      throw CommandError(.noAnswer, "\(Text.harmless(file)): contains no described event.")
    }
    let report = OnrampReport(log, isOnWeb: arguments.has("--web"))
    try output.answer(report.json, report.text)
    return report.exitCode
  }
}

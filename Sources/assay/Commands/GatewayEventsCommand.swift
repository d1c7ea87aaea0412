import Descriptions
import Gateways
import HostIO
import Reports

/// `assay gateway events`: reads an event log of Coinbase Onramp and says what to do next.
struct GatewayEventsCommand: Command {
  static let definition = CommandDefinition(
    path: ["gateway", "events"], summary: "read a log of onramp_api events: what happened, and what to do next next",
    operands: "FILE|-", operandLimit: 1, options: [.json],
    remarks: [
      "FILE contains the events of one order as the page posted them: a JSON array, or one event per line. Exits with 1 if",
      "the payment failed or the events cannot have occurred in this order, 2 if the log cannot be read.",
    ])

  private let file: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    file = try arguments.operand(orElse: "gateway events needs a file, or - for input.")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
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
    let report = OnrampReport(log)
    try output.answer(report.json, report.text)
    return report.exitCode
  }
}

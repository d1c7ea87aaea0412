import Benchmarking
import HostIO
import Reports
import Workloads

enum BenchHistoryCommand: Command {
  private static let reportForms = ["csv=FILE"]

  static let definition = CommandDefinition(
    path: ["bench", "history"], summary: "show at which commits benchmarks became slower or faster",
    operands: "FOLDER", operandLimit: 1, needs: "a folder of measurements",
    options: [.report(also: reportForms), .json, .quiet],
    remarks: [
      "FOLDER contains files written by bench run --json, one for each commit; their names, such as DATE-COMMIT.json, are",
      "in the order of the commits. Times are divided by those of libcrypto's operations in the same round. Each series of",
      "a benchmark on one processor, system, libcrypto and choice of kernels is searched for steps of 1% or more, with a",
      "chance of 1% of a false one in all series together; a level needs five commits. BEFORE..AFTER are the last commit",
      "measured before a step and the first one after it. A file that is no measurement is named and skipped. Exits with 0",
      "whatever the steps are, 2 if there is no measurement.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = arguments.operands[0]
    let reports = try ReportRequest.all(in: arguments, also: reportForms)
    var table = DashboardReport.csvHeader
    let isTable = reports.contains { if case .form = $0 { true } else { false } }
    let history = try MeasurementHistory(folder: folder, anchors: Catalogue.anchors) {
      if isTable { table += DashboardReport.csvRows($0) }
    }
    history.skipped.prefix(mostRemarks).forEach(output.remark)
    if history.skipped.count > mostRemarks {
      output.remark("\(history.skipped.count - mostRemarks) more files are no measurements.")
    }
    guard history.count > 0 else {
      throw CommandError(.noAnswer, "there is no measurement in \(Text.harmless(folder)).")
    }
    try output.answer(history.json, history.text)
    for request in reports {
      try request.write(history) {
        history.page
      } form: { (_, path) throws(CommandError) in
        try ReportRequest.write(table, to: path)
      }
    }
    return .success
  }

  private static let mostRemarks = 20
}

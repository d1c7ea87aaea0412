import Differential
import Fuzzing
import HostIO
import Reports

/// `assay fuzz replay`: asks both engines about a finding again.
struct FuzzReplayCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["fuzz", "replay"], summary: "ask both engines about a finding or a sample again", operands: "FINDING",
      operandLimit: 1, options: [.json],
      remarks: [
        "FINDING is the folder of a finding, or a sample's file. Ends with 1 when it still shows: when the engines differ,",
        "or what is accepted was signed by nobody.",
      ])
  }

  private let path: String
  private let json: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments.operands.first else { throw UsageError("fuzz replay needs a finding's folder.") }
    self.path = path
    json = arguments.has("--json")
  }

  func run() throws(CommandError) -> ExitCode {
    let engines = try FuzzEngines()
    let finding = try FindingFiles(path, usual: engines.workshop.usual)
    var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
    let before = finding.before.map { examiner.compare($0) }
    let examination = examiner.examine(finding.sample)
    let (fast, reference) = (
      Examiner.text(examination.comparison.first), Examiner.text(examination.comparison.second)
    )
    // The pair of a rewriting: both requests must be answered alike.
    let differs = finding.kind == .rewriting && before.last?.first != examination.comparison.first
    let shows = examination.violation != nil || differs
    let said = examination.violation?.identity ?? (differs ? "rewriting: answered otherwise" : "nothing is wrong")
    if json {
      try Console.answer(
        JSON.object([
          .init("schema", .string("assay.fuzz-replay/1")), .init("shows", .boolean(shows)),
          .init("fast", .string(fast)), .init("reference", .string(reference)), .init("violation", .string(said)),
        ]).text + "\n")
    } else {
      try Console.answer(
        Text.pairs([("fast", fast), ("reference", reference), ("verdict", said)]).joined(separator: "\n") + "\n")
    }
    return shows ? .finding : .success
  }
}

import Fuzzing
import HostIO
import Reports

/// `assay fuzz minimize`: minimizes a finding within a time limit.
struct FuzzMinimizeCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "minimize"], summary: "minimize a finding further than the run did", operands: "FINDING",
    operandLimit: 1,
    options: [.value("--duration", "TIME", "time limit (default: 60s)"), .quiet],
    remarks: ["Rewrites the finding's sample and input. Exits with 1 if the finding no longer occurs."])

  private let path: String
  private let seconds: Double

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz minimize needs a finding's folder.")
    seconds = try FuzzOptions.seconds(arguments.value("--duration") ?? "60s")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let engines = try FuzzEngines()
    let usual = engines.workshop.usual
    let finding = try FindingFiles(path, usual: usual)
    guard finding.isFolder else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not the folder of a finding.")
    }
    guard let sample = finding.minimized(seconds: seconds, by: engines) else {
      Console.remark("it no longer occurs.")
      return .finding
    }
    try FileWriter.write(
      sample.file(usual: usual), to: "\(path)/sample", visibility: .everyone, replacing: true)
    try FileWriter.write(sample.request, to: "\(path)/input", visibility: .everyone, replacing: true)
    output.remark("\(finding.sample.request.count) bytes became \(sample.request.count).")
    return .success
  }
}

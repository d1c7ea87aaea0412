import Corpus
import HostIO
import Reports

/// `assay fuzz status`: how a run stands, or ended.
struct FuzzStatusCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["fuzz", "status"], summary: "show how a run stands, while it runs or after", operands: "DIR",
      operandLimit: 1, options: [.json],
      remarks: ["Ends with 1 when there are findings."])
  }

  private let path: String
  private let json: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments.operands.first else { throw UsageError("fuzz status needs a run's folder.") }
    self.path = path
    json = arguments.has("--json")
  }

  func run() throws(CommandError) -> ExitCode {
    let folder = try RunFolder(path: path)
    guard let document = folder.document("stats.json"), case .object(let members) = document else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) has no statistics yet.")
    }
    let findings = try FuzzFindingList.read(folder)
    if json {
      try Console.answer(try FileReader.corpusFile("\(path)/stats.json"))
      return findings.isEmpty ? .success : .finding
    }
    func text(_ name: String) -> String? {
      guard case .string(let octets)? = members[name] else { return nil }
      return String(decoding: octets, as: UTF8.self)
    }
    func number(_ name: String) -> Double? {
      guard case .number(let text)? = members[name] else { return nil }
      return Double(text)
    }
    var state = FuzzState(
      target: text("target").flatMap(FuzzTarget.init(rawValue:)) ?? .token,
      driver: text("driver").flatMap(FuzzOptions.Driver.init(rawValue:)) ?? .loop, jobs: Int(number("jobs") ?? 1),
      seed: 0)
    state.restore(document, table: nil)
    state.corpus = Int(number("corpus") ?? 0)
    state.features = Int(number("features") ?? 0)
    // What is shown is the last session's rate.
    state.seconds = state.earlierSeconds
    state.earlierSeconds = 0
    state.earlierExecutions = 0
    state.findings = Dictionary(findings.map { ($0.id, 1) }, uniquingKeysWith: { first, _ in first })
    var lines = FuzzText.summary(state, folder: path)
    for finding in findings {
      lines += Text.harmless("\(finding.kind): \(finding.first) / \(finding.second)") + "\n"
      lines += "  assay fuzz replay " + ShellWord.quoted("\(path)/findings/\(finding.id)") + "\n"
    }
    try Console.answer(lines)
    return findings.isEmpty ? .success : .finding
  }
}

import HostIO
import StrictJSON
import Workloads

/// `assay bench list`: the names there are.
struct BenchListCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(path: ["bench", "list"], summary: "list the names of all benchmarks", options: [.json])
  }

  private let json: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    json = arguments.has("--json")
  }

  func run() throws(CommandError) -> ExitCode {
    let document = JSON.object([
      .init("schema", .string("assay.bench-list/1")), .init("names", .array(Catalogue.names.map { .string($0) })),
    ])
    try Console.answer((json ? document.text : Catalogue.names.joined(separator: "\n")) + "\n")
    return .success
  }
}

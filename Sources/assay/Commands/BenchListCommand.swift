import HostIO
import StrictJSON
import Workloads

/// `assay bench list`: lists the names of all benchmarks.
struct BenchListCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "list"], summary: "list the names of all benchmarks", options: [.json])

  init(_ arguments: ParsedArguments) {}

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let document = JSON(["schema": "assay.bench-list/1", "names": Catalogue.names])
    try output.answer(document, Catalogue.names.joined(separator: "\n") + "\n")
    return .success
  }
}

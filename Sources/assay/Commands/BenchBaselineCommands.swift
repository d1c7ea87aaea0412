import Benchmarking
import HostIO
import Reports
import StrictJSON

struct BenchBaselineSaveCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "baseline", "save"], summary: "measure, and save the result under a name", operands: "NAME",
    operandLimit: 1,
    options: MeasurementOptions.definitions + [
      .value("--name", "NAME", repeatable: true, "only benchmarks that begin with NAME, which may contain *"),
      .value("--from", "FILE|-", "save a measurement made by bench run --json instead of measuring"),
      BaselineFolder.option, .flag("--replace", "replace an existing baseline of that name"), .quiet,
    ])

  private let name: String
  private let source: String?
  private let folder: BaselineFolder
  private let isReplacing: Bool
  private let options: MeasurementOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let name = arguments.operands.first else { throw UsageError("a baseline needs a name.") }
    let allowed = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard allowed, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 100 else {
      throw UsageError("a baseline's name may contain letters, digits, hyphens, underscores and dots.")
    }
    self.name = name
    source = arguments.value("--from")
    folder = BaselineFolder(arguments.value("--folder"))
    isReplacing = arguments.has("--replace")
    options = try MeasurementOptions(arguments, patterns: arguments.values("--name"))
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let saved: SavedReport
    if let source { saved = try folder.load(source) } else { saved = try options.measure(output).saved }
    saved.report.warnings.forEach(output.remark)
    try folder.save(saved.report.json(environment: saved.environment), as: name, replacing: isReplacing)
    try Console.answer("\(folder.file(of: name))\n")
    return .success
  }
}

struct BenchBaselineListCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "baseline", "list"], summary: "list the saved measurements",
    options: [BaselineFolder.option, .json])

  private let folder: BaselineFolder

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = BaselineFolder(arguments.value("--folder"))
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var rows: [Row] = []
    for name in try folder.names() { rows.append((name, try folder.load(name))) }
    if rows.isEmpty, !output.json {
      Console.remark("there are no baselines in \(Text.harmless(folder.path)).")
      return .success
    }
    try output.answer(document(rows), text(rows))
    return .success
  }

  private typealias Row = (name: String, report: SavedReport)

  private func document(_ rows: [Row]) -> JSON {
    [
      "schema": "assay.bench-baselines/1",
      "baselines": rows.map { row in
        JSON([
          "name": row.name, "benchmarks": row.report.report.results.count,
          "environment": JSON.object(row.report.environment),
        ])
      },
    ]
  }

  private func text(_ rows: [Row]) -> String {
    Text.table(
      header: ["baseline", "benchmarks", "commit", "cpu"],
      rows: rows.map { row in
        [
          row.name, String(row.report.report.results.count),
          String((row.report.environmentText("commit") ?? "-").prefix(12)),
          Text.harmless(row.report.environmentText("cpu") ?? "-"),
        ]
      }
    ).joined(separator: "\n") + "\n"
  }
}

extension BaselineFolder {
  static let option = OptionDefinition.value("--folder", "DIR", "folder of baselines (default: \(usualPath))")
}

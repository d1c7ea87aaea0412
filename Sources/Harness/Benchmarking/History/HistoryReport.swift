import Reports
import StrictJSON

/// A history as text, as JSON and in the forms for CI.
extension MeasurementHistory: ReportForms {
  package var command: String { "assay bench history" }
  package var isSuccess: Bool { true }
  package var duration: Double? { nil }
  package var errors: [(title: String, text: String)] { [] }
  package var warnings: [String] { slowdowns + skipped }

  /// The result as one phrase.
  package var sentence: String {
    let series = machines.reduce(0) { $0 + $1.series.count }
    return "\(Text.counted(steps.count, "step")) in \(Text.counted(series, "series", "series")) of "
      + Text.counted(count, "measurement")
  }

  private var slowdowns: [String] { steps.filter { $0.step.change > 0 }.map(sentence) }

  /// A step with its commits, and the machine if there are several.
  private func sentence(_ machine: Machine, _ series: Series, _ step: ChangePoints.Step) -> String {
    Self.sentence(series, step) + (machines.count > 1 ? ", on \(machine.title)" : "")
  }

  private static func sentence(_ series: Series, _ step: ChangePoints.Step) -> String {
    let range = series.range(of: step)
    return "\(series.name): \(ComparisonText.percent(step.change)), \(short(range.before))..\(short(range.after))"
  }

  /// The steps of a machine with their commits, the largest slowdown first.
  static func sentences(_ machine: Machine) -> [String] {
    machine.series.flatMap { series in series.steps.map { (series, $0) } }
      .sorted { $0.1.change > $1.1.change }.map(sentence)
  }

  /// The first 12 digits of a commit; the name of a file unchanged.
  static func short(_ commit: String) -> String {
    commit.count >= 40 && commit.allSatisfy(\.isHexDigit) ? String(commit.prefix(12)) : commit
  }

  static let header = ["name", "commits", "µs of each level", "steps"]

  static func cells(_ series: Series) -> [String] {
    [
      series.name, String(series.points.count),
      series.levels.map(BenchmarkText.microseconds).joined(separator: " → "),
      series.steps.isEmpty ? "-" : series.steps.map { ComparisonText.percent($0.change) }.joined(separator: ", "),
    ]
  }

  /// The history as plain text.
  package var text: String {
    var lines: [String] = []
    for machine in machines {
      lines += [machine.title, ""]
      lines += Text.table(header: Self.header, rows: machine.series.map(Self.cells), dropping: ["commits"])
      let steps = Self.sentences(machine)
      lines += (steps.isEmpty ? [] : [""] + steps) + [""]
    }
    return (lines + [sentence + "."]).joined(separator: "\n") + "\n"
  }

  package var blocks: [MarkdownBlock] {
    machines.flatMap { machine -> [MarkdownBlock] in
      [
        .heading(machine.title), .list(Self.sentences(machine)),
        .table(Self.header, machine.series.map(Self.cells)),
      ]
    } + [.quote(skipped)]
  }

  package var suites: [JUnitSuite] {
    machines.map { machine in
      JUnitSuite(
        machine.title,
        machine.series.map { series in
          let slower = series.steps.filter { $0.change > 0 }.map { sentence(machine, series, $0) }
          return .init(
            group: "benchmark", name: series.name,
            slower.isEmpty ? .passed : .failed(type: "slower", slower.joined(separator: "; ")))
        })
    }
  }

  /// The document `assay.bench-history/1`.
  package var json: JSON {
    [
      "schema": "assay.bench-history/1", "measurements": count, "skipped": skipped,
      "machines": machines.map { machine in
        JSON(["environment": JSON.object(machine.environment), "benchmarks": machine.series.map(Self.json)])
      },
    ]
  }

  private static func json(_ series: Series) -> JSON {
    [
      "name": series.name, "commits": series.points.map(\.commit),
      "times_ns": series.times.map { JSON.tenths($0) },
      "steps": series.steps.map { step in
        let range = series.range(of: step)
        return JSON([
          "before": range.before, "after": range.after, "change": JSON.decimal(step.change, digits: 6),
          "p": JSON.decimal(step.probability, digits: 9),
        ])
      },
    ]
  }
}

extension MeasurementHistory.Machine {
  /// The machine in one line.
  package var title: String {
    BenchmarkText.known(environment).map { "\($0.name) \(BenchmarkText.plain($0.value))" }.joined(separator: ", ")
  }
}

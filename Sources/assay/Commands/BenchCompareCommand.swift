import Benchmarking
import CExternals
import HostIO
import Reports
import Workloads

enum BenchCompareCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "compare"], summary: "show what became slower between two builds or measurements",
    operands: "[BASE [NEW]]", operandLimit: 2,
    options: [
      .value("--base-binary", "PATH", "another build of this program, timed alternately with this one"),
      .value(
        "--name", "NAME", repeatable: true, "only benchmarks that begin with NAME, which may contain *; '=NAME' for one"
      ),
      .flag("--instructions", "with --base-binary, also count instructions under valgrind"),
      .value("--seconds", "N", "seconds for all slices (default: until decided) or for the measurement (default: 40)"),
      .value("--blocks", "N", "number of process pairs, run one after the other (default: 12)"),
      .value("--seed", "N", "seed of tokens and intervals (default: 1)"),
      .flag("--fail-inconclusive", "exit with 2 if nothing regressed but a result is inconclusive"),
      ThresholdFile.option, .report, .json, .quiet,
    ],
    remarks: [
      "BASE and NEW are files written by bench run --json; without NEW this build is measured now. Times are",
      "then divided by those of libcrypto's operations in the same round. With --base-binary both builds are restarted in",
      "every block and timed alternately on one CPU: the only comparison of times that is reliable on a busy machine.",
      "Without --seconds the slices take 3 s per name, at least 10, and what is inconclusive is then compared in twice and",
      "four times as many blocks, for at most 15 s per name, at least 60. The first line says what slowdown could be seen.",
      "A benchmark has regressed if its median moved beyond the floor and the test over the blocks, corrected for the",
      "number of names, rules out chance. Exits with 0 for improvements and inconclusive results too, 1 if a benchmark",
      "regressed or is missing, 2 if there is nothing to compare or the machines differ.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let patterns = arguments.values("--name")
    let baseBinary = arguments.value("--base-binary")
    let seconds = try arguments.seconds("--seconds")
    let blocks = try arguments.number("--blocks", in: 5...1_000) ?? 12
    let seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    let reports = try ReportRequest.all(in: arguments)
    // A measurement made now also needs the anchors, which are the unit of times.
    let options = try MeasurementOptions(
      arguments, patterns: patterns.isEmpty ? [] : patterns + Catalogue.anchors.map { "=\($0)" })
    guard arguments.operands.isEmpty == (baseBinary != nil) else {
      throw .usage("bench compare needs either BASE or --base-binary.")
    }
    if baseBinary == nil, arguments.has("--instructions") { throw .usage("--instructions needs --base-binary.") }
    let limits = ComparisonLimits(thresholds: try ThresholdFile.readIfPresent(arguments.value("--thresholds")))
    var report: ComparisonReport
    if let baseBinary {
      assay_external_end_on_signals()
      guard let head = Environment.programPath() else {
        throw CommandError(.noAnswer, "the path of this program is unknown.")
      }
      let comparison = BuildComparison(
        base: baseBinary, head: head, patterns: patterns, seed: seed, seconds: seconds, blocks: blocks, limits: limits)
      report = try compareBuilds(comparison, arguments, output)
    } else {
      report = try compareSaved(arguments.operands, options, limits, output)
    }
    report.failsInconclusive = arguments.has("--fail-inconclusive")
    try output.answer(ComparisonText.json(report), ComparisonText.text(report))
    for request in reports { try request.write(report) { report.page } }
    if report.rows.isEmpty && report.instructions.isEmpty {
      throw CommandError(.noAnswer, "there is nothing to compare.")
    }
    return report.exitCode
  }

  // MARK: Builds

  private static func compareBuilds(
    _ comparison: BuildComparison, _ arguments: ParsedArguments, _ output: OutputOptions
  ) throws(CommandError) -> ComparisonReport {
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    do throws(BenchmarkFailure) {
      let announce = { (count: Int, bound: Double?) in
        let time = bound.map { "until each is decided, for \($0.fixed(0)) s at most" } ?? "once"
        output.remark("compares \(Text.counted(count, "benchmark")) \(time).")
      }
      var report = try comparison.run(announce: announce) {
        progress.show("comparing", fraction: $0)
      }
      if arguments.has("--instructions") {
        report.instructions = try comparison.instructions(
          of: arguments.has("--name") ? report.rows.map(\.name) : nil
        ) {
          progress.show("counting instructions", fraction: $0)
        }
      }
      return report
    } catch {
      throw CommandError(.noAnswer, "\(error.reason).")
    }
  }

  // MARK: Saved measurements

  private static func compareSaved(
    _ operands: [String], _ options: MeasurementOptions, _ limits: ComparisonLimits, _ output: OutputOptions
  ) throws(CommandError) -> ComparisonReport {
    // Restart before standard input is read: the restarted process could not read it again.
    if operands.count == 1 { AllocationPreload.restartIfPossible() }
    let before = try BenchmarkReport(named: operands[0])
    try checkAnchors(of: before, in: operands[0])
    let after: BenchmarkReport
    if operands.count > 1 {
      after = try BenchmarkReport(named: operands[1])
      try checkMachines(of: before, place(operands[0]), and: after, place(operands[1]))
      try checkAnchors(of: after, in: operands[1])
    } else {
      // Compare the machines first, so that no time is spent on a measurement that cannot be compared.
      let now = BenchmarkReport(
        cpu: nil, rounds: 0, results: [], ratios: [],
        environment: MachineDescription.environment(seed: options.seed, tokens: "minted", commit: nil))
      try checkMachines(of: before, place(operands[0]), and: now, "now")
      after = try options.measure(output).measured
    }
    do throws(BenchmarkFailure) {
      let outcome = try after.restricted(to: options.patterns)
        .compared(with: before.restricted(to: options.patterns), anchors: Catalogue.anchors, limits: limits)
      return ComparisonReport(
        base: name(operands[0], before), head: operands.count > 1 ? name(operands[1], after) : name("now", after),
        method: "saved measurements, times in units of \(Catalogue.anchors.joined(separator: " + "))",
        rows: outcome.rows, added: outcome.added, otherFindings: outcome.allocations, remarks: after.warnings)
    } catch {
      throw CommandError(.noAnswer, "\(error.reason).")
    }
  }

  private static func place(_ operand: String) -> String { operand == "-" ? "in standard input" : "in \(operand)" }

  private static func checkMachines(
    of before: BenchmarkReport, _ place: String, and after: BenchmarkReport, _ otherPlace: String
  ) throws(CommandError) {
    guard let difference = before.incomparability(place, with: after, otherPlace) else { return }
    throw CommandError(
      .noAnswer,
      "the machines cannot be compared: \(Text.harmless(difference)), so measure both with the same processor, system, "
        + "libcrypto and kernels.")
  }

  /// Throws an error that names the command to run if a measurement lacks an anchor.
  private static func checkAnchors(of report: BenchmarkReport, in file: String) throws(CommandError) {
    let measured = report.results.map(\.name)
    let missing = Catalogue.anchors.filter { !measured.contains($0) }
    guard !missing.isEmpty else { return }
    let patterns = Catalogue.patterns(for: measured + missing).map(ShellWord.quoted)
    let command = (["assay bench run --json"] + patterns).joined(separator: " ")
    throw CommandError(
      .noAnswer,
      "\(Text.harmless(file)) lacks \(missing.listed("and")), whose times are the unit: measure again with \(command).")
  }

  private static func name(_ operand: String, _ report: BenchmarkReport) -> String {
    Text.harmless(operand) + (report.environmentText("commit").map { ", commit \($0.prefix(12))" } ?? "")
  }
}

extension BenchmarkReport {
  /// The benchmarks that patterns select, and the anchors that their times are divided by.
  fileprivate func restricted(to patterns: [String]) -> BenchmarkReport {
    if patterns.isEmpty { return self }
    let names = Set(Catalogue.names(under: patterns) + Catalogue.anchors)
    return BenchmarkReport(
      cpu: cpu, rounds: rounds, results: results.filter { names.contains($0.name) }, ratios: ratios,
      warnings: warnings)
  }
}

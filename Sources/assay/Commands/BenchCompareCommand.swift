import Benchmarking
import CExternals
import CMachine
import Workloads

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `assay bench compare`: two builds in turns, or two saved measurements.
struct BenchCompareCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["bench", "compare"], summary: "say what became slower between two builds or measurements",
      operands: "[BASE [NEW]]", operandLimit: 2,
      options: [
        .value("--base-binary", "PATH", "another build of this program, to be timed in turns with this one"),
        .value("--name", "NAME", repeatable: true, "only benchmarks that begin with NAME, which may hold *"),
        .value("--seconds", "N", "time for all slices together (default: 10, or 3 a benchmark)"),
        .value("--blocks", "N", "pairs of processes started, one after the other (default: 12)"),
        .value("--seed", "N", "seed of tokens (default: 1)"),
        .json, .quiet,
      ])
  }

  private let patterns: [String]
  private let baseBinary: String?
  private let seconds: Double?
  private let blocks: Int
  private let seed: UInt64
  private let quiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    patterns = arguments.values("--name")
    baseBinary = arguments.value("--base-binary")
    seconds = try arguments.number("--seconds", in: 1...3_600).map { Double($0 as Int) }
    blocks = try arguments.number("--blocks", in: 5...1_000) ?? 12
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    quiet = arguments.has("--quiet")
  }

  func run() throws(CommandError) -> ExitCode {
    assay_external_end_on_signals()
    let progress = ProgressLine(enabled: !quiet)
    defer { progress.finish() }
    guard let baseBinary, let own = AllocationPreload.programPath() else { return .noAnswer }
    let outcome: BuildComparison.Outcome
    do throws(BenchmarkFailure) {
      outcome = try BuildComparison(
        base: baseBinary, head: own, patterns: patterns, seed: seed, limits: ComparisonLimits()
      ).run(seconds: seconds, blocks: blocks) { progress.show("comparing", fraction: $0) }
    } catch {
      throw CommandError(.noAnswer, "\(error.reason).")
    }
    for row in outcome.rows {
      try Console.answer(
        "\(row.name) \(row.verdict) \((100 * (row.change ?? 0)).fixed(3))% [\((100 * (row.interval?.lowerBound ?? 0)).fixed(2)), \((100 * (row.interval?.upperBound ?? 0)).fixed(2))] p \(row.probability ?? 1) \(row.medians)\n")
    }
    try Console.answer("\(outcome.plan)\n")
    return .success
  }
}

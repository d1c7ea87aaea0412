import Benchmarking
import HostIO
import Workloads

/// `assay bench pool`: a pool alone, full, and at shares of its capacity.
struct BenchPoolCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "pool"], summary: "measure a DecryptionPool: lone requests, a full pool, and open-loop load",
    options: [
      .value("--workers", "N", "threads of the pool (default: 1)"),
      .value("--polls", "N", "microseconds for which an idle worker polls before it sleeps (default: 50)"),
      .value("--seconds", "N", "time for each line of load (default: 2)"),
      .value("--seed", "N", "seed of tokens and arrivals (default: 1)"), .json, .quiet,
    ],
    remarks: [
      "Workers have the last CPUs, requests come from one thread on the CPU before them. Every answer is checked, and that",
      "there is exactly one. Capacity is what the pool does with 64 requests in flight. Under open-loop load requests come",
      "at random times, whether others are answered or not; latency is that of the accepted ones, from when they were",
      "due. 'p99 by 0.1 s' is the median of the tenths of a second: what it is while nobody takes a CPU away. 'held up' is",
      "for how long the thread that hands requests over could not. Docs/Embedding.md says what follows from the figures.",
    ])

  private let workers: Int
  private let spinDuration: Duration
  private let seconds: Double
  private let seed: UInt64

  init(_ arguments: ParsedArguments) throws(UsageError) {
    workers = try arguments.number("--workers", in: 1...256) ?? 1
    spinDuration = .microseconds(try arguments.number("--polls", in: 0...1_000_000) ?? 50)
    seconds = Double(try arguments.number("--seconds", in: 1...600) ?? 2)
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let measurement: PoolMeasurement
    do throws(BenchmarkFailure) {
      measurement = try PoolMeasurement(
        workers: workers, spinDuration: spinDuration, secondsEach: seconds, seed: seed
      ) {
        progress.show("measuring the pool", fraction: $0)
      }
    } catch {
      progress.finish()
      throw CommandError(.finding, "\(error.reason).")
    }
    progress.finish()
    let environment = MachineDescription.environment(seed: seed, tokens: "minted", commit: SourceCommit.current)
    try output.answer(measurement.json(environment: environment), measurement.text(environment: environment))
    return .success
  }
}

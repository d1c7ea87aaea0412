import Benchmarking
import HostIO
import Workloads

enum BenchPoolCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "pool"], summary: "measure a DecryptionPool: single requests, a full pool, and open-loop load",
    options: [
      .value("--workers", "N", "number of worker threads (default: 1)"),
      .value("--spin", "N", "microseconds that an idle worker spins before it sleeps (default: 50)"),
      .value("--seconds", "N", "seconds for everything, preparation included (default: 20)"),
      .value("--seed", "N", "seed of tokens and arrivals (default: 1)"), .json, .quiet,
    ],
    remarks: [
      "Workers run on the last CPUs; requests come from one thread on the CPU before them. Every request must get exactly",
      "one answer, which is checked. Capacity is the throughput with 64 requests in flight. Under open-loop load requests",
      "arrive at random times, whether others are answered or not; latency counts accepted requests, from the time they",
      "were due. 'p99 by 0.1 s' is the median over tenths of a second: the value while no other process takes a CPU.",
      "'held up' is how long the submitting thread could not submit.",
      "The mix has 10% RSA_v1 and 10% unknown certificates, at half of the capacity, in turns with EC_v1 alone. In the",
      "flood EC_v1 comes at a quarter of the capacity, in turns with and without as many unknown certificates beside it.",
      "Docs/Embedding.md explains the figures.",
    ])

  /// About how many seconds it takes to mint tokens, to check both engines on them and to start the pools.
  private static let preparation = 3.0

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let workers = try arguments.number("--workers", in: 1...256) ?? 1
    let spinDuration = Duration.microseconds(try arguments.number("--spin", in: 0...1_000_000) ?? 50)
    let seconds = try arguments.seconds("--seconds", from: 1) ?? 20
    let seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    output.remark("measures the pool in about \(max(seconds, preparation).fixed(0)) s.")
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let measurement: PoolMeasurement
    do throws(BenchmarkFailure) {
      measurement = try PoolMeasurement(
        workers: workers, spinDuration: spinDuration, seconds: seconds, seed: seed
      ) {
        progress.show("measuring the pool", fraction: $0)
      }
    } catch {
      throw CommandError(error.lacksResources ? .noAnswer : .finding, "\(error.reason).")
    }
    progress.finish()
    let environment = MachineDescription.environment(seed: seed, tokens: "minted", commit: SourceCommit.current)
    try output.answer(measurement.json(environment: environment), measurement.text(environment: environment))
    return .success
  }
}

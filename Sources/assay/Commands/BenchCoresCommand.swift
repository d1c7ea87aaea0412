import Benchmarking
import HostIO
import Reports
import Workloads

struct BenchCoresCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "cores"], summary: "predict the throughput of 1 to 128 cores from what tokens write together",
    options: [
      .value("--seconds", "N", "seconds for measurements; counting takes up to two minutes more (default: 20)"),
      .value("--lines", "N,N…", "predict for these writes of a token to each line, instead of counting them"),
      .value("--transfer", "NS", "nanoseconds for a line that another core wrote, as of another machine"),
      .value("--seed", "N", "seed of tokens (default: 1)"), .json, .quiet,
    ],
    remarks: [
      "Two threads write one cache line, which gives the time after which a line can be written that the other core wrote.",
      "What a token writes to memory that all cores share is counted, as by 'bench run --shared-writes'. From both, a",
      "network of queues predicts the throughput. Beside it stands what two cores do, measured and predicted.",
      "Docs/Measuring.md has the assumptions.",
    ])

  private let seconds: Double
  private let seed: UInt64
  private let transfer: Double?
  private let lines: [Double]?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    seconds = Double(try arguments.number("--seconds", in: 1...3_600) ?? 20)
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    transfer = try arguments.number("--transfer", in: 1...100_000).map { Double($0 as Int) }
    lines = try arguments.decimals("--lines")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let counting = lines == nil ? ", and counts shared writes for up to two minutes" : ""
    output.remark("measures for \(seconds.fixed(0)) s\(counting).")
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let prediction: CorePrediction
    do throws(BenchmarkFailure) {
      prediction = try CorePrediction(seconds: seconds, seed: seed, transfer: transfer, lines: lines) {
        progress.update($0.phase, remaining: $0.remaining)
      }
    } catch {
      progress.finish()
      throw CommandError(.finding, "\(error.reason).")
    }
    progress.finish()
    let environment = MachineDescription.environment(seed: seed, tokens: "minted", commit: SourceCommit.current)
    try output.answer(prediction.json(environment: environment), prediction.text(environment: environment))
    return .success
  }
}

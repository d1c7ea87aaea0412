import Benchmarking
import CMachine
import HostIO
import Workloads

/// `assay bench worker`: runs benchmarks as told on standard input, for comparisons of builds and instruction counts.
struct BenchWorkerCommand: Command {
  static let definition = CommandDefinition(
    path: ["bench", "worker"], summary: "run benchmarks as told on standard input, for bench compare",
    operands: "[NAME…]", operandLimit: 256,
    options: [
      .value("--seed", "N", "seed of tokens (default: 1)"),
      .value("--tokens", "N", "number of different tokens, 1 to 64 (default: 8)"),
    ],
    remarks: [
      "Checks the answers, pins itself to a CPU, then answers each line until the input ends: names with the names of its",
      "benchmarks, time INDEX NANOSECONDS with the median nanoseconds per operation, run INDEX COUNT with done, memory",
      "with the peak resident bytes.",
    ])

  private let patterns: [String]
  private let seed: UInt64
  private let tokens: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    patterns = arguments.operands
    seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    tokens = try arguments.number("--tokens", in: 1...64) ?? 8
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    _ = assay_pin_thread(0)
    // Otherwise each slice waits for its turn on a busy machine. Both builds ask, and both or neither get it.
    _ = assay_raise_priority()
    let names = patterns.isEmpty ? Catalogue.comparedNames : Catalogue.names(under: patterns)
    var session: WorkerSession
    do throws(BenchmarkFailure) {
      let set = try TokenSet.minted(count: tokens, seed: seed)
      session = WorkerSession(try Catalogue.make(names, tokens: set, seed: seed))
    } catch {
      try Console.answer("failed \(error.reason)\n")
      return .finding
    }
    while let line = readLine() {
      let answer: String
      do throws(BenchmarkFailure) {
        answer = try session.answer(line)
      } catch {
        try Console.answer("failed \(error.reason)\n")
        return .finding
      }
      try Console.answer(answer + "\n")
    }
    return .success
  }
}

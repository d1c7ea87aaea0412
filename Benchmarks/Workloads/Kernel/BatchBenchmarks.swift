import Benchmarking
import FastDecryption
import PaymentToken

/// EC_v1 tokens in batches, and one at a time without the kernel, which shows the gain of the lanes.
enum BatchBenchmarks {
  /// One token at a time, with all curve arithmetic by libcrypto.
  static let portable = "decrypt/fast/ec_v1/portable"
  static let sizes = [8, 64, 1_024]
  /// The numbers of threads, each with its own batches and CPU.
  private static let threadCounts = [1, 2]
  private static let threadedSize = 64

  static func name(_ size: Int) -> String { "decrypt/fast/ec_v1/batch\(size)" }
  static func threadsName(_ count: Int) -> String { "decrypt/fast/ec_v1/threads\(count)/batch\(threadedSize)" }

  /// Batches whose tokens are checked with a replay store.
  static let replay = "decrypt/fast/ec_v1/replay/batch\(threadedSize)"

  static let entries =
    // Without a kernel there is nothing to compare libcrypto with.
    (P256Kernel.preferred == .portable
      ? []
      : [
        Entry(name: portable) { name, context throws(BenchmarkFailure) in
          .checked(name, try TokenCycle(context.tokens(of: .ecV1), by: .portable).run)
        }
      ])
    + sizes.map { size in
      Entry(name: name(size)) { name, context throws(BenchmarkFailure) in
        try batches(name, context.tokens(of: .ecV1), size: size)
      }
    } + [
      Entry(name: replay) { name, context throws(BenchmarkFailure) in
        let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: ForgetfulStore()))
        return try batches(name, context.tokens(of: .ecV1), size: threadedSize, policy)
      }
    ]
    + threadCounts.map { count in
      Entry(name: threadsName(count)) { name, context throws(BenchmarkFailure) in
        try threads(name, count, context.tokens(of: .ecV1))
      }
    }

  static let ratios: [RatioDefinition] = [
    .throughput("batch64 over reference", name(64), over: [DecryptBenchmarks.name("reference")]),
    .throughput("2 threads over one, batch64", threadsName(2), over: [threadsName(1)]),
    .throughput("batch64 over portable", name(64), over: [portable]),
    .throughput("single over portable", DecryptBenchmarks.name("fast"), over: [portable]),
    .time("batch64 over libcrypto's operations", name(64), over: CryptoBenchmarks.names),
    .time("batch64 over its kernels", name(64), over: KernelBenchmarks.parts),
  ]

  private static func batches(
    _ name: String, _ tokens: CheckedTokens, size: Int, _ policy: VerificationPolicy? = nil
  ) throws(BenchmarkFailure) -> Benchmark {
    let cycle = try BatchCycle(tokens, size: size, policy: policy, engine: tokens.set.batchEngine())
    return .checked(name, multiple: size, cycle.run)
  }

  private static func threads(
    _ name: String, _ threads: Int, _ tokens: CheckedTokens
  ) throws(BenchmarkFailure) -> Benchmark {
    let engine = try tokens.set.batchEngine()
    let team = try ThreadTeam(count: threads, operationsAtOnce: threadedSize) { _ in
      (try? BatchCycle(tokens, size: threadedSize, engine: engine))?.run
    }
    // Run once, so that all threads have made their workspaces: their allocations must not be counted.
    _ = try team.run(operationsEach: threadedSize)
    return .timed(name, multiple: threads * threadedSize, cpus: threads) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }
}

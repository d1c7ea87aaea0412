import Benchmarking
import FastDecryption
import PaymentToken

/// EC_v1 tokens in batches, and one at a time without the kernel, which shows the gain of the lanes.
enum BatchBenchmarks {
  /// One at a time, all of it by libcrypto.
  static let portable = "decrypt/fast/ec_v1/portable"
  static let sizes = [8, 64, 1_024]
  /// The numbers of threads, each with its own batches and CPU.
  private static let threadCounts = [1, 2]
  private static let threadedSize = 64

  static func name(_ size: Int) -> String { "decrypt/fast/ec_v1/batch\(size)" }
  static func threadsName(_ count: Int) -> String { "decrypt/fast/ec_v1/threads\(count)/batch\(threadedSize)" }

  /// The same batches, and a replay store is asked about each token.
  static let replay = "decrypt/fast/ec_v1/replay/batch\(threadedSize)"

  /// Where libcrypto does everything, what kernels are worth is not asked.
  static let names =
    (P256Kernel.preferred == .portable ? [] : [portable]) + sizes.map(name) + [replay] + threadCounts.map(threadsName)

  /// Comparisons of the same rounds.
  static let ratios: [RatioDefinition] = [
    .throughput("batch64 over reference", name(64), over: [DecryptBenchmarks.name("reference")]),
    .throughput("2 threads over one, batch64", threadsName(2), over: [threadsName(1)]),
    .throughput("batch64 over portable", name(64), over: [portable]),
    .throughput("single over portable", DecryptBenchmarks.name("fast"), over: [portable]),
    .time("batch64 over libcrypto's operations", name(64), over: CryptoBenchmarks.names),
    .time("batch64 over its kernels", name(64), over: KernelBenchmarks.parts),
  ]

  /// Nil for a name that is none of these.
  ///
  /// - Parameters:
  ///   - set: tokens of EC_v1 that both engines were checked on.
  ///   - lengths: of their plaintexts.
  static func make(_ name: String, of set: TokenSet, lengths: [Int]) throws(BenchmarkFailure) -> Benchmark? {
    if name == portable {
      return .checked(name, try TokenCycle(set, lengths: lengths, by: .portable).run)
    }
    if let threads = threadCounts.first(where: { threadsName($0) == name }) {
      return try self.threads(threads, set, lengths)
    }
    if name == replay {
      let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: ForgetfulStore()))
      return try batches(name, BatchRequests(set, lengths: lengths, size: threadedSize, policy: policy))
    }
    return try sizes.first { self.name($0) == name }.map { size throws(BenchmarkFailure) in
      try batches(name, BatchRequests(set, lengths: lengths, size: size))
    }
  }

  private static func batches(_ name: String, _ requests: BatchRequests) throws(BenchmarkFailure) -> Benchmark {
    .checked(
      name, multiple: requests.requests.count, try BatchCycle(requests, engine: requests.makeEngine()).run)
  }

  private static func threads(
    _ threads: Int, _ set: TokenSet, _ lengths: [Int]
  ) throws(BenchmarkFailure) -> Benchmark {
    let requests = BatchRequests(set, lengths: lengths, size: threadedSize)
    let engine = try requests.makeEngine()
    // No memory for a thread's workspace shows as a wrong answer.
    let team = try ThreadTeam(count: threads, operationsAtOnce: threadedSize) { _ in
      (try? BatchCycle(requests, engine: engine))?.run
    }
    // After all threads have made their workspaces, whose allocations must not be counted.
    _ = try team.run(operationsEach: threadedSize)
    return .timed(threadsName(threads), multiple: threads * threadedSize) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }
}

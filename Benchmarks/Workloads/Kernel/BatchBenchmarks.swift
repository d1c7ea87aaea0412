import Benchmarking
import FastDecryption
import PaymentToken

/// Tokens of EC_v1 in batches, and one at a time without the kernel: what the lanes are worth.
enum BatchBenchmarks {
  /// One at a time, all of it by libcrypto.
  static let portable = "decrypt/fast/ec_v1/portable"
  static let sizes = [8, 64, 1_024]
  /// Threads that each have batches of their own, and a CPU; one thread is what two are held against.
  private static let threadCounts = [1, 2]
  private static let threadedSize = 64

  static func name(_ size: Int) -> String { "decrypt/fast/ec_v1/batch\(size)" }
  private static func threadsName(_ count: Int) -> String { "decrypt/fast/ec_v1/threads\(count)/batch\(threadedSize)" }

  /// Where libcrypto does everything, what kernels are worth is not asked.
  static let names =
    (P256Kernel.best == .portable ? [] : [portable]) + sizes.map(name) + threadCounts.map(threadsName)

  /// Comparisons of the same rounds.
  static let ratios = [
    RatioDefinition(
      name: "batch64 over reference", measure: .throughput, numerator: name(64),
      denominator: [DecryptBenchmarks.name("reference")]),
    RatioDefinition(
      name: "2 threads over one, batch64", measure: .throughput, numerator: threadsName(2),
      denominator: [threadsName(1)]),
    RatioDefinition(
      name: "batch64 over portable", measure: .throughput, numerator: name(64), denominator: [portable]),
    RatioDefinition(
      name: "single over portable", measure: .throughput, numerator: DecryptBenchmarks.name("fast"),
      denominator: [portable]),
    RatioDefinition(
      name: "batch64 over libcrypto's operations", measure: .time, numerator: name(64),
      denominator: CryptoBenchmarks.names),
    RatioDefinition(
      name: "batch64 over its kernels", measure: .time, numerator: name(64), denominator: KernelBenchmarks.parts),
  ]

  /// Nil for a name that is none of these.
  ///
  /// - Parameters:
  ///   - set: tokens of EC_v1 that both engines were checked on.
  ///   - lengths: of their plaintexts.
  static func make(_ name: String, of set: TokenSet, lengths: [Int]) throws(BenchmarkFailure) -> Benchmark? {
    if name == portable { return try portable(set, lengths) }
    if let threads = threadCounts.first(where: { threadsName($0) == name }) {
      return try self.threads(threads, set, lengths)
    }
    guard let size = sizes.first(where: { self.name($0) == name }) else { return nil }
    let requests = BatchRequests(set, lengths: lengths, size: size)
    let batch = try BatchCycle(requests, engine: requests.makeEngine())
    return Benchmark(name: name, multiple: size) { count throws(BenchmarkFailure) in
      guard batch.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func portable(_ set: TokenSet, _ lengths: [Int]) throws(BenchmarkFailure) -> Benchmark {
    let contender = Contender.portable
    let cycle = TokenCycle(set, lengths: lengths, open: contender.opener(try contender.makeEngine(for: set), set))
    return Benchmark(name: portable) { count throws(BenchmarkFailure) in
      guard cycle.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func threads(
    _ threads: Int, _ set: TokenSet, _ lengths: [Int]
  ) throws(BenchmarkFailure) -> Benchmark {
    let requests = BatchRequests(set, lengths: lengths, size: threadedSize)
    let engine = try requests.makeEngine()
    let team = try ThreadTeam(count: threads, operationsAtOnce: threadedSize) { _ in
      // No memory for a thread's workspace shows as a wrong answer.
      let batch = try? BatchCycle(requests, engine: engine)
      return { batch?.run($0) ?? false }
    }
    // Once all have made their engines' workspaces: what they allocate for them is not to count for others.
    _ = try team.run(operationsEach: threadedSize)
    // Slices of milliseconds: waking the threads takes microseconds.
    return Benchmark(
      name: threadsName(threads), sliceNanoseconds: 4_000_000, multiple: threads * threadedSize,
      runTimed: { count throws(BenchmarkFailure) in try team.run(operationsEach: count / threads) },
      run: { count throws(BenchmarkFailure) in try team.run(operationsEach: count / threads) })
  }
}

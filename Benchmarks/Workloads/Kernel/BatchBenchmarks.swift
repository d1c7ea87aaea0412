import Benchmarking
import FastDecryption
import PaymentToken

/// Tokens of EC_v1 in batches, and one at a time without the kernel: what the lanes are worth.
enum BatchBenchmarks {
  /// One at a time, all of it by libcrypto.
  static let portable = "decrypt/fast/ec_v1/portable"
  static let sizes = [8, 64, 1_024]
  static let twoThreads = "decrypt/fast/ec_v1/threads2/batch64"
  private static let threadedSize = 64

  static func name(_ size: Int) -> String { "decrypt/fast/ec_v1/batch\(size)" }

  static let names = [portable] + sizes.map(name) + [twoThreads]

  /// Comparisons of the same rounds.
  static let ratios = [
    RatioDefinition(
      name: "batch64 over portable", measure: .throughput, numerator: name(64), denominator: [portable]),
    RatioDefinition(
      name: "batch64 over reference", measure: .throughput, numerator: name(64),
      denominator: [DecryptBenchmarks.name("reference")]),
    RatioDefinition(
      name: "single over portable", measure: .throughput, numerator: DecryptBenchmarks.name("fast"),
      denominator: [portable]),
    RatioDefinition(
      name: "two threads over one, batches", measure: .throughput, numerator: twoThreads, denominator: [name(64)]),
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
    if name == twoThreads { return try twoThreads(set, lengths) }
    guard let size = sizes.first(where: { self.name($0) == name }) else { return nil }
    let requests = BatchRequests(set, lengths: lengths, size: size)
    let batch = try BatchCycle(requests, engine: requests.makeEngine())
    return Benchmark(name: name, multiple: size) { count throws(BenchmarkFailure) in
      guard batch.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func portable(_ set: TokenSet, _ lengths: [Int]) throws(BenchmarkFailure) -> Benchmark {
    let engine = try BatchRequests(set, lengths: lengths, size: 1).makeEngine(.portable)
    let cycle = TokenCycle(set, lengths: lengths, open: Contender.fast.opener(engine, set))
    return Benchmark(name: portable) { count throws(BenchmarkFailure) in
      guard cycle.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func twoThreads(_ set: TokenSet, _ lengths: [Int]) throws(BenchmarkFailure) -> Benchmark {
    let requests = BatchRequests(set, lengths: lengths, size: threadedSize)
    let engine = try requests.makeEngine()
    let threads = 2
    let team = try ThreadTeam(count: threads) { _ in
      // No memory for a thread's workspace shows as a wrong answer.
      let batch = try? BatchCycle(requests, engine: engine)
      return { batch?.run($0) ?? false }
    }
    return Benchmark(
      name: twoThreads, sliceNanoseconds: 4_000_000, multiple: threads * threadedSize
    ) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }
}

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
    let batch = try BatchCycle(engine: engine(set), set, lengths: lengths, size: size)
    return Benchmark(name: name, multiple: size) { count throws(BenchmarkFailure) in
      guard batch.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func engine(
    _ set: TokenSet, _ kernel: P256Kernel = .best
  ) throws(BenchmarkFailure) -> FastDecryptor {
    do {
      return try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: kernel, tables: .atOnce)
    } catch {
      throw BenchmarkFailure("the fast engine refuses root \(error.index + 1)")
    }
  }

  private static func portable(_ set: TokenSet, _ lengths: [Int]) throws(BenchmarkFailure) -> Benchmark {
    let engine = try engine(set, .portable)
    let cycle = TokenCycle(set, lengths: lengths, open: Contender.fast.opener(engine, set))
    return Benchmark(name: portable) { count throws(BenchmarkFailure) in
      guard cycle.run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private static func twoThreads(_ set: TokenSet, _ lengths: [Int]) throws(BenchmarkFailure) -> Benchmark {
    let engine = try engine(set)
    let threads = 2
    let team = try ThreadTeam(count: threads) { _ in
      // No memory for a thread's workspace shows as a wrong answer.
      let batch = try? BatchCycle(engine: engine, set, lengths: lengths, size: threadedSize)
      return { batch?.run($0) ?? false }
    }
    return Benchmark(
      name: twoThreads, sliceNanoseconds: 4_000_000, multiple: threads * threadedSize
    ) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }
}

/// Opens the same batch of different tokens again and again, and checks the answers as far as that costs nothing.
final class BatchCycle {
  private let engine: FastDecryptor
  private let set: TokenSet
  private let requests: [[UInt8]]
  private let lengths: [Int]
  private var workspace: BatchWorkspace

  /// - Parameter lengths: of the plaintexts, as checked before.
  init(engine: FastDecryptor, _ set: TokenSet, lengths: [Int], size: Int) throws(BenchmarkFailure) {
    guard let workspace = BatchWorkspace() else { throw BenchmarkFailure("no memory left for a batch workspace") }
    self.engine = engine
    self.set = set
    self.workspace = workspace
    requests = (0..<size).map { set.entries[$0 % set.entries.count].token }
    self.lengths = (0..<size).map { lengths[$0 % lengths.count] }
    try checkPlaintexts()
  }

  /// The batch opens to what each token opens to on its own.
  private func checkPlaintexts() throws(BenchmarkFailure) {
    let results = engine.decryptBatch(requests, at: set.now, under: set.policy)
    for (request, result) in zip(requests, results) {
      let alone: [UInt8]
      do {
        alone = try engine.decrypt(request.span, at: set.now, under: set.policy).plaintext
      } catch {
        throw DecryptBenchmarks.wrongAnswer
      }
      guard case .success(let token) = result, token.plaintext == alone else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  /// Opens so many tokens, a multiple of the batch; false when one was refused or opened to something else.
  func run(_ count: Int) -> Bool {
    var isRight = true
    for _ in 0..<(count / requests.count) {
      let lengths = lengths
      engine.decryptBatch(
        requests, at: set.now, under: set.policy, in: &workspace,
        opened: { index, token throws(TokenFault) in isRight = isRight && token.plaintext.count == lengths[index] },
        refused: { _, _ in isRight = false })
    }
    return isRight
  }
}

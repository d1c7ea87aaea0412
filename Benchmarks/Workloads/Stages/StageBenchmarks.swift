import Benchmarking
import FastDecryption
import PaymentToken

/// The stages of the fast engine alone, over tokens whose other stages were done before.
enum StageBenchmarks {
  /// The number of tokens, fewer than for whole tokens: each takes a workspace of its own, and they have to fit the
  /// cache as the one workspace of whole tokens does.
  private static let variety = 4

  static let entries = StagedDecryption.Stage.allCases.map { stage in
    Entry(name: "stage/\(stage.rawValue)/fast") { name, context throws(BenchmarkFailure) in
      try make(name, stage, context.tokens(of: .ecV1).set)
    }
  }

  /// The time of a whole token over the sum of its stages, which must be near 1.
  static let ratios: [RatioDefinition] = [
    .time("fast over the sum of its stages", DecryptBenchmarks.name("fast"), over: entries.map(\.name))
  ]

  private static func make(
    _ name: String, _ stage: StagedDecryption.Stage, _ set: TokenSet
  ) throws(BenchmarkFailure) -> Benchmark {
    let entries = set.entries.prefix(Self.variety)
    let engine = try BenchmarkFailure.making("fast") { () throws(EngineError) in
      try FastDecryptor(keys: set.keys, anchors: set.anchors)
    }
    var boxes: [StagedBox] = []
    for entry in entries {
      guard let staged = StagedDecryption(entry.token, engine: engine, at: set.now, under: set.policy) else {
        throw BenchmarkFailure("there is no memory for a workspace")
      }
      let box = StagedBox(staged)
      guard box.prepare(for: stage, plaintext: entry.plaintext) else { throw DecryptBenchmarks.wrongAnswer }
      boxes.append(box)
    }
    var next = 0
    return Benchmark(name: name) { count throws(BenchmarkFailure) in
      for _ in 0..<count {
        guard boxes[next].run(stage) else { throw DecryptBenchmarks.wrongAnswer }
        next = next + 1 == boxes.count ? 0 : next + 1
      }
    }
  }
}

/// Stages that a closure can capture.
private final class StagedBox {
  private var staged: StagedDecryption

  init(_ staged: consuming StagedDecryption) {
    self.staged = staged
  }

  /// Runs all stages except the wipe, after which the measured stage could not run, and compares the plaintext.
  func prepare(for stage: StagedDecryption.Stage, plaintext: [UInt8]?) -> Bool {
    for each in StagedDecryption.Stage.allCases where each != .wipe { guard run(each) else { return false } }
    return plaintext.map { $0 == staged.plaintext } ?? true
  }

  func run(_ stage: StagedDecryption.Stage) -> Bool { (try? staged.run(stage)) != nil }
}

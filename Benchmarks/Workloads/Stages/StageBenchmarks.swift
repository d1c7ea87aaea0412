import Benchmarking
import FastDecryption
import PaymentToken
import ReferenceDecryption

/// The stages of each engine alone, over tokens whose other stages were done before.
enum StageBenchmarks {
  /// The number of tokens, fewer than for whole tokens: each takes a workspace of its own, and they have to fit the
  /// cache as the one workspace of whole tokens does.
  private static let variety = 4

  private static let fast = StagedDecryption.Stage.allCases.map { stage in
    Entry(name: "stage/\(stage.rawValue)/fast") { name, context throws(BenchmarkFailure) in
      try fast(name, stage, context.tokens(of: .ecV1).set)
    }
  }
  private static let reference = StagedReference.Group.allCases.map { group in
    Entry(name: "stage/\(group.rawValue)/reference") { name, context throws(BenchmarkFailure) in
      try reference(name, group, context.tokens(of: .ecV1).set)
    }
  }
  static let entries = fast + reference

  /// The time of a whole token over the sum of its stages, which must be near 1.
  static let ratios: [RatioDefinition] = [
    .time("fast over the sum of its stages", DecryptBenchmarks.name("fast"), over: fast.map(\.name)),
    .time("reference over the sum of its stages", DecryptBenchmarks.name("reference"), over: reference.map(\.name)),
  ]

  private static func fast(
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
    return cycle(name, boxes) { $0.run(stage) }
  }

  private static func reference(
    _ name: String, _ group: StagedReference.Group, _ set: TokenSet
  ) throws(BenchmarkFailure) -> Benchmark {
    let engine = try BenchmarkFailure.making("reference") { () throws(EngineError) in
      try ReferenceDecryptor(keys: set.keys, anchors: set.anchors)
    }
    var tokens: [StagedReference] = []
    for entry in set.entries.prefix(Self.variety) {
      let staged = StagedReference(entry.token, engine: engine, at: set.now, under: set.policy)
      guard StagedReference.Group.allCases.allSatisfy({ (try? staged.run($0)) != nil }),
        entry.plaintext.map({ $0 == staged.plaintext }) ?? true
      else { throw DecryptBenchmarks.wrongAnswer }
      tokens.append(staged)
    }
    return cycle(name, tokens) { (try? $0.run(group)) != nil }
  }

  /// A benchmark that runs the tokens in rotation.
  private static func cycle<Token>(_ name: String, _ tokens: [Token], _ run: @escaping (Token) -> Bool) -> Benchmark {
    var next = 0
    return Benchmark(name: name) { count throws(BenchmarkFailure) in
      for _ in 0..<count {
        guard run(tokens[next]) else { throw DecryptBenchmarks.wrongAnswer }
        next = next + 1 == tokens.count ? 0 : next + 1
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

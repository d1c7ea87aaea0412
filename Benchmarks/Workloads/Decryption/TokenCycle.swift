import Benchmarking

/// Goes round a set of tokens, opening one after the other, and checks each answer as far as that costs nothing.
final class TokenCycle {
  private let entries: [TokenSet.Entry]
  private let lengths: [Int]
  private let open: Contender.Opener
  private var next: Int

  /// - Parameters:
  ///   - lengths: of the plaintexts, as checked before.
  ///   - start: where to begin, so that threads do not go in step.
  init(_ set: TokenSet, lengths: [Int], start: Int = 0, open: @escaping Contender.Opener) {
    entries = set.entries
    self.lengths = lengths
    self.open = open
    next = start % set.entries.count
  }

  /// The same by an engine of its own.
  convenience init(_ set: TokenSet, lengths: [Int], by contender: Contender) throws(BenchmarkFailure) {
    self.init(set, lengths: lengths, open: contender.opener(try contender.makeEngine(for: set), set))
  }

  /// Opens so many tokens; false when one was refused or opened to something else.
  func run(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard open(entries[next].token) == lengths[next] else { return false }
      next = next + 1 == entries.count ? 0 : next + 1
    }
    return true
  }
}

extension Benchmark {
  /// A benchmark of tokens; `run` does so many and says whether each gave what it must.
  static func checked(
    _ name: String, multiple: Int = 1, arrivalsPerSecond: Double? = nil, _ run: @escaping (_ count: Int) -> Bool
  ) -> Benchmark {
    Benchmark(name: name, multiple: multiple, arrivalsPerSecond: arrivalsPerSecond) { count throws(BenchmarkFailure) in
      guard run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  /// A benchmark that times itself, in slices of milliseconds: waking threads takes microseconds.
  static func timed(
    _ name: String, slice nanoseconds: UInt64 = 4_000_000, multiple: Int = 1,
    _ run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Double
  ) -> Benchmark {
    Benchmark(
      name: name, sliceNanoseconds: nanoseconds, multiple: multiple, runTimed: run,
      run: { count throws(BenchmarkFailure) in _ = try run(count) })
  }
}

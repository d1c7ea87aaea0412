import Benchmarking

/// Decrypts the tokens of a set in rotation and checks the length of each plaintext.
final class TokenCycle {
  /// Copies of its own: threads that share the bytes of a request would count its references together.
  private let tokens: [[UInt8]]
  private let lengths: [Int]
  private let open: Contender.Opener
  private var next: Int

  /// - Parameter start: the index of the first token, which differs between threads.
  init(_ checked: CheckedTokens, start: Int = 0, open: @escaping Contender.Opener) {
    tokens = checked.set.entries.map { $0.token.map(\.self) }
    lengths = checked.lengths
    self.open = open
    next = start % tokens.count
  }

  /// Creates a cycle with its own engine.
  convenience init(_ checked: CheckedTokens, by contender: Contender) throws(BenchmarkFailure) {
    self.init(checked, open: contender.opener(try contender.makeEngine(for: checked.set), checked.set))
  }

  /// Decrypts `count` tokens. Returns false if one was refused or gave another length.
  func run(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard open(tokens[next]) == lengths[next] else { return false }
      next = next + 1 == tokens.count ? 0 : next + 1
    }
    return true
  }
}

extension Benchmark {
  /// A benchmark of tokens; `run` decrypts a number of them and returns whether all answers were right.
  static func checked(
    _ name: String, multiple: Int = 1, arrivalsPerSecond: Double? = nil, _ run: @escaping (_ count: Int) -> Bool
  ) -> Benchmark {
    Benchmark(name: name, multiple: multiple, arrivalsPerSecond: arrivalsPerSecond) { count throws(BenchmarkFailure) in
      guard run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  /// A benchmark that times itself, in slices of milliseconds because waking threads takes microseconds.
  static func timed(
    _ name: String, slice nanoseconds: UInt64 = 4_000_000, multiple: Int = 1, cpus: Int = 1,
    _ run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Double
  ) -> Benchmark {
    Benchmark(
      name: name, sliceNanoseconds: nanoseconds, multiple: multiple, cpus: cpus, runTimed: run,
      run: { count throws(BenchmarkFailure) in _ = try run(count) })
  }
}

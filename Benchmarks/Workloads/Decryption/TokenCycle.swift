import Benchmarking

/// Decrypts the tokens of a set in rotation and checks the length of each plaintext.
final class TokenCycle {
  /// Copies that belong to this cycle: threads that share an array would all write to its reference count, and slow
  /// each other down.
  private let tokens: [[UInt8]]
  private let lengths: [Int]
  private let open: Contender.Opener
  private var next: Int

  /// - Parameter start: the index of the first token; give each thread another one.
  init(_ checked: CheckedTokens, start: Int = 0, open: @escaping Contender.Opener) {
    tokens = checked.set.entries.map { $0.token.map(\.self) }
    lengths = checked.lengths
    self.open = open
    next = start % tokens.count
  }

  /// Creates a cycle with an engine of its own, whose caches are empty.
  convenience init(_ checked: CheckedTokens, by contender: Contender) throws(BenchmarkFailure) {
    self.init(checked, open: contender.opener(try contender.makeEngine(for: checked.set), checked.set))
  }

  /// Decrypts the next `count` tokens. Returns false if one is refused or its plaintext has an unexpected length.
  func run(_ count: Int) -> Bool {
    for _ in 0..<count {
      guard open(tokens[next]) == lengths[next] else { return false }
      next = next + 1 == tokens.count ? 0 : next + 1
    }
    return true
  }
}

extension Benchmark {
  /// A benchmark of decryption; `run` decrypts `count` tokens and returns whether all answers were right.
  static func checked(
    _ name: String, multiple: Int = 1, _ run: @escaping (_ count: Int) -> Bool
  ) -> Benchmark {
    Benchmark(name: name, multiple: multiple) { count throws(BenchmarkFailure) in
      guard run(count) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  /// A benchmark that times itself. Slices take milliseconds, so that the microseconds for waking threads hardly
  /// matter.
  ///
  /// - Parameters:
  ///   - nanoseconds: the minimum duration of a slice.
  ///   - multiple: each `count` is a multiple of this.
  ///   - cpus: the number of CPUs that it needs at once.
  ///   - run: runs `count` operations and returns nanoseconds per operation.
  static func timed(
    _ name: String, slice nanoseconds: UInt64 = 4_000_000, multiple: Int = 1, cpus: Int = 1,
    _ run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Double
  ) -> Benchmark {
    Benchmark(
      name: name, sliceNanoseconds: nanoseconds, multiple: multiple, cpus: cpus, runTimed: run,
      run: { count throws(BenchmarkFailure) in _ = try run(count) })
  }
}

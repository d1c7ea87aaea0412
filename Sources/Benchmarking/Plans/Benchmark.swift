/// Something to measure: a name and a closure that does it so many times.
public struct Benchmark {
  /// Its name in reports, `decrypt/fast/ec_v1`.
  public let name: String
  /// What one operation is called in reports: `token`, `operation`.
  public let unit: String
  /// The shortest stretch worth timing, in nanoseconds: one operation is timed alone when it takes longer than this.
  public let sliceNanoseconds: UInt64
  /// Does the operation `count` times, and throws when one gave another answer than it must.
  public let run: (_ count: Int) throws(BenchmarkFailure) -> Void

  public init(
    name: String, unit: String = "token", sliceNanoseconds: UInt64 = 20_000,
    run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Void
  ) {
    self.name = name
    self.unit = unit
    self.sliceNanoseconds = sliceNanoseconds
    self.run = run
  }
}

/// A benchmark gave a wrong answer: its speed means nothing.
public struct BenchmarkFailure: Error, Hashable, Sendable {
  /// What went wrong, without anything secret.
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

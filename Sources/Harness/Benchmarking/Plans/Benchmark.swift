/// Something to measure: a name and a closure that does it so many times.
public struct Benchmark {
  /// Its name in reports, `decrypt/fast/ec_v1`.
  public let name: String
  /// What one operation is called in reports: `token`, `operation`.
  public let unit: String
  /// What there is to say beside the name; nil mostly.
  public let note: String?
  /// The shortest stretch worth timing, in nanoseconds: one operation is timed alone when it takes longer than this.
  public let sliceNanoseconds: UInt64
  /// Counts handed to `run` are multiples of this: the number of threads among which they are shared out.
  public let multiple: Int
  /// Open-loop load: operations begin at random times, so many a second on average, and are timed from then on. Nil for one
  /// after the other.
  public let arrivalsPerSecond: Double?
  /// Does the operation `count` times, and throws when one gave another answer than it must.
  public let run: (_ count: Int) throws(BenchmarkFailure) -> Void
  /// The same for benchmarks that time themselves: the nanoseconds an operation. Nil for those that are timed from outside.
  public let runTimed: ((_ count: Int) throws(BenchmarkFailure) -> Double)?

  /// A benchmark that `run` does; see the properties.
  public init(
    name: String, unit: String = "token", sliceNanoseconds: UInt64 = 20_000, multiple: Int = 1,
    arrivalsPerSecond: Double? = nil, note: String? = nil,
    runTimed: ((_ count: Int) throws(BenchmarkFailure) -> Double)? = nil,
    run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Void
  ) {
    self.name = name
    self.unit = unit
    self.note = note
    self.sliceNanoseconds = sliceNanoseconds
    self.multiple = max(1, multiple)
    self.arrivalsPerSecond = arrivalsPerSecond
    self.runTimed = runTimed
    self.run = run
  }

  /// The smallest count allowed that is at least `count`.
  func rounded(_ count: Int) -> Int { (count + multiple - 1) / multiple * multiple }
}

/// A benchmark gave a wrong answer: its speed means nothing.
public struct BenchmarkFailure: Error, Hashable, Sendable {
  /// What went wrong, without anything secret.
  public let reason: String

  /// A failure for this reason, one phrase without a full stop.
  public init(_ reason: String) {
    self.reason = reason
  }
}

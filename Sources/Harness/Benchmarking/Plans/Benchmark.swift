/// A benchmark: a name, and a closure that repeats an operation.
public struct Benchmark {
  /// Its name in reports, `decrypt/fast/ec_v1`.
  public let name: String
  /// The name of one operation in reports: `token`, `operation`.
  public let unit: String
  /// A remark for reports; usually nil.
  public let note: String?
  /// The minimum duration of a slice, in nanoseconds. An operation that takes longer is timed alone.
  public let sliceNanoseconds: UInt64
  /// Counts passed to `run` are multiples of this, such as the number of threads or the size of a batch.
  public let multiple: Int
  /// The name of the other program that does the work; nil if this one does. If the other program fails, all its
  /// benchmarks are dropped and the measurement continues. Its allocations cannot be counted.
  public let program: String?
  /// The number of CPUs that it needs at once.
  public let cpus: Int
  /// Runs the operation `count` times. Throws if one gives a wrong answer.
  public let run: (_ count: Int) throws(BenchmarkFailure) -> Void
  /// For benchmarks that time themselves: runs the operation and returns nanoseconds per operation. Nil for the others.
  public let runTimed: ((_ count: Int) throws(BenchmarkFailure) -> Double)?

  /// Creates a benchmark.
  public init(
    name: String, unit: String = "token", sliceNanoseconds: UInt64 = 20_000, multiple: Int = 1,
    program: String? = nil, cpus: Int = 1, note: String? = nil,
    runTimed: ((_ count: Int) throws(BenchmarkFailure) -> Double)? = nil,
    run: @escaping (_ count: Int) throws(BenchmarkFailure) -> Void
  ) {
    self.name = name
    self.unit = unit
    self.note = note
    self.sliceNanoseconds = sliceNanoseconds
    self.multiple = max(1, multiple)
    self.program = program
    self.cpus = cpus
    self.runTimed = runTimed
    self.run = run
  }

  /// `count`, rounded up to a multiple of `multiple`.
  func rounded(_ count: Int) -> Int { (count + multiple - 1) / multiple * multiple }
}

/// A benchmark gave a wrong answer, or could not be run.
public struct BenchmarkFailure: Error, Hashable, Sendable {
  /// What went wrong, without secrets.
  public let reason: String
  /// Whether this machine or this process lacked threads or memory, so that nothing is known of what was measured.
  public let lacksResources: Bool

  /// Creates a failure; the reason is a phrase without a full stop.
  public init(_ reason: String, lacksResources: Bool = false) {
    self.reason = reason
    self.lacksResources = lacksResources
  }
}

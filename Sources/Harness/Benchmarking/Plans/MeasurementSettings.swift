/// The settings of a measurement.
public struct MeasurementSettings: Hashable, Sendable {
  /// The time for everything, in seconds: the preparation since `start`, counting allocations, warm-up and rounds.
  public var seconds: Double
  /// When the time began, if the benchmarks were prepared within it: a reading of the monotonic clock.
  public var start: UInt64?
  /// The seed for the order within rounds and for the bootstrap.
  public var seed: UInt64
  /// The target number of rounds. A machine that is too slow runs fewer, but at least `leastRounds`.
  public var rounds: Int
  /// The minimum number of rounds, which only a deadline reduces.
  public var leastRounds = 3
  /// The number of operations whose allocations are counted; fewer for a slow operation in a short time.
  public var countedOperations: Int
  /// When to end even with fewer than `leastRounds`: a reading of the monotonic clock. Benchmarks that were not warmed
  /// up by half of the time until then are left out.
  public var deadline: UInt64?

  /// Creates settings.
  public init(
    seconds: Double, start: UInt64? = nil, seed: UInt64, rounds: Int = 40, countedOperations: Int = 128
  ) {
    self.seconds = seconds
    self.start = start
    self.seed = seed
    self.rounds = rounds
    self.countedOperations = countedOperations
  }
}

/// The settings of a measurement.
public struct MeasurementSettings: Hashable, Sendable {
  /// The time for all rounds including the warm-up, in seconds.
  public var seconds: Double
  /// The seed for the order within rounds and for the bootstrap.
  public var seed: UInt64
  /// The target number of rounds. A machine that is too slow runs fewer, but at least three.
  public var rounds: Int
  /// The number of operations whose allocations are counted.
  public var countedOperations: Int

  /// Creates settings.
  public init(seconds: Double, seed: UInt64, rounds: Int = 40, countedOperations: Int = 128) {
    self.seconds = seconds
    self.seed = seed
    self.rounds = rounds
    self.countedOperations = countedOperations
  }
}

/// How long and how to measure.
public struct MeasurementSettings: Hashable, Sendable {
  /// The time for all rounds together, warm-up included, in seconds.
  public var seconds: Double
  /// Seed of the order within rounds and of the bootstrap.
  public var seed: UInt64
  /// Rounds aimed at; a machine too slow for them in the given time does fewer, but three at least.
  public var rounds: Int
  /// Operations during which allocations are counted.
  public var countedOperations: Int

  /// Settings; see the properties.
  public init(seconds: Double, seed: UInt64, rounds: Int = 40, countedOperations: Int = 128) {
    self.seconds = seconds
    self.seed = seed
    self.rounds = rounds
    self.countedOperations = countedOperations
  }
}

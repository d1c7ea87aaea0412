/// A measured ratio.
public struct RatioResult: Hashable, Sendable {
  /// The definition of the ratio.
  public let definition: RatioDefinition
  /// The ratio with its 95% interval.
  public let interval: BootstrapInterval
  /// The number of rounds.
  public let rounds: Int
}

extension RatioResult {
  /// Computes the ratio round by round; nil if a benchmark was not measured, or not in the same number of rounds.
  public init?(_ definition: RatioDefinition, results: [BenchmarkResult], seed: UInt64) {
    func rounds(_ name: String) -> [Double]? { results.first { $0.name == name }?.roundMedians }
    guard var numerator = rounds(definition.numerator) else { return nil }
    for name in definition.subtracted {
      guard let times = rounds(name), times.count == numerator.count else { return nil }
      for index in times.indices { numerator[index] = max(0, numerator[index] - times[index]) }
    }
    var denominator = [Double](repeating: 0, count: numerator.count)
    for name in definition.denominator {
      guard let times = rounds(name), times.count == numerator.count else { return nil }
      for index in times.indices { denominator[index] += times[index] }
    }
    let interval =
      switch definition.measure {
      case .time: BootstrapInterval(numerators: numerator, denominators: denominator, seed: seed)
      // A ratio of rates is the inverse ratio of times.
      case .throughput: BootstrapInterval(numerators: denominator, denominators: numerator, seed: seed)
      }
    guard let interval else { return nil }
    self.init(definition: definition, interval: interval, rounds: numerator.count)
  }
}

public import Benchmarking

/// What must hold on every machine: counts and ratios of the same rounds, never an absolute time.
public enum SpeedGate {
  /// The fast engine opens at least so many tokens while the reference opens one.
  public static let leastOverReference = 10.0
  /// A token takes the fast engine at most so many times what libcrypto's two operations take.
  public static let mostOverCryptoParts = 1.15

  /// What does not hold, a sentence each; nil when something needed was not measured.
  ///
  /// A ratio fails only when its whole interval lies on the wrong side.
  public static func findings(in report: BenchmarkReport) -> [String]? {
    func interval(_ name: String) -> BootstrapInterval? {
      report.ratios.first { $0.definition.name == name }?.interval
    }
    guard let overReference = interval("fast over reference"), let overParts = interval("fast over its crypto parts"),
      let allocations = report.results.first(where: { $0.name == DecryptBenchmarks.name("fast") })?.allocations
    else { return nil }
    var findings: [String] = []
    if allocations.ownCalls > 0 {
      findings.append("the fast engine allocates \(allocations.ownCalls.fixed(3)) times a token; 0 is allowed.")
    }
    if overReference.high < leastOverReference {
      findings.append(
        "the fast engine is \(overReference.ratio.fixed(1)) times as fast as the reference; "
          + "\(leastOverReference.fixed(0)) are required.")
    }
    if overParts.low > mostOverCryptoParts {
      findings.append(
        "a token takes \(overParts.ratio.fixed(3)) times as long as its crypto parts; "
          + "\(mostOverCryptoParts.fixed(2)) are allowed.")
    }
    return findings
  }
}

import Foundation
public import Testing

/// The two rings of tests: those of `make test`, and those that `make test-deep` adds (CONTRIBUTING.md, "Tests").
public enum Ring {
  /// The environment variable that selects both rings with the value `deep`.
  public static let variable = "ASSAY_TESTS"

  /// Whether the tests of the second ring run too.
  public static let isDeep = ProcessInfo.processInfo.environment[variable] == "deep"

  /// The number of random inputs: the environment variable's, or the default of the ring.
  ///
  /// - Parameters:
  ///   - first: in `make test`.
  ///   - deep: in `make test-deep`.
  ///   - variable: a variable that overrides both, such as `ASSAY_MUTATIONS`.
  public static func count(_ first: Int, deep: Int, unless variable: String = "ASSAY_MUTATIONS") -> Int {
    if let text = ProcessInfo.processInfo.environment[variable], let count = Int(text) { return count }
    return isDeep ? deep : first
  }
}

/// Why a test belongs to the second ring.
public enum DeepReason: String, Sendable {
  /// A random search, which finds more the longer it runs.
  case hunts = "it hunts: the longer, the better"
  /// It repeats something thousands of times, or runs a program for each of hundreds of cases.
  case counts = "it counts to thousands"
  /// It waits for time to pass.
  case waits = "it waits for time to pass"
  /// It measures time or memory, which other load disturbs.
  case quiet = "it needs a quiet machine"
}

extension Trait where Self == ConditionTrait {
  /// Runs in `make test-deep` only.
  public static func deep(_ reason: DeepReason) -> Self {
    .enabled(if: Ring.isDeep, "second ring (\(Ring.variable)=deep): \(reason.rawValue)")
  }
}

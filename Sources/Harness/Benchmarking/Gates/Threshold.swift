/// A limit of a metric, with the reason for its value.
public struct Threshold: Hashable, Sendable {
  /// What is limited.
  public enum Metric: String, Hashable, Sendable, CaseIterable {
    /// Calls of malloc per operation, without libcrypto's. `of` names benchmarks.
    case allocationsPerToken = "allocations_per_token"
    /// A ratio of benchmarks measured in the same rounds. `of` names ratios.
    case ratio
    /// The relative change of an instruction count from another build. `of` names benchmarks.
    case instructionsChange = "instructions_change"
    /// The floor of comparisons: the relative change of a time from another build. `of` names benchmarks.
    case timeChange = "time_change"
  }

  /// An upper or a lower limit.
  public enum Limit: Hashable, Sendable {
    case most(Double)
    case least(Double)
  }

  /// What is limited.
  public let metric: Metric
  /// The name that it applies to; a `*` at the end stands for any rest.
  public let name: String
  /// The limit.
  public let limit: Limit
  /// The P-256 kernels that it applies to; empty for all. The kernel stands for the class of the machine.
  public let kernels: [String]
  /// The reason for the limit.
  public let reason: String

  /// Creates a threshold.
  public init(_ metric: Metric, of name: String, _ limit: Limit, for kernels: [String] = [], reason: String) {
    self.kernels = kernels
    self.metric = metric
    self.name = name
    self.limit = limit
    self.reason = reason
  }

  /// Whether it applies to a name.
  func covers(_ other: String) -> Bool {
    name.hasSuffix("*") ? other.hasPrefix(name.dropLast()) : other == name
  }

  /// Whether it applies to machines that run this kernel.
  public func applies(to kernel: String) -> Bool { kernels.isEmpty || kernels.contains(kernel) }

  /// Whether it is a pattern, which need not match any name.
  var isPattern: Bool { name.hasSuffix("*") }
}

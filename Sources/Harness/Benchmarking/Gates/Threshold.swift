/// One thing that must hold: what is measured, the limit, and why it is where it is.
public struct Threshold: Hashable, Sendable {
  /// What is limited.
  public enum Metric: String, Hashable, Sendable, CaseIterable {
    /// Calls of malloc an operation, libcrypto's not counted. `of` names benchmarks.
    case allocationsPerToken = "allocations_per_token"
    /// A ratio of benchmarks of the same rounds. `of` names ratios.
    case ratio
    /// The change of an instruction count against another build, as a fraction. `of` names benchmarks.
    case instructionsChange = "instructions_change"
    /// The change of a time against another build, as a fraction: the floor of comparisons. `of` names benchmarks.
    case timeChange = "time_change"
  }

  /// Which way the limit points.
  public enum Limit: Hashable, Sendable {
    case most(Double)
    case least(Double)
  }

  /// What is limited.
  public let metric: Metric
  /// The name it is about; `*` at its end for all that begin so.
  public let name: String
  /// The limit.
  public let limit: Limit
  /// The kernels of P-256 for which it holds: the class of a machine is the one it runs. Empty for all machines.
  public let kernels: [String]
  /// Why the limit is where it is.
  public let reason: String

  /// A threshold; see the properties.
  public init(_ metric: Metric, of name: String, _ limit: Limit, for kernels: [String] = [], reason: String) {
    self.kernels = kernels
    self.metric = metric
    self.name = name
    self.limit = limit
    self.reason = reason
  }

  /// Whether it is about that name.
  func covers(_ other: String) -> Bool {
    name.hasSuffix("*") ? other.hasPrefix(name.dropLast()) : other == name
  }

  /// Whether it holds on a machine that runs this kernel.
  public func applies(to kernel: String) -> Bool { kernels.isEmpty || kernels.contains(kernel) }

  /// Whether it is about several names, of which none need be there.
  var isPattern: Bool { name.hasSuffix("*") }
}

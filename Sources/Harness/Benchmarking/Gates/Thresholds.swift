import Reports
import StrictJSON

/// The file of limits, `assay.thresholds/1`.
public struct Thresholds: Hashable, Sendable {
  /// All limits, in the order of the file. If several apply, all must hold.
  public let all: [Threshold]

  /// Creates a list of limits.
  public init(_ all: [Threshold]) {
    self.all = all
  }

  /// Reads the file's bytes.
  ///
  /// - Throws: `BenchmarkFailure` that says which entry is wrong.
  public init(parsing text: [UInt8]) throws(BenchmarkFailure) {
    guard let document = try? JSON(reading: text.span, within: .measurements),
      document["schema"]?.string == "assay.thresholds/1", let entries = document["thresholds"]?.elements
    else { throw BenchmarkFailure("it is not an assay.thresholds/1 document") }
    var all: [Threshold] = []
    for (index, entry) in entries.enumerated() {
      guard let threshold = Threshold(entry) else { throw BenchmarkFailure("entry \(index + 1) is not a threshold") }
      all.append(threshold)
    }
    self.all = all
  }

  /// The violated limits, one sentence each.
  ///
  /// A ratio violates a limit only if its whole confidence interval does.
  ///
  /// - Parameter kernel: the P-256 kernel of the measured machine; limits for others are skipped.
  /// - Throws: `BenchmarkFailure` if something that a limit needs was not measured.
  public func findings(in report: BenchmarkReport, kernel: String) throws(BenchmarkFailure) -> [String] {
    var findings: [String] = []
    for threshold in all where threshold.applies(to: kernel) {
      switch threshold.metric {
      case .allocationsPerToken: findings += try allocations(threshold, report)
      case .ratio: findings += try ratios(threshold, report)
      case .instructionsChange, .timeChange: continue
      }
    }
    return findings
  }

  /// The smallest limit of a change that applies to this name; nil if there is none.
  public func mostChange(_ metric: Threshold.Metric, of name: String) -> Double? {
    all.filter { $0.metric == metric && $0.covers(name) }.compactMap {
      guard case .most(let value) = $0.limit else { return nil }
      return value
    }.min()
  }

  private func allocations(_ threshold: Threshold, _ report: BenchmarkReport) throws(BenchmarkFailure) -> [String] {
    let results = report.results.filter { threshold.covers($0.name) }
    guard threshold.isPattern || !results.isEmpty else { throw BenchmarkFailure("\(threshold.name) was not measured") }
    var findings: [String] = []
    for result in results {
      guard let count = result.allocations?.ownCalls else {
        throw BenchmarkFailure("the allocations of \(result.name) were not counted")
      }
      guard let limit = threshold.limit.exceeded(by: count...count) else { continue }
      findings.append("\(result.name) allocates \(count.fixed(3)) times a \(result.unit); \(limit) is allowed.")
    }
    return findings
  }

  private func ratios(_ threshold: Threshold, _ report: BenchmarkReport) throws(BenchmarkFailure) -> [String] {
    let ratios = report.ratios.filter { threshold.covers($0.definition.name) }
    guard threshold.isPattern || !ratios.isEmpty else { throw BenchmarkFailure("\(threshold.name) was not measured") }
    return ratios.compactMap { ratio in
      let interval = ratio.interval
      guard let limit = threshold.limit.exceeded(by: interval.low...interval.high) else { return nil }
      return "\(ratio.definition.name) is \(interval.ratio.fixed(3)), \(interval.low.fixed(3)) to "
        + "\(interval.high.fixed(3)); \(limit) is allowed."
    }
  }
}

extension Threshold {
  /// Nil unless it has a metric, a name, exactly one limit and a reason.
  fileprivate init?(_ entry: JSON) {
    guard let metric = entry["metric"]?.string.flatMap(Metric.init(rawValue:)), let name = entry["of"]?.string,
      let reason = entry["reason"]?.string, !reason.isEmpty
    else { return nil }
    let kernels = entry["kernels"]?.elements
    let names = (kernels ?? []).compactMap(\.string)
    // An empty list would disable the limit.
    guard kernels.map({ !$0.isEmpty && $0.count == names.count }) ?? (entry["kernels"] == nil) else { return nil }
    switch (entry["most"]?.number, entry["least"]?.number) {
    case (let most?, nil): self.init(metric, of: name, .most(most), for: names, reason: reason)
    case (nil, let least?): self.init(metric, of: name, .least(least), for: names, reason: reason)
    default: return nil
    }
  }
}

extension Threshold.Limit {
  /// The limit in words if the whole interval exceeds it.
  fileprivate func exceeded(by interval: ClosedRange<Double>) -> String? {
    switch self {
    case .most(let limit): interval.lowerBound > limit ? "at most \(plain(limit))" : nil
    case .least(let limit): interval.upperBound < limit ? "at least \(plain(limit))" : nil
    }
  }

  private func plain(_ value: Double) -> String { value == value.rounded() ? value.fixed(0) : value.fixed(3) }
}

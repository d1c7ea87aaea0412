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

  /// Checks a report against the limits of allocations and ratios.
  ///
  /// A ratio violates a limit only if its whole confidence interval does, over at least ten rounds: the interval of
  /// fewer is too uncertain. A violation by a benchmark that needs several CPUs is undecided if other programs kept
  /// some of them busy, because a pool's batches are smaller then.
  ///
  /// - Parameter kernel: the P-256 kernel of the measured machine; limits for others are skipped.
  public func outcome(of report: BenchmarkReport, kernel: String) -> GateOutcome {
    var outcome = GateOutcome()
    for threshold in all where threshold.applies(to: kernel) {
      switch threshold.metric {
      case .allocationsPerToken: allocations(threshold, report, &outcome)
      case .ratio: ratios(threshold, report, &outcome)
      case .instructionsChange, .timeChange: continue
      }
    }
    for name in report.unmeasured { outcome.undecided.append("\(name) was not measured: the time was over.") }
    return outcome
  }

  /// The smallest limit of a change that applies to this name; nil if there is none.
  public func mostChange(_ metric: Threshold.Metric, of name: String) -> Double? {
    all.filter { $0.metric == metric && $0.covers(name) }.compactMap {
      guard case .most(let value) = $0.limit else { return nil }
      return value
    }.min()
  }

  private func allocations(_ threshold: Threshold, _ report: BenchmarkReport, _ outcome: inout GateOutcome) {
    let results = report.results.filter { threshold.covers($0.name) }
    if results.isEmpty, !threshold.isPattern { outcome.undecided.append("\(threshold.name) was not measured.") }
    for result in results {
      guard let count = result.allocations?.ownCalls else {
        outcome.undecided.append("the allocations of \(result.name) were not counted.")
        continue
      }
      guard let limit = threshold.limit.exceeded(by: count...count) else { continue }
      let text = "\(result.name) allocates \(count.fixed(3)) times a \(result.unit); \(limit) is allowed"
      if report.disturbed.contains(result.name) {
        outcome.open.insert(result.name)
        outcome.undecided.append("\(text), but it needs several CPUs, and other programs kept some busy.")
      } else {
        outcome.contested.insert(result.name)
        outcome.findings.append("\(text).")
      }
    }
  }

  private func ratios(_ threshold: Threshold, _ report: BenchmarkReport, _ outcome: inout GateOutcome) {
    let ratios = report.ratios.filter { threshold.covers($0.definition.name) }
    if ratios.isEmpty, !threshold.isPattern { outcome.undecided.append("\(threshold.name) was not measured.") }
    for ratio in ratios {
      let interval = ratio.interval
      guard let limit = threshold.limit.exceeded(by: interval.low...interval.high) else { continue }
      let names = ratio.definition.benchmarks
      let text =
        "\(ratio.definition.name) is \(interval.ratio.fixed(3)), \(interval.low.fixed(3)) to "
        + "\(interval.high.fixed(3)); \(limit) is allowed"
      if ratio.rounds < Self.fewestRounds {
        outcome.open.formUnion(names)
        outcome.undecided.append("\(text), but there were only \(Text.counted(ratio.rounds, "round")).")
      } else if !report.disturbed.isDisjoint(with: names) {
        outcome.open.formUnion(names)
        outcome.undecided.append("\(text), but it needs several CPUs, and other programs kept some busy.")
      } else {
        outcome.contested.formUnion(names)
        outcome.findings.append("\(text).")
      }
    }
  }

  /// The minimum number of rounds for a ratio to violate its limit.
  static let fewestRounds = 10
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

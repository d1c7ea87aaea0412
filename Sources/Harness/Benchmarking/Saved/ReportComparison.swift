import HostIO
import Reports

/// Compares two saved measurements that were made at different times.
///
/// The machine may have been slower during one of them. So each round's times are divided by those of anchor benchmarks
/// in the same round: operations of a library that did not change. `TrimmedTest` then compares the logarithms of these
/// relative times. Allocations do not depend on the machine's speed and are compared directly.
public struct ReportComparison {
  /// The names of the anchor benchmarks; the sum of their times is the unit.
  public let anchors: [String]
  /// The limits for a difference to count.
  public let limits: ComparisonLimits

  /// Creates a comparison with these anchors.
  public init(anchors: [String], limits: ComparisonLimits) {
    self.anchors = anchors
    self.limits = limits
  }

  /// The result of a comparison.
  public struct Outcome: Hashable, Sendable {
    /// The comparison of times, and missing benchmarks.
    public let rows: [ComparisonRow]
    /// The names of new benchmarks.
    public let added: [String]
    /// One sentence for each benchmark that allocates more than before.
    public let allocations: [String]
  }

  /// Compares `after` with `before`.
  ///
  /// - Throws: `BenchmarkFailure` if an anchor is missing in either.
  public func compare(_ before: BenchmarkReport, _ after: BenchmarkReport) throws(BenchmarkFailure) -> Outcome {
    let units = (try unit(of: before), try unit(of: after))
    let (earlier, later) = (Set(before.results.map(\.name)), results(of: after))
    var tests: [(name: String, test: TrimmedTest?, medians: [Double])] = []
    var allocations: [String] = []
    for old in before.results where !anchors.contains(old.name) {
      guard let new = later[old.name] else { continue }
      let logarithms = (relative(old, to: units.0), relative(new, to: units.1))
      tests.append((old.name, TrimmedTest(of: logarithms.1, less: logarithms.0), [old.p50, new.p50]))
      if let sentence = moreAllocations(old, new) { allocations.append(sentence) }
    }
    let missing = before.results.map(\.name).filter { later[$0] == nil }
    let added = after.results.map(\.name).filter { !earlier.contains($0) }
    return Outcome(
      rows: ComparisonRow.evaluate(tests, limits: limits) + missing.map { ComparisonRow(name: $0, verdict: .missing) },
      added: added, allocations: allocations)
  }

  /// The results by name. Those of a foreign file may be many.
  private func results(of report: BenchmarkReport) -> [String: BenchmarkResult] {
    Dictionary(report.results.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The time of the unit in each round.
  func unit(of report: BenchmarkReport) throws(BenchmarkFailure) -> [Double] {
    var sums = [Double](repeating: 0, count: report.rounds)
    for name in anchors {
      guard let result = report.results.first(where: { $0.name == name }), result.roundMedians.count == sums.count
      else {
        throw BenchmarkFailure("\(name), the unit of times, was not measured")
      }
      for (round, time) in result.roundMedians.enumerated() { sums[round] += time }
    }
    return sums
  }

  /// The logarithms of a result's times in units, for each round.
  func relative(_ result: BenchmarkResult, to unit: [Double]) -> [Double] {
    zip(result.roundMedians, unit).filter { $0 > 0 && $1 > 0 }.map { log($0 / $1) }.filter(\.isFinite)
  }

  private func moreAllocations(_ old: BenchmarkResult, _ new: BenchmarkResult) -> String? {
    guard let before = old.allocations?.ownCalls, let after = new.allocations?.ownCalls, after > before + 0.0005 else {
      return nil
    }
    return "\(new.name) allocates \(after.fixed(3)) times a \(new.unit), \(before.fixed(3)) before."
  }
}

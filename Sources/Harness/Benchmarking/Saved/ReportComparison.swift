import HostIO
import Reports

extension BenchmarkReport {
  /// Compares this measurement with one that was made at another time.
  ///
  /// The machine may have been slower during one of them. So each round's times are divided by those of anchor
  /// benchmarks in the same round: operations of a library that did not change. `TrimmedTest` then compares the
  /// logarithms of these relative times. Allocations do not depend on the machine's speed and are compared directly.
  ///
  /// - Parameters:
  ///   - anchors: the names of the anchor benchmarks; the sum of their times is the unit.
  ///   - limits: the limits for a difference to count.
  /// - Returns: the comparison of times with missing benchmarks, the names of new ones, and a sentence for each
  ///   benchmark that allocates more than before.
  /// - Throws: `BenchmarkFailure` if an anchor is missing in either.
  public func compared(
    with before: BenchmarkReport, anchors: [String], limits: ComparisonLimits
  ) throws(BenchmarkFailure) -> (rows: [ComparisonRow], added: [String], allocations: [String]) {
    let units = (try before.unit(anchors), try unit(anchors))
    let earlier = Set(before.results.map(\.name))
    // A dictionary, because a file may hold many results.
    let later = Dictionary(results.map { ($0.name, $0) }) { first, _ in first }
    var tests: [(name: String, test: TrimmedTest?, medians: [Double])] = []
    var allocations: [String] = []
    for old in before.results where !anchors.contains(old.name) {
      guard let new = later[old.name] else { continue }
      let test = TrimmedTest(of: new.logarithms(in: units.1), less: old.logarithms(in: units.0))
      tests.append((old.name, test, [old.p50, new.p50]))
      if let sentence = new.moreAllocations(than: old) { allocations.append(sentence) }
    }
    let missing = before.results.map(\.name).filter { later[$0] == nil }
    let added = results.map(\.name).filter { !earlier.contains($0) }
    let rows = ComparisonRow.evaluate(tests, limits: limits)
    return (rows + missing.map { ComparisonRow(name: $0, verdict: .missing) }, added, allocations)
  }

  /// The time of the anchors in each round.
  private func unit(_ anchors: [String]) throws(BenchmarkFailure) -> [Double] {
    var sums = [Double](repeating: 0, count: rounds)
    for name in anchors {
      guard let result = results.first(where: { $0.name == name }), result.roundMedians.count == sums.count
      else {
        throw BenchmarkFailure("\(name), the unit of times, was not measured, or again by a gate")
      }
      for (round, time) in result.roundMedians.enumerated() { sums[round] += time }
    }
    return sums
  }
}

extension BenchmarkResult {
  /// The logarithm of each round's time in units of `unit`. None if a gate measured the benchmark again, in other
  /// rounds.
  fileprivate func logarithms(in unit: [Double]) -> [Double] {
    guard roundMedians.count == unit.count else { return [] }
    return zip(roundMedians, unit).filter { $0 > 0 && $1 > 0 }.map { log($0 / $1) }.filter(\.isFinite)
  }

  fileprivate func moreAllocations(than old: BenchmarkResult) -> String? {
    guard let before = old.allocations?.ownCalls, let after = allocations?.ownCalls, after > before + 0.0005 else {
      return nil
    }
    return "\(name) allocates \(after.fixed(3)) times a \(unit), \(before.fixed(3)) before."
  }
}

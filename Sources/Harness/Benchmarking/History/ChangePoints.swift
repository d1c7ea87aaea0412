import HostIO

/// Where a series of measurements, one for each commit, changes its level.
///
/// The method is that of Hunter, today Apache Otava (Fleming and others, "Hunter: Using Change Point Detection to Hunt
/// for Performance Regressions", ICPE 2023). A part of the series is split where the energy statistic of E-divisive
/// means is largest (Matteson and James 2014), as long as Student's t test passes at a lax level (`hint`). Then the
/// weakest splits are removed, until each passes a strict test between its neighbours. The lax level also lets through
/// a slowdown that a later commit undid: it hardly moves the mean. Unlike in E-divisive, no permutations are drawn.
///
/// Hunter's strict test has a constant significance level. A split is the best of many places, so here that level is
/// divided by their number (Bonferroni), which bounds the chance of a false step anywhere in independent measurements.
package enum ChangePoints {
  /// A change of the level.
  package struct Step: Hashable, Sendable {
    /// The index of the first value of the new level.
    package let index: Int
    /// The change as a fraction: 0.05 is 5% longer.
    package let change: Double
    /// The p-value, corrected for the number of places.
    package let probability: Double
  }

  /// The chance of a false step in all series together.
  package static let significance = 0.01
  /// The smallest step that counts: two builds of equal speed differ by 1% to 2% (Docs/Measuring.md).
  package static let floor = 0.01
  /// The fewest values of a level.
  package static let least = 5
  /// The lax significance level of the first search for splits, without a correction for the number of places.
  private static let hint = 0.01

  /// The steps, in order.
  ///
  /// - Parameters:
  ///   - values: logarithms of times.
  ///   - count: the number of series, over which the chance of a false step is distributed.
  package static func steps(in values: [Double], series count: Int = 1) -> [Step] {
    var splits = hints(in: values[...])
    while true {
      let bounds = [0] + splits + [values.count]
      let steps = splits.indices.map { number -> Step in
        let split = bounds[number + 1]
        let test = StudentTest(values[bounds[number]..<split], values[split..<bounds[number + 2]])
        return Step(
          index: split, change: exp(test.difference) - 1,
          probability: min(1, test.probability * Double(values.count * count)))
      }
      let failed = steps.indices.filter {
        steps[$0].probability > significance || abs(steps[$0].change) < floor
      }
      guard let weakest = failed.max(by: { steps[$0].probability < steps[$1].probability }) else { return steps }
      splits.remove(at: weakest)
    }
  }

  private static func hints(in part: ArraySlice<Double>) -> [Int] {
    guard part.count >= 2 * least, let split = mostDivided(part) else { return [] }
    let (before, after) = (part[..<split], part[split...])
    guard StudentTest(before, after).probability <= hint else { return [] }
    return hints(in: before) + [split] + hints(in: after)
  }

  /// The split with the largest energy statistic: twice the mean distance between its parts, less those within them.
  private static func mostDivided(_ part: ArraySlice<Double>) -> Int? {
    var (left, right) = (0.0, 0.0)
    let distances = part.indices.map { index -> (left: Double, right: Double) in
      func sum(_ others: ArraySlice<Double>) -> Double { others.reduce(0) { $0 + abs($1 - part[index]) } }
      return (sum(part[..<index]), sum(part[(index + 1)...]))
    }
    for distance in distances { right += distance.right }
    let all = right
    var best: (split: Int, energy: Double)?
    for (offset, distance) in distances.enumerated() {
      left += distance.left
      right -= distance.right
      guard offset + 1 >= least, part.count - offset - 1 >= least else { continue }
      let (n, m) = (Double(offset + 1), Double(part.count - offset - 1))
      let energy = 2 * (all - left - right) / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1))
      let scaled = energy * n * m / (n + m)
      if scaled > best?.energy ?? -.infinity { best = (part.startIndex + offset + 1, scaled) }
    }
    return best?.split
  }
}

/// Student's t test on the means of two samples with one variance.
private struct StudentTest {
  let difference: Double
  let probability: Double

  init(_ values: ArraySlice<Double>, _ others: ArraySlice<Double>) {
    func mean(_ part: ArraySlice<Double>) -> Double { part.reduce(0, +) / Double(part.count) }
    func squares(_ part: ArraySlice<Double>) -> Double {
      let mean = mean(part)
      return part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    difference = mean(others) - mean(values)
    let freedom = Double(values.count + others.count - 2)
    let error =
      ((squares(values) + squares(others)) / freedom * (1 / Double(values.count) + 1 / Double(others.count)))
      .squareRoot()
    probability =
      error > 0 ? StudentDistribution.twoSided(difference / error, freedom: freedom) : difference == 0 ? 1 : 0
  }
}

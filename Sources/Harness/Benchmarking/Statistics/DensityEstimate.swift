import HostIO

/// The probability density of samples: the mean of Gaussian kernels around them, with Silverman's bandwidth (Density
/// Estimation for Statistics and Data Analysis, 1986, formula 3.31).
///
/// Samples farther from the quartiles than 1.5 times the distance between them are outliers (Tukey). The estimate
/// leaves them out, because one disturbed round would flatten the curve.
package struct DensityEstimate: Hashable, Sendable {
  /// Places at equal distances, in ascending order.
  package let places: [Double]
  /// The density at each place.
  package let densities: [Double]
  /// The number of outliers below the other samples.
  package let outliersBelow: Int
  /// The number of outliers above the other samples.
  package let outliersAbove: Int

  /// Estimates a density; nil without two samples that differ and are no outliers.
  ///
  /// - Parameter count: the number of places, at least two.
  package init?(samples: [Double], count: Int = 100) {
    let sorted = samples.sorted()
    guard sorted.count > 1, count > 1 else { return nil }
    // As many samples are above the upper quartile as below the lower one.
    let rank = (sorted.count + 3) / 4 - 1
    let (low, high) = (sorted[rank], sorted[sorted.count - 1 - rank])
    let (least, most) = (low - 1.5 * (high - low), high + 1.5 * (high - low))
    let inner = sorted.filter { $0 >= least && $0 <= most }
    guard let first = inner.first, let last = inner.last, first < last else { return nil }
    let size = Double(inner.count)
    let mean = inner.reduce(0, +) / size
    let deviation = (inner.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (size - 1)).squareRoot()
    let bandwidth = 0.9 * min(deviation, (high - low) / 1.34) * pow(size, -0.2)
    guard bandwidth > 0 else { return nil }
    // About a thousandth of a kernel's mass lies farther out on each side.
    let (start, end) = (first - 3 * bandwidth, last + 3 * bandwidth)
    places = (0..<count).map { start + (end - start) * Double($0) / Double(count - 1) }
    let unit = 1 / (size * bandwidth * (2 * Double.pi).squareRoot())
    densities = places.map { place in
      inner.reduce(0) { sum, sample in
        let distance = (place - sample) / bandwidth
        return sum + unit * exp(-distance * distance / 2)
      }
    }
    outliersBelow = sorted.count { $0 < least }
    outliersAbove = sorted.count { $0 > most }
  }
}

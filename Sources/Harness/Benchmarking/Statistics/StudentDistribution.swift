import HostIO

/// Student's t distribution, by the incomplete beta function (Abramowitz and Stegun 26.5.27, 26.5.8).
enum StudentDistribution {
  /// The two-sided p-value: the probability of a value at least this far from zero.
  ///
  /// - Parameter freedom: degrees of freedom, above zero.
  static func twoSided(_ value: Double, freedom: Double) -> Double {
    guard value.isFinite, freedom > 0 else { return value.isNaN ? 1 : 0 }
    return incompleteBeta(freedom / (freedom + value * value), freedom / 2, 0.5)
  }

  /// The value whose two-sided p-value is `probability`, by bisection.
  static func quantile(twoSided probability: Double, freedom: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while twoSided(high, freedom: freedom) > probability, high < 1e9 { high *= 2 }
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if twoSided(middle, freedom: freedom) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The regularized incomplete beta function. Its continued fraction converges fast only on one side of the mean.
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2) { return front * fraction(x, a, b) / a }
    return 1 - front * fraction(1 - x, b, a) / b
  }

  /// Lentz's evaluation of the continued fraction.
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func inverse(_ value: Double) -> Double { 1 / (abs(value) < tiny ? tiny : value) }
    var c = 1.0
    var d = inverse(1 - (a + b) * x / (a + 1))
    var result = d
    for step in 1...300 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = inverse(1 + even * d)
      c = 1 + even / (abs(c) < tiny ? tiny : c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = inverse(1 + odd * d)
      c = 1 + odd / (abs(c) < tiny ? tiny : c)
      result *= d * c
      if abs(d * c - 1) < 1e-14 { break }
    }
    return result
  }

  /// ln Γ for positive numbers. `lgamma_r`, because `lgamma` writes a global variable.
  private static func logGamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
  }
}

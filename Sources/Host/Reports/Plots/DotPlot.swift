#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension HTML {
  /// Positive values with their intervals on one scale, each below its name.
  ///
  /// The scale is logarithmic if the largest value is more than twenty times the smallest: on a linear one the small
  /// values could not be told apart.
  ///
  /// - Parameters:
  ///   - label: the description for screen readers.
  ///   - format: formats a value of the scale.
  public static func dotPlot(_ rows: [Interval], label: String, format: (Double) -> String) -> HTML {
    let rows = rows.filter { $0.low > 0 && $0.high.isFinite }
    guard let least = rows.map(\.low).min(), let most = rows.map(\.high).max() else { return .nothing }
    let isLogarithmic = most > 20 * least
    let first = isLogarithmic ? pow(10, log10(least).rounded(.down)) : 0
    let last = isLogarithmic ? pow(10, log10(most).rounded(.up)) : most * 1.05
    func x(_ value: Double) -> Double {
      margin + (SVG.width - 2 * margin) * (isLogarithmic ? log(value / first) / log(last / first) : value / last)
    }
    let height = Double(rows.count) * rowHeight
    let ticks = isLogarithmic ? powers(from: first, to: last) : [0, most / 2, most]
    var drawn = ticks.map { SVG.line(x($0), 0, x($0), height, class: "grid") }
    for (index, row) in rows.enumerated() {
      drawn += row.marks(top: Double(index) * rowHeight, x)
    }
    for (index, tick) in ticks.enumerated() {
      let anchor = index == 0 ? "start" : index == ticks.count - 1 ? "end" : "middle"
      drawn.append(SVG.text(format(tick), x: x(tick), y: height + 14, class: "scale", anchor: anchor))
    }
    return SVG.drawing(height: height + 20, label: label, drawn)
  }

  private static let rowHeight = 34.0
  private static let margin = 8.0

  private static func powers(from first: Double, to last: Double) -> [Double] {
    var powers = [first]
    // Half a power of room, because the logarithms are rounded.
    while let power = powers.last, power * 3 < last { powers.append(power * 10) }
    return powers
  }
}

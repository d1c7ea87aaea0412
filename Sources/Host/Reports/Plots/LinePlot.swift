#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension HTML {
  /// A line of a plot.
  public struct Line {
    /// The name of the line.
    public let label: String
    /// A positive value for each position; nil if there is none.
    public let values: [Double?]

    /// Creates a line.
    public init(label: String, values: [Double?]) {
      self.label = label
      self.values = values
    }
  }

  /// The scale of values.
  public enum Scale: Sendable {
    /// Linear from zero.
    case linear
    /// Logarithmic.
    case logarithmic
  }

  /// Lines over named positions, such as percentiles or successive measurements.
  ///
  /// - Parameters:
  ///   - label: the description for screen readers.
  ///   - format: formats a value.
  public static func linePlot(
    positions: [String], lines: [Line], scale: Scale, label: String, format: @escaping (Double) -> String
  ) -> HTML {
    LinePlot(positions: positions, lines: lines, scale: scale, label: label, format: format).html
  }
}

/// Draws a line plot.
private struct LinePlot {
  let positions: [String]
  let lines: [HTML.Line]
  let scale: HTML.Scale
  let label: String
  let format: (Double) -> String

  private static let left = 82.0
  private static let right = 12.0
  private static let top = 10.0
  private static let height = 170.0
  private static let legendHeight = 20.0
  private static let ticks = 4

  var html: HTML {
    let values = lines.flatMap(\.values).compactMap { $0 }.filter { $0 > 0 }
    guard let least = values.min(), let most = values.max(), !positions.isEmpty else { return .nothing }
    let low = scale == .linear ? 0 : log(least / 1.2)
    let high = scale == .linear ? most * 1.1 : log(most * 1.2)
    func x(_ index: Int) -> Double {
      let room = SVG.width - Self.left - Self.right
      return Self.left + (positions.count == 1 ? room / 2 : room * Double(index) / Double(positions.count - 1))
    }
    func y(_ value: Double) -> Double {
      let place = scale == .linear ? value : log(max(value, .leastNonzeroMagnitude))
      return Self.top + Self.height * (1 - (place - low) / max(high - low, .leastNonzeroMagnitude))
    }
    var drawn: [HTML] = []
    for tick in 0...Self.ticks {
      let place = low + (high - low) * Double(tick) / Double(Self.ticks)
      let value = scale == .linear ? place : exp(place)
      drawn += [
        SVG.line(Self.left, y(value), SVG.width - Self.right, y(value), class: "grid"),
        SVG.text(format(value), x: Self.left - 6, y: y(value) + 4, class: "scale", anchor: "end"),
      ]
    }
    drawn += names(x)
    for (number, line) in lines.enumerated() { drawn += draw(line, number, x, y) }
    return SVG.drawing(
      height: Self.top + Self.height + 28 + Double(lines.count) * Self.legendHeight, label: label, drawn)
  }

  /// The names of the positions; only the first and the last if there are more than six.
  private func names(_ x: (Int) -> Double) -> [HTML] {
    positions.enumerated().compactMap { index, name in
      guard positions.count <= 6 || index == 0 || index == positions.count - 1 else { return nil }
      let anchor = index == positions.count - 1 && index > 0 ? "end" : index == 0 ? "start" : "middle"
      return SVG.text(
        String(name.prefix(16)), x: x(index), y: Self.top + Self.height + 18, class: "scale", anchor: anchor)
    }
  }

  private func draw(
    _ line: HTML.Line, _ number: Int, _ x: (Int) -> Double, _ y: (Double) -> Double
  ) -> [HTML] {
    let colour = number % SVG.colours
    let points = line.values.enumerated().compactMap { index, value in
      value.flatMap { $0 > 0 ? (index: index, value: $0) : nil }
    }
    let legend = Self.top + Self.height + 28 + Double(number) * Self.legendHeight
    return [
      SVG.path(points.map { (x($0.index), y($0.value)) }, class: "line\(colour)"),
      SVG.box(x: Self.left, y: legend + 2, width: 10, height: 10, class: "bar\(colour)"),
      SVG.text(line.label, x: Self.left + 18, y: legend + 12),
    ]
      + points.map {
        SVG.dot(
          x($0.index), y($0.value), class: "bar\(colour)",
          title: "\(line.label), \(positions[$0.index]): \(format($0.value))")
      }
  }
}

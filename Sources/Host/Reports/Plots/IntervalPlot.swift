extension HTML {
  /// A value with its interval.
  public struct Interval {
    /// The name of the value.
    public let label: String
    /// The interval's lower end.
    public let low: Double
    /// The value itself.
    public let value: Double
    /// The interval's upper end.
    public let high: Double
    /// The value as text.
    public let text: String
    /// The tone of the value.
    public let tone: Tone

    /// Creates an interval.
    public init(label: String, low: Double, value: Double, high: Double, text: String, tone: Tone) {
      self.label = label
      self.low = low
      self.value = value
      self.high = high
      self.text = text
      self.tone = tone
    }
  }

  /// Values with their intervals around a line at zero.
  ///
  /// - Parameter unit: the unit after the numbers of the scale.
  public static func intervalPlot(_ rows: [Interval], unit: String) -> HTML {
    guard !rows.isEmpty else { return .nothing }
    let reach = max(rows.flatMap { [abs($0.low), abs($0.high)] }.max() ?? 0, 0.001) * 1.05
    func x(_ value: Double) -> Double { 0.5 + 0.5 * max(-1, min(1, value / reach)) }
    let marks = Interval.marks(rows, lines: [(x(0), "axis")], x)
    let y = marks.height + 14
    let scale = [
      SVG.text("-\(SVG.number(reach))\(unit)", x: 0, y: y, class: "scale"),
      SVG.text("0", x: x(0), y: y, class: "scale", anchor: "middle"),
      SVG.text("+\(SVG.number(reach))\(unit)", x: 1, y: y, class: "scale", anchor: "end"),
    ]
    return SVG.drawing(
      height: marks.height + 20, left: Interval.margin, right: Interval.margin,
      label: "\(rows.count) values with intervals", marks.drawn + scale)
  }
}

extension HTML.Interval {
  /// The room beside the scale for the dots at its ends.
  static let margin = 8.0
  private static let rowHeight = 40.0

  /// Rows of a name, a text and below them the interval and its value. Vertical lines cross the intervals only, because
  /// they would make the names hard to read.
  static func marks(
    _ rows: [HTML.Interval], lines: [(x: Double, style: String)], _ x: (Double) -> Double
  ) -> (height: Double, drawn: [HTML]) {
    let drawn = rows.enumerated().flatMap { index, row in
      let top = Double(index) * rowHeight
      return lines.map { SVG.line($0.x, top + 18, $0.x, top + 30, class: $0.style) } + row.marks(top: top, x)
    }
    return (Double(rows.count) * rowHeight, drawn)
  }

  private func marks(top: Double, _ x: (Double) -> Double) -> [HTML] {
    [
      SVG.text(label, x: 0, shift: -Self.margin, y: top + 13),
      SVG.text(text, x: 1, shift: Self.margin, y: top + 13, class: "value", anchor: "end"),
      SVG.line(x(low), top + 24, x(high), top + 24, class: "span \(tone.rawValue)"),
      SVG.dot(x(value), top + 24, class: "dot \(tone.rawValue)", title: "\(label): \(text)"),
    ]
  }
}

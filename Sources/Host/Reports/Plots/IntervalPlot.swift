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
    let rowHeight = 34.0
    let margin = 8.0
    guard !rows.isEmpty else { return .nothing }
    let reach = max(rows.flatMap { [abs($0.low), abs($0.high)] }.max() ?? 0, 0.001) * 1.05
    func x(_ value: Double) -> Double {
      SVG.width / 2 + (SVG.width / 2 - margin) * max(-1, min(1, value / reach))
    }
    let height = Double(rows.count) * rowHeight
    var drawn = [SVG.line(x(0), 0, x(0), height, class: "axis")]
    for (index, row) in rows.enumerated() {
      drawn += row.marks(top: Double(index) * rowHeight, x)
    }
    let y = height + 14
    drawn += [
      SVG.text("-\(SVG.number(reach))\(unit)", x: 0, y: y, class: "scale"),
      SVG.text("0", x: x(0), y: y, class: "scale", anchor: "middle"),
      SVG.text("+\(SVG.number(reach))\(unit)", x: SVG.width, y: y, class: "scale", anchor: "end"),
    ]
    return SVG.drawing(height: height + 20, label: "\(rows.count) values with intervals", drawn)
  }
}

extension HTML.Interval {
  /// The name, the text, the interval and the value, in a row that begins at `top`.
  func marks(top: Double, _ x: (Double) -> Double) -> [HTML] {
    [
      SVG.text(label, x: 0, y: top + 13), SVG.text(text, x: SVG.width, y: top + 13, class: "value", anchor: "end"),
      SVG.line(x(low), top + 23, x(high), top + 23, class: "span \(tone.rawValue)"),
      SVG.dot(x(value), top + 23, class: "dot \(tone.rawValue)", title: "\(label): \(text)"),
    ]
  }
}

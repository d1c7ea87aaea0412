/// Values with their intervals beside a line at zero.
public struct IntervalPlot {
  /// A value.
  public struct Row {
    public let label: String
    public let low: Double
    public let value: Double
    public let high: Double
    /// The value in words.
    public let text: String
    public let tone: HTML.Tone

    public init(label: String, low: Double, value: Double, high: Double, text: String, tone: HTML.Tone) {
      self.label = label
      self.low = low
      self.value = value
      self.high = high
      self.text = text
      self.tone = tone
    }
  }

  private let rows: [Row]
  private let unit: String

  /// - Parameter unit: what stands behind the numbers of the scale.
  public init(rows: [Row], unit: String) {
    self.rows = rows
    self.unit = unit
  }

  private static let rowHeight = 34.0
  private static let margin = 8.0

  public var html: HTML {
    guard !rows.isEmpty else { return .nothing }
    let reach = max(rows.flatMap { [abs($0.low), abs($0.high)] }.max() ?? 0, 0.001) * 1.05
    func x(_ value: Double) -> Double {
      SVG.width / 2 + (SVG.width / 2 - Self.margin) * max(-1, min(1, value / reach))
    }
    let height = Double(rows.count) * Self.rowHeight
    var drawn = [SVG.line(x(0), 0, x(0), height, class: "axis")]
    for (index, row) in rows.enumerated() {
      let top = Double(index) * Self.rowHeight
      drawn += [
        SVG.text(row.label, x: 0, y: top + 13),
        SVG.text(row.text, x: SVG.width, y: top + 13, class: "value", anchor: "end"),
        SVG.line(x(row.low), top + 23, x(row.high), top + 23, class: "span \(row.tone.rawValue)"),
        SVG.dot(x(row.value), top + 23, class: "dot \(row.tone.rawValue)", title: "\(row.label): \(row.text)"),
      ]
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

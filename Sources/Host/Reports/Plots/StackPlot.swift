/// One bar of parts that add up, with their names, values and shares below.
public struct StackPlot {
  private let parts: [BarPlot.Bar]
  private let label: String

  /// - Parameter label: what is drawn, for those who cannot see it.
  public init(_ parts: [BarPlot.Bar], label: String) {
    self.parts = parts
    self.label = label
  }

  private static let rowHeight = 22.0
  private static let top = 34.0
  /// How many colours there are.
  private static let colours = 6

  public var html: HTML {
    let sum = max(parts.reduce(0) { $0 + max($1.value, 0) }, .leastNonzeroMagnitude)
    var x = 0.0
    var drawn: [HTML] = []
    for (index, part) in parts.enumerated() {
      let width = SVG.width * max(part.value, 0) / sum
      let colour = "bar\(index % Self.colours)"
      let y = Self.top + Double(index) * Self.rowHeight
      drawn += [
        SVG.box(x: x, y: 4, width: width, height: 20, class: colour),
        SVG.box(x: 0, y: y + 4, width: 10, height: 10, class: colour),
        SVG.text(part.label, x: 18, y: y + 14),
        SVG.text(part.text, x: SVG.width - 60, y: y + 14, class: "value", anchor: "end"),
        SVG.text(SVG.number(100 * max(part.value, 0) / sum) + "%", x: SVG.width, y: y + 14, anchor: "end"),
      ]
      x += width
    }
    return SVG.drawing(height: Self.top + Double(parts.count) * Self.rowHeight, label: label, drawn)
  }
}

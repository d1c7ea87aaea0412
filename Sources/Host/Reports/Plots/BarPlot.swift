extension HTML {
  /// A bar of a plot: its name, the value, which is its length, and the value as text.
  public typealias Bar = (label: String, value: Double, text: String)

  /// A stacked bar, with the names, values and shares of its parts below.
  ///
  /// - Parameter label: the description for screen readers.
  public static func stackPlot(_ parts: [Bar], label: String) -> HTML {
    let rowHeight = 22.0
    let firstRow = 34.0
    let sum = max(parts.reduce(0) { $0 + max($1.value, 0) }, .leastNonzeroMagnitude)
    var x = 0.0
    var drawn: [HTML] = []
    for (index, part) in parts.enumerated() {
      let share = max(part.value, 0) / sum
      let colour = "bar\(index % SVG.colours)"
      let y = firstRow + Double(index) * rowHeight
      drawn += [
        SVG.box(x: x, y: 4, width: share, height: 20, class: colour),
        SVG.swatch(y: y + 4, class: colour),
        SVG.text(part.label, x: 0, shift: 18, y: y + 14),
        SVG.text(part.text, x: 1, shift: -60, y: y + 14, class: "value", anchor: "end"),
        SVG.text(SVG.number(100 * share) + "%", x: 1, y: y + 14, anchor: "end"),
      ]
      x += share
    }
    return SVG.drawing(height: firstRow + Double(parts.count) * rowHeight, label: label, drawn)
  }
}

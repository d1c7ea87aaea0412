/// Bars from left to right, each under its name and value.
public struct BarPlot {
  /// A bar.
  public struct Bar {
    public let label: String
    public let value: Double
    /// The value in words.
    public let text: String

    public init(label: String, value: Double, text: String) {
      self.label = label
      self.value = value
      self.text = text
    }
  }

  private let bars: [Bar]
  private let label: String

  /// - Parameter label: what is drawn, for those who cannot see it.
  public init(_ bars: [Bar], label: String) {
    self.bars = bars
    self.label = label
  }

  private static let rowHeight = 36.0

  public var html: HTML {
    let largest = max(bars.map(\.value).max() ?? 0, .leastNonzeroMagnitude)
    return SVG.drawing(
      height: Double(bars.count) * Self.rowHeight, label: label,
      bars.enumerated().flatMap { index, bar in
        let top = Double(index) * Self.rowHeight
        return [
          SVG.text(bar.label, x: 0, y: top + 14),
          SVG.text(bar.text, x: SVG.width, y: top + 14, class: "value", anchor: "end"),
          SVG.box(x: 0, y: top + 20, width: SVG.width, height: 9, class: "ground"),
          SVG.box(x: 0, y: top + 20, width: SVG.width * max(bar.value, 0) / largest, height: 9, class: "bar0"),
        ]
      })
  }
}

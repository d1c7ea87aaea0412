extension HTML {
  /// Positive values with their intervals on one scale, each below its name.
  ///
  /// The scale is logarithmic if the highest end of an interval is more than twenty times the lowest: on a linear one
  /// the small values could not be told apart.
  ///
  /// - Parameters:
  ///   - label: the description for screen readers.
  ///   - format: formats a value of the scale.
  public static func dotPlot(_ rows: [Interval], label: String, format: (Double) -> String) -> HTML {
    let rows = rows.filter { $0.low > 0 && $0.high.isFinite }
    guard let least = rows.map(\.low).min(), let most = rows.map(\.high).max() else { return .nothing }
    let isLogarithmic = most > 20 * least
    let axis = isLogarithmic ? Axis(logarithmicFrom: least, to: most) : Axis(linearFrom: 0, to: most)
    let marks = Interval.marks(rows, lines: axis.ticks.map { (axis.place($0), "grid") }, axis.place)
    var drawn = marks.drawn
    for (index, tick) in axis.ticks.enumerated() {
      let anchor = index == 0 ? "start" : index == axis.ticks.count - 1 ? "end" : "middle"
      drawn.append(
        SVG.text(format(tick), x: axis.place(tick), y: marks.height + 14, class: "scale", anchor: anchor))
    }
    let margin = Interval.margin
    if isLogarithmic {
      drawn.append(SVG.text(Axis.logarithmicNote, x: 0, shift: -margin, y: marks.height + 34, class: "scale"))
    }
    return SVG.drawing(
      height: marks.height + (isLogarithmic ? 40 : 20), left: margin, right: margin, label: label, drawn)
  }
}

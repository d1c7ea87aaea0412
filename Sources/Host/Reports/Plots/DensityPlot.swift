extension HTML {
  /// The density of samples below its name: a curve, a line at a value, and a band over the value's interval.
  ///
  /// - Parameters:
  ///   - places: where the density is known, in ascending order.
  ///   - densities: the density at each place; only their ratios show.
  ///   - value: the value with its interval, its name and its text.
  ///   - unit: the unit after the numbers of the scale.
  public static func densityPlot(
    places: [Double], densities: [Double], value: Interval, unit: String
  ) -> HTML {
    guard let first = places.first, let last = places.last, let most = densities.max(), most > 0 else {
      return .nothing
    }
    let (top, height) = (24.0, 90.0)
    let axis = Axis(linearFrom: min(first, value.low), to: max(last, value.high))
    let x = axis.place(value.value)
    var drawn = [
      SVG.text(value.label, x: 0, y: 14), SVG.text(value.text, x: 1, y: 14, class: "value", anchor: "end"),
    ]
    drawn += axis.ticks.map { SVG.line(axis.place($0), top, axis.place($0), top + height, class: "grid") }
    drawn += [
      SVG.box(
        x: axis.place(value.low), y: top, width: axis.place(value.high) - axis.place(value.low), height: height,
        class: "band"),
      SVG.area(
        zip(places, densities).map { (axis.place($0), $1 / most) }, y: top, height: height, class: "density"),
      SVG.line(x, top, x, top + height, class: "median"),
    ]
    for (tick, place, anchor) in [(axis.ticks.first, 0.0, "start"), (axis.ticks.last, 1, "end")] {
      let text = (tick ?? 0).fixed(axis.decimals) + unit
      drawn.append(SVG.text(text, x: place, y: top + height + 16, class: "scale", anchor: anchor))
    }
    return SVG.drawing(height: top + height + 22, label: "density of \(value.label)", drawn)
  }
}

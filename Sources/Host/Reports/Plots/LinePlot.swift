extension HTML {
  /// A line over named positions, such as successive sessions, on a linear scale from zero.
  ///
  /// - Parameters:
  ///   - values: one for each position, not negative.
  ///   - label: the description for screen readers.
  ///   - format: formats a value.
  public static func linePlot(
    positions: [String], values: [Double], label: String, format: @escaping (Double) -> String
  ) -> HTML {
    func place(_ index: Int) -> Double {
      positions.count == 1 ? 0.5 : Double(index) / Double(positions.count - 1)
    }
    let points = values.enumerated().map { LinePlot.Point(place: place($0), value: $1, name: positions[$0]) }
    // The names of the positions, equal ones once; only the first and the last if there are more than six.
    let isCrowded = positions.count > 6
    let names = positions.enumerated().filter { index, name in
      index == 0 || name != positions[isCrowded ? 0 : index - 1] && (!isCrowded || index == positions.count - 1)
    }.map { (place: place($0.offset), text: String($0.element.prefix(16))) }
    return LinePlot(points: points, names: names, label: label, format: format).html
  }

  /// A curve over a scale from zero to the last point, with its name above.
  ///
  /// - Parameters:
  ///   - points: in ascending order of `x`, which is not negative.
  ///   - names: the marks of the horizontal scale.
  ///   - format: formats a value.
  public static func curve(
    _ title: String, points: [(x: Double, y: Double)], names: [(x: Double, text: String)],
    format: @escaping (Double) -> String
  ) -> HTML {
    guard let end = points.last?.x, end > 0 else { return .nothing }
    let drawn = points.map { LinePlot.Point(place: $0.x / end, value: $0.y, name: "") }
    return .element(
      "div", .element("h3", .text(title)),
      LinePlot(points: drawn, names: names.map { ($0.x / end, $0.text) }, label: title, format: format).html)
  }
}

private struct LinePlot {
  struct Point {
    /// From 0 to 1.
    let place: Double
    let value: Double
    /// The name of the position. If it is empty, the point has no dot.
    let name: String
  }

  let points: [Point]
  let names: [(place: Double, text: String)]
  let label: String
  let format: (Double) -> String

  private static let left = 82.0
  private static let right = 12.0
  private static let top = 10.0
  private static let height = 170.0
  /// With more points, large dots would cover the line.
  private static let mostLargeDots = 60

  var html: HTML {
    guard let most = points.map(\.value).max(), most > 0, !names.isEmpty else { return .nothing }
    let axis = Axis(linearFrom: 0, to: most)
    func y(_ value: Double) -> Double { Self.top + Self.height * (1 - axis.place(value)) }
    var drawn = axis.ticks.flatMap { tick in
      [
        SVG.line(0, y(tick), 1, y(tick), class: "grid"),
        SVG.text(format(tick), x: 0, shift: -8, y: y(tick) + 4, class: "scale", anchor: "end"),
      ]
    }
    drawn += positions + line(y)
    return SVG.drawing(
      height: Self.top + Self.height + 28, left: Self.left, right: Self.right, label: label, drawn)
  }

  private var positions: [HTML] {
    names.enumerated().map { index, name in
      let anchor = index == 0 ? "start" : index == names.count - 1 && name.place > 0.9 ? "end" : "middle"
      return SVG.text(name.text, x: name.place, y: Self.top + Self.height + 18, class: "scale", anchor: anchor)
    }
  }

  private func line(_ y: (Double) -> Double) -> [HTML] {
    SVG.path(points.map { ($0.place, y($0.value)) }, class: "line")
      + points.filter { !$0.name.isEmpty }.map { point in
        SVG.dot(
          point.place, y(point.value), radius: points.count > Self.mostLargeDots ? 2 : 4, class: "bar0",
          title: "\(point.name): \(format(point.value))")
      }
  }
}

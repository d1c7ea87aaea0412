extension HTML {
  /// A line of a plot: its name, and a value for each position, nil if there is none. Values that are not positive are
  /// not drawn.
  public typealias Line = (label: String, values: [Double?])

  /// The scale of values.
  public enum Scale: Sendable {
    /// Linear around the values, for small changes.
    case narrow
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
    func place(_ index: Int) -> Double {
      positions.count == 1 ? 0.5 : Double(index) / Double(positions.count - 1)
    }
    let drawn = lines.map { line in
      LinePlot.Line(
        label: line.label,
        points: line.values.enumerated().compactMap { index, value in
          value.flatMap { $0 > 0 ? .init(place: place(index), value: $0, name: positions[index]) : nil }
        })
    }
    // The names of the positions, equal ones once; only the first and the last if there are more than six.
    let isCrowded = positions.count > 6
    let names = positions.enumerated().filter { index, name in
      index == 0 || name != positions[isCrowded ? 0 : index - 1] && (!isCrowded || index == positions.count - 1)
    }.map { (place: place($0.offset), text: String($0.element.prefix(16))) }
    return LinePlot(lines: drawn, names: names, scale: scale, label: label, format: format).html
  }
}

private struct LinePlot {
  struct Point {
    /// From 0 to 1.
    let place: Double
    let value: Double
    /// The name of the position.
    let name: String
  }

  struct Line {
    /// For the legend.
    let label: String
    let points: [Point]
  }

  let lines: [Line]
  let names: [(place: Double, text: String)]
  let scale: HTML.Scale
  let label: String
  let format: (Double) -> String

  private static let left = 82.0
  private static let right = 12.0
  private static let top = 10.0
  private static let height = 170.0
  private static let rowHeight = 20.0
  /// With more points, large dots would cover the line.
  private static let mostLargeDots = 60

  var html: HTML {
    let values = lines.flatMap(\.points).map(\.value).filter { $0 > 0 }
    guard let least = values.min(), let most = values.max(), !names.isEmpty else { return .nothing }
    let axis =
      switch scale {
      case .narrow: Axis(linearFrom: least, to: most)
      case .logarithmic: Axis(logarithmicFrom: least, to: most)
      }
    func y(_ value: Double) -> Double { Self.top + Self.height * (1 - axis.place(value)) }
    var drawn = axis.ticks.flatMap { tick in
      [
        SVG.line(0, y(tick), 1, y(tick), class: "grid"),
        SVG.text(format(tick), x: 0, shift: -8, y: y(tick) + 4, class: "scale", anchor: "end"),
      ]
    }
    drawn += positions
    var bottom = Self.top + Self.height + 28
    if axis.ticks.first != 0 {
      let note = scale == .logarithmic ? Axis.logarithmicNote : Axis.narrowNote
      drawn.append(SVG.text(note, x: 0, shift: -Self.left, y: bottom + 12, class: "scale"))
      bottom += Self.rowHeight
    }
    for (number, line) in lines.enumerated() {
      let colour = number % SVG.colours
      drawn += draw(line, colour, y)
      drawn += [
        SVG.swatch(y: bottom + 2, class: "bar\(colour)"), SVG.text(line.label, x: 0, shift: 18, y: bottom + 12),
      ]
      bottom += Self.rowHeight
    }
    return SVG.drawing(height: bottom, left: Self.left, right: Self.right, label: label, drawn)
  }

  private var positions: [HTML] {
    names.enumerated().map { index, name in
      let anchor = index == 0 ? "start" : index == names.count - 1 && name.place > 0.9 ? "end" : "middle"
      return SVG.text(name.text, x: name.place, y: Self.top + Self.height + 18, class: "scale", anchor: anchor)
    }
  }

  private func draw(_ line: Line, _ colour: Int, _ y: (Double) -> Double) -> [HTML] {
    SVG.path(line.points.map { ($0.place, y($0.value)) }, class: "line line\(colour)")
      + line.points.map { point in
        SVG.dot(
          point.place, y(point.value), radius: line.points.count > Self.mostLargeDots ? 2 : 4, class: "bar\(colour)",
          title: "\(line.label), \(point.name): \(format(point.value))")
      }
  }
}

/// Drawings in a report: as wide as a phone's screen, so that their text stays as large as the page's.
enum SVG {
  /// The width of every drawing; heights differ.
  static let width = 420.0

  static func drawing(height: Double, label: String, _ children: [HTML]) -> HTML {
    .element(
      "div", [.init("class", "plot")],
      [
        .element(
          "svg",
          [
            .init("viewBox", "0 0 \(number(width)) \(number(height))"), .init("role", "img"),
            .init("aria-label", label),
          ], children)
      ])
  }

  static func text(_ text: String, x: Double, y: Double, class style: String = "", anchor: String = "start") -> HTML {
    .element(
      "text",
      [
        .init("x", number(x)), .init("y", number(y)), .init("text-anchor", anchor), .init("class", style),
      ], [.text(text)])
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class style: String) -> HTML {
    .element(
      "line",
      [
        .init("x1", number(x1)), .init("y1", number(y1)), .init("x2", number(x2)), .init("y2", number(y2)),
        .init("class", style),
      ], [])
  }

  static func box(x: Double, y: Double, width: Double, height: Double, class style: String) -> HTML {
    .element(
      "rect",
      [
        .init("x", number(x)), .init("y", number(y)), .init("width", number(max(width, 1))),
        .init("height", number(height)), .init("rx", "2"), .init("class", style),
      ], [])
  }

  static func dot(_ x: Double, _ y: Double, class style: String, title: String) -> HTML {
    .element(
      "circle",
      [.init("cx", number(x)), .init("cy", number(y)), .init("r", "4"), .init("class", style)],
      [.element("title", .text(title))])
  }

  static func path(_ points: [(x: Double, y: Double)], class style: String) -> HTML {
    .element(
      "polyline",
      [
        .init("points", points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")),
        .init("class", style),
      ], [])
  }

  /// A coordinate with one digit after the point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

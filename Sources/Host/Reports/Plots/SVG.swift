/// SVG drawings, as wide as a phone's screen, so that their text is as large as the page's.
enum SVG {
  /// The width of every drawing.
  static let width = 420.0
  /// The number of colours for bars and lines.
  static let colours = 6

  static func drawing(height: Double, label: String, _ children: [HTML]) -> HTML {
    .element(
      "div", class: "plot",
      element(
        "svg", ["viewBox": "0 0 \(number(width)) \(number(height))", "role": "img", "aria-label": label], children))
  }

  static func text(_ text: String, x: Double, y: Double, class style: String = "", anchor: String = "start") -> HTML {
    element("text", ["x": number(x), "y": number(y), "text-anchor": anchor, "class": style], [.text(text)])
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class style: String) -> HTML {
    element("line", ["x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2), "class": style])
  }

  static func box(x: Double, y: Double, width: Double, height: Double, class style: String) -> HTML {
    element(
      "rect",
      [
        "x": number(x), "y": number(y), "width": number(max(width, 1)), "height": number(height), "rx": "2",
        "class": style,
      ])
  }

  static func dot(_ x: Double, _ y: Double, class style: String, title: String) -> HTML {
    element(
      "circle", ["cx": number(x), "cy": number(y), "r": "4", "class": style], [.element("title", .text(title))])
  }

  static func path(_ points: [(x: Double, y: Double)], class style: String) -> HTML {
    element(
      "polyline",
      ["points": points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " "), "class": style])
  }

  private static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ children: [HTML] = []
  ) -> HTML {
    .element(name, attributes.map { HTML.Attribute($0.key, $0.value) }, children)
  }

  /// A coordinate with one digit after the point.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

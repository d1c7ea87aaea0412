/// SVG drawings as wide as their column, without scaling: horizontal places are fractions of the width, everything else
/// is in pixels, so that text has the same size on a phone and on a desktop. Only the area below a curve is scaled,
/// since a path has no fractions.
enum SVG {
  /// The number of colours for bars.
  static let colours = 10

  /// - Parameters:
  ///   - left: the room for text to the left of 0, in pixels.
  ///   - right: the same to the right of 1.
  static func drawing(
    height: Double, left: Double = 0, right: Double = 0, label: String, _ children: [HTML]
  ) -> HTML {
    var attributes = [HTML.Attribute("class", "plot")]
    if left > 0 || right > 0 {
      attributes.append(.init("style", "padding:0 \(number(right))px 0 \(number(left))px"))
    }
    let drawing = element(
      "svg", ["width": "100%", "height": number(height), "role": "img", "aria-label": label], children)
    return .element("div", attributes, [drawing])
  }

  /// - Parameter shift: pixels to add to `x`.
  static func text(
    _ text: String, x: Double, shift: Double = 0, y: Double, class style: String = "", anchor: String = "start"
  ) -> HTML {
    element(
      "text",
      ["x": percent(x), "dx": number(shift), "y": number(y), "text-anchor": anchor, "class": style], [.text(text)])
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class style: String) -> HTML {
    element("line", ["x1": percent(x1), "y1": number(y1), "x2": percent(x2), "y2": number(y2), "class": style])
  }

  static func box(x: Double, y: Double, width: Double, height: Double, class style: String) -> HTML {
    // Keep it visible: a fifth of a percent is a pixel or two.
    box(["x": percent(x), "width": percent(max(width, 0.002))], y, height, style)
  }

  /// The square of a colour at the left of a legend's row.
  static func swatch(y: Double, class style: String) -> HTML { box(["x": "0", "width": "10"], y, 10, style) }

  private static func box(
    _ places: KeyValuePairs<String, String>, _ y: Double, _ height: Double, _ style: String
  ) -> HTML {
    let others: KeyValuePairs = ["y": number(y), "height": number(height), "rx": "2", "class": style]
    return .element("rect", (Array(places) + Array(others)).map { HTML.Attribute($0.key, $0.value) }, [])
  }

  static func dot(_ x: Double, _ y: Double, radius: Int = 4, class style: String, title: String) -> HTML {
    element(
      "circle", ["cx": percent(x), "cy": number(y), "r": String(radius), "class": style],
      [.element("title", .text(title))])
  }

  /// The area below points, from 0 to 1 in both directions. Its style must not scale the stroke.
  static func area(_ points: [(x: Double, y: Double)], y: Double, height: Double, class style: String) -> HTML {
    func place(_ x: Double, _ y: Double) -> String { "\((1_000 * x).fixed(0)) \((1_000 * (1 - y)).fixed(0))" }
    guard let first = points.first, let last = points.last else { return .nothing }
    let line = ([place(first.x, 0)] + points.map { place($0.x, $0.y) } + [place(last.x, 0)]).joined(separator: " ")
    return element(
      "svg",
      [
        "y": number(y), "width": "100%", "height": number(height), "viewBox": "0 0 1000 1000",
        "preserveAspectRatio": "none",
      ], [element("path", ["d": "M" + line, "class": style])])
  }

  private static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, _ children: [HTML] = []
  ) -> HTML {
    .element(name, attributes.map { HTML.Attribute($0.key, $0.value) }, children)
  }

  /// A coordinate with one digit after the point.
  static func number(_ value: Double) -> String { value.fixed(1) }

  private static func percent(_ fraction: Double) -> String { (100 * fraction).fixed(2) + "%" }
}

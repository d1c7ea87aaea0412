/// What reports are made of.
extension HTML {
  /// What a number means, for its colour; the word beside it says the same.
  public enum Tone: String, Sendable {
    case good, bad, warning, plain
  }

  /// Figures side by side, each with what it counts.
  public static func figures(_ figures: [(value: String, label: String, tone: Tone)]) -> HTML {
    .element(
      "div", [.init("class", "figures")],
      figures.map { figure in
        .element(
          "div", class: "figure \(figure.tone.rawValue)", .element("b", .text(figure.value)),
          .element("span", .text(figure.label)))
      })
  }

  /// A table that scrolls sideways where it is too wide; all columns but the first are aligned to the right.
  public static func table(header: [String], rows: [[HTML]]) -> HTML {
    let head = HTML.element("tr", [], header.map { .element("th", [.init("scope", "col")], [.text($0)]) })
    let body = rows.map { row in
      HTML.element(
        "tr", [],
        row.enumerated().map { index, cell in
          index == 0 ? .element("th", [.init("scope", "row")], [cell]) : .element("td", cell)
        })
    }
    return .element(
      "div", class: "scroll", .element("table", .element("thead", head), .element("tbody", [], body)))
  }

  /// A bar of parts in proportion to their numbers; the label says them in words.
  public static func bar(_ parts: [(count: Int, tone: Tone)], label: String) -> HTML {
    let total = max(1, parts.reduce(0) { $0 + $1.count })
    return .element(
      "div", [.init("class", "bar"), .init("role", "img"), .init("aria-label", label), .init("title", label)],
      parts.filter { $0.count > 0 }.map { part in
        .element("i", [.init("class", part.tone.rawValue), .init("style", "flex:\(part.count) \(total)")], [])
      })
  }

  /// Names and values.
  public static func pairs(_ pairs: [(name: String, value: HTML)]) -> HTML {
    .element(
      "dl", [],
      pairs.flatMap { [HTML.element("dt", .text($0.name)), HTML.element("dd", $0.value)] })
  }

  /// A box that opens on a tap.
  public static func details(_ summary: HTML, _ content: [HTML], isOpen: Bool = false) -> HTML {
    .element("details", isOpen ? [.init("open", "")] : [], [.element("summary", summary)] + content)
  }

  /// Text as a program reads or writes it.
  public static func code(_ text: String) -> HTML { .element("code", .text(text)) }

  /// Several lines of it.
  public static func lines(_ lines: [String]) -> HTML { .element("pre", .text(lines.joined(separator: "\n"))) }
}

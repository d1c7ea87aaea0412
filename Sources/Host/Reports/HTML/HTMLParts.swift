/// The parts of reports.
extension HTML {
  /// A report as a single file without scripts or external resources, readable on a phone and on paper.
  public static func page(title: String, body: [HTML]) -> String {
    let head = HTML.pieces([
      .element("meta", [.init("charset", "utf-8")], []),
      .element("meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")], []),
      .element(
        "meta",
        [
          .init("http-equiv", "Content-Security-Policy"),
          .init("content", "default-src 'none'; style-src 'unsafe-inline'"),
        ], []),
      .element("title", .text(title)),
    ])
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>" + head.markup + "\n<style>" + Stylesheet.text
      + "</style>\n</head>\n<body>\n<main>\n" + HTML.pieces(body).markup + "</main>\n</body>\n</html>\n"
  }

  /// The meaning of a number, which selects its colour. The label says the same in words.
  public enum Tone: String, Sendable {
    case good, bad, warning, plain
  }

  /// The result of a report in one sentence.
  public static func verdict(_ tone: Tone, _ text: String) -> HTML {
    .element("p", class: "verdict \(tone.rawValue)", .text(text))
  }

  /// Key figures with their labels.
  public static func figures(_ figures: [(value: String, label: String, tone: Tone)]) -> HTML {
    .element(
      "div", [.init("class", "figures")],
      figures.map { figure in
        .element(
          "div", class: "figure \(figure.tone.rawValue)", .element("b", .text(figure.value)),
          .element("span", .text(figure.label)))
      })
  }

  /// A table that scrolls horizontally if it is too wide. All columns except the first are right-aligned. On a phone, a
  /// table of more than three columns has each row as a block, with the header's words above the cells.
  public static func table(header: [String], rows: [[String]]) -> HTML {
    .table(header: header, rows: rows.map { $0.map { .text($0) } })
  }

  /// The same table with marked-up cells.
  public static func table(header: [String], rows: [[HTML]]) -> HTML {
    let isWide = header.count > 3
    let head = HTML.element("tr", [], header.map { .element("th", [.init("scope", "col")], [.text($0)]) })
    let body = rows.map { row in
      HTML.element(
        "tr", [],
        row.enumerated().map { index, cell in
          index == 0
            ? .element("th", [.init("scope", "row")], [cell])
            : .element("td", isWide && index < header.count ? [.init("data-label", header[index])] : [], [cell])
        })
    }
    return .element(
      "div", class: "scroll",
      .element("table", class: isWide ? "wide" : nil, .element("thead", head), .element("tbody", [], body)))
  }

  /// A bar of parts in proportion to their counts; the label describes it in words.
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

  /// A disclosure box.
  public static func details(_ summary: HTML, _ content: [HTML], isOpen: Bool = false) -> HTML {
    .element("details", isOpen ? [.init("open", "")] : [], [.element("summary", summary)] + content)
  }

  /// Text in a fixed-width font.
  public static func code(_ text: String) -> HTML { .element("code", .text(text)) }

  /// Lines of preformatted text.
  public static func lines(_ lines: [String]) -> HTML { .element("pre", .text(lines.joined(separator: "\n"))) }
}

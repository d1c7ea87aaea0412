/// A piece of an HTML document; all text is escaped when it is written.
public indirect enum HTML: Hashable, Sendable {
  case text(String)
  case element(String, [Attribute], [HTML])
  /// Several pieces, one after the other.
  case pieces([HTML])

  /// An attribute; its value is escaped when it is written.
  public struct Attribute: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// An empty piece.
  public static let nothing = HTML.pieces([])

  /// An element with an optional class.
  public static func element(_ name: String, class style: String? = nil, _ children: HTML...) -> HTML {
    .element(name, style.map { [Attribute("class", $0)] } ?? [], children)
  }

  /// The markup.
  public var markup: String {
    var markup = ""
    write(to: &markup)
    return markup
  }

  private func write(to markup: inout String) {
    switch self {
    case .text(let text): markup += Text.escaped(text, Self.escapes)
    case .pieces(let pieces): for piece in pieces { piece.write(to: &markup) }
    case .element(let name, let attributes, let children):
      markup += "<" + name
      for attribute in attributes {
        markup += " \(attribute.name)=\"\(Text.escaped(attribute.value, Self.escapes))\""
      }
      markup += ">"
      if Self.voidElements.contains(name) { return }
      for child in children { child.write(to: &markup) }
      markup += "</" + name + ">"
      if Self.blocks.contains(name) { markup += "\n" }
    }
  }

  private static let voidElements: Set = ["meta", "br", "hr"]
  private static let blocks: Set = [
    "p", "h1", "h2", "h3", "tr", "table", "section", "div", "li", "ul", "dl", "details",
  ]

  /// HTML forbids other control characters than line ends and tabs, and changes of direction can disguise text.
  private static let escapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\n": "\n", "\t": "\t",
  ]
}

extension HTML: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    self = .text(text)
  }
}

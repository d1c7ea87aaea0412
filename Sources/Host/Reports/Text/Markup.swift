/// Markdown with escaped foreign text.
package enum Markdown {
  private static let escapes: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "\\": "\\\\", "`": "\\`", "*": "\\*", "_": "\\_", "[": "\\[", "]": "\\]",
    "|": "\\|", "#": "\\#", "!": "\\!", "~": "\\~", "@": "@\u{200B}",
  ]

  /// Escapes text so that nothing in it is markup.
  package static func plain(_ text: String) -> String { Text.escaped(text, escapes) }
}

/// XML with escaped foreign text.
package enum XML {
  /// The last two characters are not allowed in XML.
  private static let escapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
  ]

  /// Escapes text for content and attribute values.
  package static func escaped(_ text: String) -> String { Text.escaped(text, escapes) }
}

extension XML {
  /// An element with its attributes, except those that are nil. The content is XML; nil for an empty element.
  package static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, _ content: String? = nil
  ) -> String {
    let words = attributes.compactMap { name, value in value.map { " \(name)=\"\(escaped($0))\"" } }.joined()
    return "<\(name)\(words)" + (content.map { ">\($0)</\(name)>" } ?? "/>")
  }

  /// An element around lines of XML.
  package static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, lines: [String]
  ) -> String {
    element(name, attributes, "\n" + lines.map { $0 + "\n" }.joined())
  }
}

/// Workflow commands of GitHub Actions for annotations of a job.
package enum GitHubActions {
  /// One annotation.
  ///
  /// - Parameter level: `error`, `warning` or `notice`.
  package static func annotation(_ level: String, title: String, _ text: String) -> String {
    "::\(level) title=\(property(title))::\(data(text))\n"
  }

  /// Escapes text for the message of a workflow command.
  package static func data(_ text: String) -> String {
    Text.harmless(text).split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }

  /// Escapes text for a property of a workflow command.
  package static func property(_ text: String) -> String {
    data(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}

/// Fields of CSV (RFC 4180).
package enum CSV {
  /// A field, in quotes where it needs them.
  package static func field(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    let text = Text.harmless(text)
    // Compare code units, because a character may be a comma with combining marks.
    let quote = UInt8(ascii: "\"")
    guard text.utf8.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") }) else { return text }
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return String(decoding: [quote] + doubled + [quote], as: UTF8.self)
  }

  /// Whether a byte never needs quotes, and is safe for terminals.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
  }

  /// A field of foreign text. Where a spreadsheet would take it for a formula, an apostrophe comes first (OWASP, "CSV
  /// Injection").
  package static func foreign(_ text: String) -> String {
    // Letters and digits begin no formula.
    if let first = text.utf8.first, first >= UInt8(ascii: "0"), first < 0x7F, !"=@".utf8.contains(first) {
      return field(text)
    }
    let formulas: [Unicode.Scalar] = ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
    guard let first = text.unicodeScalars.first(where: { $0 != " " }) else { return text }
    // Control characters count as well: some programs drop them.
    return field(formulas.contains(first) || Text.harmless(first) != first ? "'" + text : text)
  }
}

/// Plain text for people.
package enum Text {
  /// Pads `text` on the right to `width` characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Lines of names and values, with the values aligned.
  package static func pairs(_ rows: [(name: String, value: String)]) -> [String] {
    TextTable(rows.map { [$0.name, $0.value] }, names: [], alignsRight: false).lines
  }

  /// Lines of columns, each as wide as its longest text except the last.
  ///
  /// - Parameters:
  ///   - names: the names of the columns; nil if the first row has them.
  ///   - indent: spaces before each line.
  ///   - dropping: the columns that a narrow terminal may lack, the least important first.
  package static func columns(
    _ rows: [[String]], names: [String]? = nil, indent: Int = 0, dropping: [String] = []
  ) -> [String] {
    var table = TextTable(rows, names: names ?? rows.first ?? [], alignsRight: false)
    if let width { table.fit(to: width - indent, dropping: dropping) }
    return table.lines.map { String(repeating: " ", count: indent) + $0 }
  }

  /// A table with a header. All columns except the first are right-aligned.
  ///
  /// - Parameter dropping: the columns that a narrow terminal may lack, the least important first.
  package static func table(header: [String], rows: [[String]], dropping: [String] = []) -> [String] {
    var table = TextTable([header] + rows, names: header, alignsRight: true)
    if let width { table.fit(to: width, dropping: dropping) }
    return table.lines
  }

  /// Text in a terminal colour (ECMA-48 SGR), if `wanted`.
  package static func coloured(_ text: String, code: Int, if wanted: Bool) -> String {
    wanted ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A number with its noun: `1 finding`, `2 findings`, `2 forgeries`.
  package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Makes foreign text safe for terminals: control and format characters, which change direction or are not seen, and
  /// noncharacters, of which `unbroken` uses one, become U+FFFD.
  package static func harmless(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { harmless($0) }))
  }

  /// Makes foreign text safe as `harmless` does, except characters that have a replacement of their own.
  static func escaped(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let replacement = replacements[scalar] {
        result += replacement
      } else {
        result.unicodeScalars.append(harmless(scalar))
      }
    }
    return result
  }

  /// Makes an answer safe as `harmless` does, because it may quote a foreign file. Line ends, tabs, the colours of
  /// `coloured` and the zero-width spaces of `Markdown` stay.
  package static func harmlessLines(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return text }
    var rest = text.unicodeScalars[...]
    var result = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      let stays = ["\n", "\t", "\u{200B}"].contains(scalar) || scalar == "\u{1B}" && isColour(rest)
      result.append(stays ? scalar : harmless(scalar))
    }
    return String(result)
  }

  private static func isColour(_ text: Substring.UnicodeScalarView) -> Bool {
    ["[0m", "[31m", "[32m", "[33m", "[90m"].contains { text.starts(with: $0.unicodeScalars) }
  }

  /// Makes one scalar safe for terminals.
  static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x2028...0x202E, 0xFDD0...0xFDEF: "\u{FFFD}"
    default:
      scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
        ? "\u{FFFD}" : scalar
    }
  }
}

/// Words of shell commands.
package enum ShellWord {
  /// Quotes a word for a POSIX shell, and for zsh, which expands a word that begins with `=`.
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "="):
        true
      default: false
      }
    }
    if plain && !word.isEmpty && !word.hasPrefix("=") { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension [String] {
  /// A list for a sentence: `a`, `a or b`, `a, b or c`.
  package func listed(_ conjunction: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// The first few, and how many more there are: `a, b, c and 4 more`.
  package func listed(atMost limit: Int) -> String {
    prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
  }
}

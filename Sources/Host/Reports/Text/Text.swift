/// Plain text for people.
package enum Text {
  /// Pads `text` on the right to `width` characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The width of a column. A name in a foreign file may be as long as the file: it stands out, rather than that every
  /// other row is padded to it.
  private static func width(of texts: [String]) -> Int { min(120, texts.map(\.count).max() ?? 0) }

  /// Lines of names and values, with the values aligned.
  package static func pairs(_ rows: [(name: String, value: String)]) -> [String] {
    let width = width(of: rows.map(\.name))
    return rows.map { padded($0.name, to: width) + "  " + $0.value }
  }

  /// Lines of columns, each as wide as its longest text except the last.
  package static func columns(_ rows: [[String]]) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      width(of: rows.compactMap { column < $0.count ? $0[column] : nil })
    }
    return rows.map { row in
      row.indices.map { $0 == row.count - 1 ? row[$0] : padded(row[$0], to: widths[$0]) }.joined(separator: "  ")
    }
  }

  /// A table with a header. All columns except the first are right-aligned.
  package static func table(header: [String], rows: [[String]]) -> [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in width(of: all.map { $0[column] }) }
    return all.map { row in
      row.indices.map { column in
        column == 0
          ? padded(row[column], to: widths[column])
          : String(repeating: " ", count: max(0, widths[column] - row[column].count)) + row[column]
      }.joined(separator: "  ")
    }
  }

  /// Text whose lines are broken between words where they are longer than `width`. What follows is indented as the last
  /// column of the line, or if that begins in its right half, a little more than the line. The lines of a sentence that
  /// was broken already are joined first.
  package static func wrapped(_ text: String, to width: Int) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isEnded = lines.last.map { $0.count <= width || $0.first == " " || $0.last == "." } ?? true
      if isEnded || line.isEmpty || line.first == " " {
        lines.append(line)
      } else {
        lines[lines.count - 1] += " " + line
      }
    }
    return lines.map { wrapped(line: $0, to: width) }.joined(separator: "\n")
  }

  private static func wrapped(line: Substring, to width: Int) -> String {
    guard line.count > width else { return String(line) }
    let margin = line.prefix { $0 == " " }.count
    let column = line.ranges(of: "  ").last.map { line.count - line[$0.upperBound...].drop { $0 == " " }.count }
    let indent = column.flatMap { $0 > margin && $0 <= width / 2 ? $0 : nil } ?? (margin == 0 ? 0 : margin + 2)
    var lines: [String] = []
    var rest = line
    while rest.count > width {
      let start = lines.isEmpty ? margin : indent
      // A word that is longer than the line stays whole.
      let place =
        rest.prefix(width + 1).dropFirst(start).lastIndex(of: " ") ?? rest.dropFirst(start).firstIndex(of: " ")
      guard let place else { break }
      lines.append(String(rest[..<place]))
      rest = Substring(String(repeating: " ", count: indent) + rest[place...].drop { $0 == " " })
    }
    return (lines + [String(rest)]).joined(separator: "\n")
  }

  /// Text in a terminal colour (ECMA-48 SGR), if `wanted`.
  package static func coloured(_ text: String, code: Int, if wanted: Bool) -> String {
    wanted ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A number with its noun: `1 finding`, `2 findings`, `2 forgeries`.
  package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// Makes foreign text safe for terminals: control and format characters, which change direction or are not seen,
  /// become U+FFFD.
  package static func harmless(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { harmless($0) }))
  }

  /// An answer as `harmless` makes it, but with its line ends, tabs, the colours of `coloured` and the zero-width
  /// spaces of `Markdown`: a file that it tells of may hold anything.
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
    text.starts(with: "[0m".unicodeScalars)
      || text.starts(with: "[3".unicodeScalars) && text.dropFirst(3).first == "m"
  }

  /// The same for one scalar.
  static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x2028...0x202E: "\u{FFFD}"
    default:
      scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
        ? "\u{FFFD}" : scalar
    }
  }
}

/// Words of shell commands.
package enum ShellWord {
  /// Quotes a word for a POSIX shell.
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
    if plain && !word.isEmpty { return word }
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

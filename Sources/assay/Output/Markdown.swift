/// Markdown in which foreign text stays text.
enum Markdown {
  /// A table; the cells are Markdown.
  static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    ([header, header.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Nothing in foreign text may become markup.
  static func plain(_ text: String) -> String {
    var result = ""
    for character in Text.harmless(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "#", "!", "~": result += "\\\(character)"
      case "@": result += "@\u{200B}"
      default: result.append(character)
      }
    }
    return result
  }
}

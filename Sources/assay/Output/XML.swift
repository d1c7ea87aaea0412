/// XML in which foreign text stays text.
enum XML {
  /// Text as content or as the value of an attribute.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Text.harmless(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // No characters of XML.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

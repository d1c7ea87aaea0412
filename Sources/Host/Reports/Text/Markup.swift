/// Markdown with escaped foreign text.
package enum Markdown {
  /// Escapes text so that nothing in it is markup.
  package static func plain(_ text: String) -> String {
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

/// XML with escaped foreign text.
package enum XML {
  /// Escapes text for content and attribute values.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in Text.harmless(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // Not allowed in XML.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
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

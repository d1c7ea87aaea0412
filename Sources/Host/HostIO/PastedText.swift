import Reports

/// Arguments that hold a token or a key instead of naming its file, as in `assay decrypt "$(cat token.json)"`. Messages
/// never repeat them: shells' histories and logs are read by others.
package enum PastedText {
  /// Whether an argument looks like the content of a file rather than its name.
  package static func isContent(_ argument: String) -> Bool {
    let text = argument.drop { $0.isWhitespace }
    if text.contains(where: \.isNewline) || ["{", "[", "\"", "%7B", "-----BEGIN"].contains(where: text.hasPrefix) {
      return true
    }
    // Base64 and hexadecimal have no dot, and few file names are as long.
    return text.utf8.count >= 200
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "+/=-_%&".utf8.contains(byte)
        }
      }
  }

  /// An argument for a message: as given, or its size if it looks like content.
  package static func shown(_ argument: String) -> String {
    isContent(argument) ? "(\(argument.utf8.count) bytes that look like a token or a key)" : Text.harmless(argument)
  }
}

import TestCases
import TokenScanning

/// Finds base64 in bytes, even in malformed text, and decodes it repeatedly, to search for forbidden contents.
enum EmbeddedBytes {
  /// How many nested levels of base64 are decoded. A file of vectors has three: the request, the token in it, and the
  /// CMS in the token.
  private static let depth = 4
  /// Shorter runs of base64 hold no certificate.
  private static let shortest = 24

  /// The bytes as `plain` returns them, and all that base64 in them decodes to.
  static func all(in bytes: [UInt8]) -> [[UInt8]] {
    var found = [plain(bytes)]
    var next = 0
    for _ in 0..<depth {
      let end = found.count
      while next < end {
        found += decoded(found[next])
        next += 1
      }
    }
    return found
  }

  /// The bytes unescaped as JSON strings are, even outside strings, and without line breaks.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    JSONPiece.unescaped(bytes[...]).filter { $0 != 0x0A && $0 != 0x0D }
  }

  private static func decoded(_ text: [UInt8]) -> [[UInt8]] {
    var results: [[UInt8]] = []
    var start = 0
    for index in 0...text.count where index == text.count || !Base64Text.isSextet(text[index]) {
      if index - start >= shortest {
        let run = Array(text[start..<start + (index - start) / 4 * 4])
        if let bytes = Base64Text.decoded(run) { results.append(plain(bytes)) }
      }
      start = index + 1
    }
    return results
  }
}

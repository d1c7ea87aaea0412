import TestCases
import TokenScanning

/// Finds base64 in bytes, even in malformed text, and decodes it repeatedly, to search for forbidden contents.
enum EmbeddedBytes {
  /// How many nested levels of base64 are decoded. A file of vectors has three: the request, the token in it, and the
  /// CMS in the token.
  private static let depth = 4
  /// Shorter runs of base64 hold no certificate.
  private static let shortest = 24

  /// The bytes without escapes of JSON, and all that base64 in them decodes to.
  static func all(in bytes: [UInt8]) -> [[UInt8]] {
    var level = [plain(bytes)]
    var found = level
    for _ in 0..<depth {
      level = level.flatMap(decoded)
      found += level
    }
    return found
  }

  private static func decoded(_ text: [UInt8]) -> [[UInt8]] {
    text.split { !Base64Text.isSextet($0) }.filter { $0.count >= shortest }.compactMap { run in
      Base64Text.decoded(Array(run.prefix(run.count / 4 * 4))).map(plain)
    }
  }

  /// The bytes without escapes. JSON in a string of JSON is escaped twice.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    let plainer = JSONPiece.plain(bytes)
    return plainer.count < bytes.count ? plain(plainer) : plainer
  }
}

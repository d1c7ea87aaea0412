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

  /// The bytes without line breaks, raw or escaped, and without the backslashes of escapes.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        if byte != 0x0A && byte != 0x0D { result.append(byte) }
        continue
      }
      let rest = bytes[index...]
      if rest.starts(with: "u002f".utf8) || rest.starts(with: "u002F".utf8) {
        result.append(UInt8(ascii: "/"))
        index += 5
      } else if rest.starts(with: "n".utf8) || rest.starts(with: "r".utf8) {
        index += 1
      }
    }
    return result
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

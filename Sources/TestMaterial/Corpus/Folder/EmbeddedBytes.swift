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

  /// The bytes without line breaks, raw or escaped, with ASCII for its `\u` escapes, and without other backslashes.
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
      if let code = ascii(rest) {
        if code != 0x0A && code != 0x0D { result.append(code) }
        index += 5
      } else if rest.starts(with: "n".utf8) || rest.starts(with: "r".utf8) {
        index += 1
      }
    }
    return result
  }

  /// The character of `u00XX` at the beginning of the bytes after a backslash.
  private static func ascii(_ rest: ArraySlice<UInt8>) -> UInt8? {
    let digits = rest.dropFirst(3).prefix(2).compactMap(HexDigit.value)
    guard rest.starts(with: "u00".utf8), digits.count == 2, digits[0] < 8 else { return nil }
    return digits[0] << 4 | digits[1]
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

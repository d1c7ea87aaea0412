/// Foreign text in Unicode's Stream-Safe Text Format (UAX #15, section 13).
///
/// Swift compares, hashes and splits text by canonical equivalence and grapheme clusters. The time for this grows with
/// the square of the number of combining characters, or of regional indicators, in a row. So `streamSafe` text has no
/// more than 30 in a row, as the format demands: U+034F COMBINING GRAPHEME JOINER divides longer runs.
extension String {
  /// The most combining characters in a row.
  private static let streamSafeLimit = 30

  /// Text in UTF-8 that anyone may have sent; malformed sequences are replaced.
  package init(streamSafe bytes: some Collection<UInt8>) {
    self = String(decoding: bytes, as: UTF8.self).streamSafe
  }

  /// The text with U+034F after every thirty characters of a longer run of combining characters or regional indicators.
  package var streamSafe: String {
    // Each of these characters has two bytes or more.
    guard utf8.contains(where: { $0 >= 0x80 }), hasLongRun(of: 2 * Self.streamSafeLimit) else { return self }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in unicodeScalars {
      if !Self.combines(scalar) {
        count = 0
      } else if count == Self.streamSafeLimit {
        result.append("\u{34F}")
        count = 1
      } else {
        count += 1
      }
      result.append(scalar)
    }
    return String(result)
  }

  /// Whether more than `limit` bytes in a row are not ASCII.
  private func hasLongRun(of limit: Int) -> Bool {
    var count = 0
    for byte in utf8 {
      count = byte < 0x80 ? 0 : count + 1
      if count > limit { return true }
    }
    return false
  }

  private static func combines(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: false
    // Starters that decompose into combining characters, and regional indicators.
    case 0xF73, 0xF75, 0xF81, 0x1F1E6...0x1F1FF: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }
}

import ReferenceDecryption

/// What the text of a member looks like, independent of the encoding that it should have.
struct TextForm {
  /// The unescaped text in UTF-8. Members of a token are not secret.
  let text: [UInt8]

  /// Whether it is hexadecimal of at least one byte.
  var isHex: Bool { hexCount.map { $0 > 0 } ?? false }

  /// The decoded size in bytes as hexadecimal; nil when it is not hexadecimal.
  var hexCount: Int? { StrictHex.decodedCount(WipedBytes(text.span).all) }

  /// The decoded bytes as strict base64; nil when it is not.
  var base64: [UInt8]? { StrictBase64.decode(WipedBytes(text.span).all) }

  /// The decoded bytes as base64 without white space, with the URL alphabet replaced and padding restored.
  var repairedBase64: [UInt8]? {
    let content = text.filter { !InputText.isSpace($0) }
    let padding = content.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    // Hyphens may be of the URL alphabet, but not those of PEM.
    guard padding <= 2, !content.starts(with: "-----".utf8) else { return nil }
    var repaired = content.dropLast(padding).map { character in
      switch character {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: character
      }
    }
    while !repaired.count.isMultiple(of: 4) { repaired.append(UInt8(ascii: "=")) }
    return StrictBase64.decode(WipedBytes(repaired.span).all)
  }

  /// The decoded bytes if the text is strict base64 with plus signs in place of its spaces: form decoders turn plus
  /// signs into spaces. Nil for text whose spaces break it into lines of one length.
  var withPlusesForSpaces: [UInt8]? {
    let parts = text.split(separator: 0x20, omittingEmptySubsequences: false)
    let isBroken = parts.count > 2 && Set(parts.dropLast().map(\.count)).count == 1
    guard parts.count > 1, !isBroken else { return nil }
    return TextForm(text: text.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }).base64
  }

  /// The form in words, for a finding.
  var words: String {
    if text.isEmpty { return "an empty string" }
    // Hexadecimal of 32 bytes is also base64 of 48: text of hexadecimal digits is taken for hexadecimal.
    if let hexCount, text.count >= 8 { return "hexadecimal of \(hexCount) bytes" }
    if let base64 { return "base64 of \(base64.count) bytes" }
    if let repairedBase64 { return "base64 of \(repairedBase64.count) bytes, not strict" }
    return "\(text.count) characters, neither base64 nor hexadecimal"
  }
}

import ReferenceDecryption

/// What a member's text looks like, whatever it ought to be.
struct TextForm {
  /// The text unescaped, in UTF-8. Members of a token are no secrets.
  let text: [UInt8]

  /// Whether it is hexadecimal of at least a byte.
  var isHex: Bool { hexCount.map { $0 > 0 } ?? false }

  /// The bytes it stands for as hexadecimal.
  var hexCount: Int? { StrictHex.decodedCount(WipedBytes(text.span).all) }

  /// The bytes of it as strict base64.
  var base64: [UInt8]? { StrictBase64.decode(WipedBytes(text.span).all) }

  /// The bytes of it as base64 once white space is gone, the URL alphabet is the standard one and padding is there.
  var repairedBase64: [UInt8]? {
    var repaired = text.filter { ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "=")].contains($0) }.map { character in
      switch character {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: character
      }
    }
    while !repaired.count.isMultiple(of: 4) { repaired.append(UInt8(ascii: "=")) }
    return StrictBase64.decode(WipedBytes(repaired.span).all)
  }

  /// In words, for a finding.
  var words: String {
    if text.isEmpty { return "an empty string" }
    // Hexadecimal of 32 bytes is base64 of 48: what is all hexadecimal digits is nothing else in a token.
    if let hexCount, text.count >= 8 { return "hexadecimal of \(hexCount) bytes" }
    if let base64 { return "base64 of \(base64.count) bytes" }
    if let repairedBase64 { return "base64 of \(repairedBase64.count) bytes, not strict" }
    return "\(text.count) characters, neither base64 nor hexadecimal"
  }
}

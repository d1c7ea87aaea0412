import CSodium

/// Writes PEM (RFC 7468): lines of 64 characters.
public enum PEMText {
  /// A block of this label. No copy of `der` is left behind; the text is the caller's to wipe.
  public static func encode(_ der: [UInt8], label: String) -> [UInt8] {
    let variant = sodium_base64_VARIANT_ORIGINAL
    var base64 = [CChar](repeating: 0, count: sodium_base64_encoded_len(der.count, variant))
    defer { base64.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
    sodium_bin2base64(&base64, base64.count, der, der.count, variant)
    let frame = (begin: "-----BEGIN \(label)-----\n", end: "-----END \(label)-----\n")
    var text: [UInt8] = []
    // Room for all of it: growing would leave copies behind.
    text.reserveCapacity(base64.count + base64.count / 64 + 1 + frame.begin.utf8.count + frame.end.utf8.count)
    text += frame.begin.utf8
    for start in stride(from: 0, to: base64.count - 1, by: 64) {
      for character in base64[start..<min(start + 64, base64.count - 1)] {
        text.append(UInt8(bitPattern: character))
      }
      text.append(UInt8(ascii: "\n"))
    }
    text += frame.end.utf8
    return text
  }
}

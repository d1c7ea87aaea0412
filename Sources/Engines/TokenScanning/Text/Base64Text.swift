import CTextKernels

/// Strict base64 (RFC 4648 section 4; Docs/Verification.md 4.1): padded, canonical, no white space.
public enum Base64Text {
  /// Decodes `text` into `output`.
  ///
  /// - Parameters:
  ///   - output: room for `text.count / 4 * 3` bytes.
  ///   - kernel: a kernel that this machine can run.
  /// - Returns: the number of bytes, or nil if the text is not strict base64. The contents of `output` are then
  ///   unspecified.
  public static func decode(
    _ text: Span<UInt8>, into output: inout MutableSpan<UInt8>, with kernel: TextKernel = .current
  ) -> Int? {
    guard text.count & 3 == 0 else { return nil }
    let pads = padding(of: text)
    let whole = pads == 0 ? text.count : text.count - 4
    precondition(output.count >= text.count / 4 * 3)
    guard decodeGroups(text, count: whole, into: &output, with: kernel) else { return nil }
    let count = whole / 4 * 3
    guard pads > 0 else { return count }
    return decodeLastGroup(text, at: whole, padding: pads, into: &output, at: count)
  }

  /// The decoded bytes; nil if `text` is not strict base64.
  package static func decoded(_ text: [UInt8], with kernel: TextKernel = .current) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
    var output = bytes.mutableSpan
    guard let count = decode(text.span, into: &output, with: kernel) else { return nil }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private static func padding(of text: Span<UInt8>) -> Int {
    guard text.count >= 4, text[text.count - 1] == UInt8(ascii: "=") else { return 0 }
    return text[text.count - 2] == UInt8(ascii: "=") ? 2 : 1
  }

  private static func decodeGroups(
    _ text: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>, with kernel: TextKernel
  ) -> Bool {
    text.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        guard count > 0 else { return true }
        // Neither is empty, so both have an address.
        guard let source = source.baseAddress, let target = target.baseAddress else { return false }
        // `count` bytes can be read and count / 4 * 3 written: `decode` checked both sizes.
        return kernel.table.pointee.base64_decode(source, count, target)
      }
    }
  }

  /// Decodes a group that ends in one or two `=`. The bits beyond the last byte must be zero.
  private static func decodeLastGroup(
    _ text: Span<UInt8>, at start: Int, padding: Int, into output: inout MutableSpan<UInt8>, at count: Int
  ) -> Int? {
    let first = sextet(text[start])
    let second = sextet(text[start + 1])
    guard (first | second) & 0x80 == 0 else { return nil }
    output[count] = first << 2 | second >> 4
    if padding == 2 {
      return second & 0x0F == 0 ? count + 1 : nil
    }
    let third = sextet(text[start + 2])
    guard third & 0x83 == 0 else { return nil }
    output[count + 1] = second << 4 | third >> 2
    return count + 2
  }
}

// MARK: Validity without decoding

extension Base64Text {
  /// Whether `text` is strict base64 of at least one byte.
  static func isNonEmpty(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 4, text.count & 3 == 0 else { return false }
    let pads = padding(of: text)
    guard areSextets(text.extracting(first: text.count - pads)) else { return false }
    let unused: UInt8 = pads == 2 ? 0x0F : pads == 1 ? 0x03 : 0
    return sextet(text[text.count - pads - 1]) & unused == 0
  }

  /// The sextet of a character; a value with the highest bit set if the character is not of the alphabet.
  @inline(__always)
  static func sextet(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0") &+ 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: 0x80
    }
  }

  /// Whether a character is of the base64 alphabet.
  package static func isSextet(_ character: UInt8) -> Bool { sextet(character) < 0x80 }

  /// Whether all characters are of the alphabet.
  private static func areSextets(_ text: Span<UInt8>) -> Bool {
    // Branch-free, because branches on random text are mispredicted.
    var others: UInt8 = 0
    for index in 0..<text.count {
      let character = text[index]
      let isLetter = (character | 0x20) &- UInt8(ascii: "a") < 26
      let isDigit = character &- UInt8(ascii: "0") < 10
      let isSign = character == UInt8(ascii: "+")
      let isSlash = character == UInt8(ascii: "/")
      others |= 1 ^ (isLetter ? 1 : 0) ^ (isDigit ? 1 : 0) ^ (isSign ? 1 : 0) ^ (isSlash ? 1 : 0)
    }
    return others == 0
  }
}

import CTokenScanning

/// Strict base64 (RFC 4648 section 4; Docs/Verification.md 4.1): padded, canonical, no white space.
public enum Base64Text {
  /// The number of octets that `text` decodes to if it is valid, judged by its length and padding alone.
  public static func decodedCount(_ text: Span<UInt8>) -> Int {
    text.count / 4 * 3 - padding(of: text)
  }

  /// Decodes all of `text` into `output`, which has room for `text.count / 4 * 3` octets.
  ///
  /// - Returns: the number of octets, or nil when the text is not strict base64; `output` then holds no meaning.
  public static func decode(
    _ text: Span<UInt8>, into output: inout MutableSpan<UInt8>, with kernel: TextKernel = .best
  ) -> Int? {
    guard text.count & 3 == 0 else { return nil }
    guard text.count > 0 else { return 0 }
    let pads = padding(of: text)
    let whole = pads == 0 ? text.count : text.count - 4
    precondition(output.count >= text.count / 4 * 3)
    guard decodeGroups(text, count: whole, into: &output, with: kernel) else { return nil }
    let count = whole / 4 * 3
    guard pads > 0 else { return count }
    return decodeLastGroup(text, at: whole, padding: pads, into: &output, at: count)
  }

  /// Whether all of `text` is strict base64 of at least one octet.
  static func isNonEmpty(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 4, text.count & 3 == 0 else { return false }
    let pads = padding(of: text)
    guard PortableBase64.areSextets(text.extracting(first: text.count - pads)) else { return false }
    let unused: UInt8 = pads == 2 ? 0x0F : pads == 1 ? 0x03 : 0
    return PortableBase64.value(text[text.count - pads - 1]) & unused == 0
  }

  private static func padding(of text: Span<UInt8>) -> Int {
    guard text.count >= 4, text[text.count - 1] == UInt8(ascii: "=") else { return 0 }
    return text[text.count - 2] == UInt8(ascii: "=") ? 2 : 1
  }

  private static func decodeGroups(
    _ text: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>, with kernel: TextKernel
  ) -> Bool {
    switch kernel {
    case .portable:
      return PortableBase64.decodeGroups(text, count: count, into: &output)
    case .avx512:
      return text.withUnsafeBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
          guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return count == 0 }
          // `count` octets can be read and count / 4 * 3 written: `decode` checked both sizes.
          return assay_base64_decode_avx512(source, count, target)
        }
      }
    }
  }

  /// The group that ends in one or two `=`: the bits beyond the last octet are zero.
  private static func decodeLastGroup(
    _ text: Span<UInt8>, at start: Int, padding: Int, into output: inout MutableSpan<UInt8>, at count: Int
  ) -> Int? {
    let first = PortableBase64.value(text[start])
    let second = PortableBase64.value(text[start + 1])
    guard (first | second) & 0x80 == 0 else { return nil }
    output[count] = first << 2 | second >> 4
    if padding == 2 {
      return second & 0x0F == 0 ? count + 1 : nil
    }
    let third = PortableBase64.value(text[start + 2])
    guard third & 0x83 == 0 else { return nil }
    output[count + 1] = second << 4 | third >> 2
    return count + 2
  }
}

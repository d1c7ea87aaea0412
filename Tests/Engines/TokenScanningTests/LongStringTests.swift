import Testing
import TokenScanning

/// Strings long enough for vectors end at their quote, and invalid bytes are found at every position.
@Suite struct LongStringTests {
  private static let kernels = TextKernel.supported

  /// The string at the beginning of `text`; nil if it is rejected.
  private func string(_ text: [UInt8], _ kernel: TextKernel) -> JSONString? {
    var scanner = JSONScanner(text.span, with: kernel)
    return try? scanner.string()
  }

  @Test(arguments: kernels) func `a string of any length ends at its quote`(_ kernel: TextKernel) {
    for count in 0..<400 {
      let text = [UInt8(ascii: "\"")] + [UInt8](repeating: 0x7F, count: count) + Array("\",\"abc\"".utf8)
      #expect(string(text, kernel)?.range == 1..<(count + 1))
      #expect(string(text, kernel)?.hasEscapes == false)
      // Truncated before its quote.
      #expect(string(Array(text.prefix(count + 1)), kernel) == nil)
    }
  }

  @Test(arguments: kernels) func `control characters and stray bytes are rejected at every position`(
    _ kernel: TextKernel
  ) {
    for position in 0..<260 {
      for byte: UInt8 in [0x00, 0x09, 0x1F, 0x80, 0xC0, 0xFF] {
        var text = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "A"), count: 300) + [UInt8(ascii: "\"")]
        text[1 + position] = byte
        #expect(string(text, kernel) == nil)
      }
    }
  }

  @Test(arguments: kernels) func `escapes and multibyte scalars are accepted at every position`(_ kernel: TextKernel) {
    for position in 0..<260 {
      let before = [UInt8](repeating: UInt8(ascii: "z"), count: position)
      let after = [UInt8](repeating: UInt8(ascii: "A"), count: 300)
      for (middle, hasEscapes) in [("\\\"", true), ("é", false), ("\\u00e9", true), ("\u{1F512}", false)] {
        let content = before + Array(middle.utf8) + after
        let text = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
        #expect(string(text, kernel)?.range == 1..<(content.count + 1))
        #expect(string(text, kernel)?.hasEscapes == hasEscapes)
      }
    }
  }
}

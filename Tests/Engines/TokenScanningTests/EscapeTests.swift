import Testing
import TokenScanning

/// Every kernel reads strings with escapes as the content that they were written from.
@Suite struct EscapeTests {
  private static let kernels = TextKernel.supported

  /// The escapes of two bytes (RFC 8259 section 7).
  private static let simple: [(written: String, meant: UInt8)] = [
    ("\\\"", 0x22), ("\\\\", 0x5C), ("\\/", 0x2F), ("\\b", 0x08), ("\\f", 0x0C), ("\\n", 0x0A), ("\\r", 0x0D),
    ("\\t", 0x09),
  ]

  /// A string's text without its quotes, and its content.
  private struct Content {
    var text: [UInt8] = []
    var bytes: [UInt8] = []
    var hasEscapes = false

    mutating func append(_ written: String, meaning bytes: [UInt8]) {
      text += Array(written.utf8)
      self.bytes += bytes
      hasEscapes = hasEscapes || written.hasPrefix("\\")
    }

    mutating func append(plain count: Int, _ byte: UInt8 = UInt8(ascii: "A")) {
      let run = [UInt8](repeating: byte, count: count)
      text += run
      bytes += run
    }
  }

  /// Scans and unescapes a string with other strings around it, and checks that nothing is written beyond the
  /// documented room.
  private func check(_ content: Content, _ kernel: TextKernel, _ note: Comment) {
    let input = Array(#"["#.utf8) + [UInt8(ascii: "\"")] + content.text + Array(#"","\u0041\/"]"#.utf8)
    var scanner = JSONScanner(input.span, at: 1, with: kernel)
    guard let string = try? scanner.string() else {
      Issue.record("refused: \(note)")
      return
    }
    #expect(string.range == 2..<(2 + content.text.count), note)
    #expect(string.hasEscapes == content.hasEscapes, note)
    let room = content.text.count
    var output = [UInt8](repeating: 0xA5, count: room + 80)
    let count = output.withUnsafeMutableBufferPointer { buffer in
      var span = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: buffer[..<room]))
      return string.unescape(from: input.span, into: &span, with: kernel)
    }
    #expect(Array(output[..<count]) == content.bytes, note)
    let fence = [UInt8](repeating: 0xA5, count: 80)
    #expect(Array(output[room...]) == fence, "\(kernel) wrote beyond its output: \(note)")
    #expect(string.bytes(in: input.span) == content.bytes, note)
  }

  /// Whether a text is the inside of a valid string.
  private func isString(_ text: [UInt8], _ kernel: TextKernel) -> Bool {
    let input = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    var scanner = JSONScanner(input.span, with: kernel)
    guard (try? scanner.string()) != nil else { return false }
    return scanner.position == input.count
  }

  @Test(arguments: kernels) func `every escape is read at every position`(_ kernel: TextKernel) {
    let others: [(String, [UInt8])] = [
      ("\\u0041", [0x41]), ("\\u0000", [0]), ("\\u00e9", [0xC3, 0xA9]), ("\\u20AC", [0xE2, 0x82, 0xAC]),
      ("\\uD83D\\uDD12", [0xF0, 0x9F, 0x94, 0x92]), ("é", [0xC3, 0xA9]), ("\u{1F512}", [0xF0, 0x9F, 0x94, 0x92]),
    ]
    for (written, bytes) in Self.simple.map({ ($0.written, [$0.meant]) }) + others {
      for before in 0..<140 {
        for after in [0, 1, 15, 62, 63, 64, 65, 130] {
          var content = Content()
          content.append(plain: before)
          content.append(written, meaning: bytes)
          content.append(plain: after, UInt8(ascii: "n"))
          check(content, kernel, "\(written) after \(before) bytes and before \(after)")
        }
      }
    }
  }

  @Test(arguments: kernels) func `adjacent backslashes are pairs from the first one`(_ kernel: TextKernel) {
    for before in 0..<70 {
      for pairs in 1..<70 {
        for (written, meant) in [("", []), ("\\\"", [0x22]), ("\\u005C", [0x5C])] as [(String, [UInt8])] {
          var content = Content()
          content.append(plain: before)
          for _ in 0..<pairs { content.append("\\\\", meaning: [0x5C]) }
          content.append(written, meaning: meant)
          content.append(plain: 3)
          check(content, kernel, "\(pairs) pairs and \(written) after \(before) bytes")
        }
      }
    }
  }

  @Test(arguments: kernels) func `a byte after a backslash is one of eight or begins a scalar`(_ kernel: TextKernel) {
    let allowed = Set(Self.simple.map { Array($0.written.utf8)[1] })
    for before in [0, 30, 60, 61, 62, 63, 64, 100, 126, 127] {
      for byte in 0...UInt8.max {
        var text = [UInt8](repeating: UInt8(ascii: "A"), count: before)
        text += [UInt8(ascii: "\\"), byte] + [UInt8](repeating: UInt8(ascii: "0"), count: 80)
        let isRight = allowed.contains(byte) || byte == UInt8(ascii: "u")
        #expect(isString(text, kernel) == isRight, "\(byte) after \(before) bytes")
      }
    }
  }

  @Test(arguments: kernels) func `invalid bytes are found among escapes at every position`(
    _ kernel: TextKernel
  ) {
    for before in 0..<140 {
      for stray: [UInt8] in [
        [0x00], [0x1F], [0x22], [0x80], [0xFF], [0xC3], Array("\\u12G4".utf8), Array("\\uDC00".utf8),
      ] {
        let escapes = (0..<before).flatMap { Array(Self.simple[$0 % 8].written.utf8) }
        #expect(isString(escapes, kernel))
        #expect(
          !isString(escapes + stray + [UInt8](repeating: UInt8(ascii: "A"), count: 70), kernel),
          "\(stray) after \(before)")
      }
    }
  }

  @Test(arguments: kernels) func `a truncated string is rejected at every length`(_ kernel: TextKernel) {
    let content = Array("\"\\\"A\\\\AAA\\u00e9\\/".utf8) + (0..<80).flatMap { Array(Self.simple[$0 % 8].written.utf8) }
    for count in 0..<content.count {
      let text = Array(content.prefix(count))
      var scanner = JSONScanner(text.span, with: kernel)
      #expect((try? scanner.string()) == nil, "\(count) bytes")
    }
  }

  @Test(arguments: kernels) func `random strings are read as they were written`(_ kernel: TextKernel) {
    let seed = UInt64.random(in: .min ... .max)
    print("random strings: seed \(seed)")
    var state = seed
    func below(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for number in 0..<4_000 {
      var content = Content()
      let longest = [2, 20, 200][Int(below(3))] as UInt64
      for _ in 0..<below(40) {
        switch below(8) {
        case 0:
          let scalar = Unicode.Scalar(UInt32(below(0xD800))) ?? "A"
          let digits = String(scalar.value, radix: 16)
          let written = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          content.append(written, meaning: Array(String(Character(scalar)).utf8))
        case 1: content.append("ß", meaning: [0xC3, 0x9F])
        case 2, 3, 4:
          let (written, meant) = Self.simple[Int(below(8))]
          content.append(written, meaning: [meant])
        default: content.append(plain: Int(below(longest)), UInt8(0x23 + below(0x39)))
        }
      }
      check(content, kernel, "string \(number) of seed \(seed)")
    }
  }
}

import PaymentToken
import Testing
import TokenScanning

/// What `JSONString` promises beyond the strings of tokens.
@Suite struct JSONStringTests {
  @Test func `two names of equal hash and different content are not repeated`() throws {
    // By the birthday paradox, two of 400,000 names almost surely share the 32 bits that are compared. The seed of the
    // hash differs in every process, so the pair is searched for here.
    var seen: [UInt32: Int] = [:]
    var pair: (Int, Int)?
    for number in 0..<1_000_000 {
      let text = Array("\(number)".utf8)
      let name = JSONString(start: 0, end: text.count, hasEscapes: false)
      let hash = UInt32(truncatingIfNeeded: name.contentHash(in: text.span))
      if let other = seen.updateValue(number, forKey: hash) {
        pair = (other, number)
        break
      }
    }
    let (first, second) = try #require(pair)
    let document = Array("{\"\(first)\":0,\"\(second)\":0}".utf8)
    #expect(throws: TokenFault(.missingMember, member: .version)) { try TokenFields(scanning: document.span) }
  }

  @Test func `a value may end with the text`() throws {
    for text in ["true", "false", "null", "0", "-1.5e3", "\"é\"", "\"\"", "[]", "{}", "\"\\n\"", "[ ]", "{ }"] {
      let bytes = Array(text.utf8)
      var scanner = JSONScanner(bytes.span)
      try scanner.skipValue(depth: 0)
      #expect(scanner.position == bytes.count, "\(text)")
    }
  }

  @Test func `the preconditions of strings stop the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = JSONString(start: 2, end: 1, hasEscapes: false)
    }
    await #expect(processExitsWith: .failure) {
      let text = Array("abcd".utf8)
      var room = [UInt8](repeating: 0, count: 3)
      var output = room.mutableSpan
      _ = JSONString(start: 0, end: 4, hasEscapes: false).unescape(from: text.span, into: &output)
    }
    await #expect(processExitsWith: .failure) {
      // No scanner accepts this escape.
      let text = Array("ab\\xcd".utf8)
      _ = JSONString(start: 0, end: 6, hasEscapes: true).bytes(in: text.span)
    }
  }
  @Test func `hexadecimal text of every length is decoded, and one wrong digit is found`() {
    let digits = Array("0123456789abcdefABCDEF".utf8)
    for count in 0...24 {
      let text = (0..<count).map { digits[($0 * 7 + count) % digits.count] }
      #expect(decoded(text) == bytes(of: text), "\(count)")
      for place in text.indices {
        for wrong: UInt8 in [0x2F, 0x3A, 0x40, 0x47, 0x60, 0x67, 0xB0, 0xE1] {
          var altered = text
          altered[place] = wrong
          #expect(decoded(altered) == nil, "\(wrong) at \(place) of \(count)")
        }
      }
    }
  }

  private func decoded(_ text: [UInt8]) -> [UInt8]? {
    var room = [UInt8](repeating: 0xA5, count: text.count / 2)
    var output = room.mutableSpan
    guard let count = HexText.decode(text.span, into: &output) else { return nil }
    return Array(room[..<count])
  }

  /// Nil for an odd number of digits.
  private func bytes(of text: [UInt8]) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: text.count, by: 2).compactMap {
      UInt8(String(decoding: text[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }
}

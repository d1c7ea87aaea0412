import PaymentToken
import TestSupport
import Testing
import TokenScanning

/// Rules 2.1 to 2.6, each with accepted and rejected texts.
@Suite struct JSONRuleTests {
  private func fault(_ text: [UInt8]) -> TokenFault? {
    do {
      _ = try TokenFields(scanning: text.span)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a document is well-formed: then its fault is the missing `version`.
  private func isWellFormed(_ text: [UInt8]) -> Bool {
    switch fault(text)?.code {
    case .malformedJSON: return false
    case .missingMember: return true
    default:
      Issue.record("neither well-formed nor malformed: \(String(decoding: text, as: UTF8.self))")
      return false
    }
  }

  private func isWellFormed(_ text: String) -> Bool { isWellFormed(Array(text.utf8)) }

  private func isWellFormed(string bytes: [UInt8]) -> Bool {
    // As a value, as an unknown name, at the end of long strings, and cut off by the end of the text.
    let forms = [
      Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8),
      Array("{\"".utf8) + bytes + Array("\":0}".utf8),
      Array("{\"a\":[{\"b\":\"".utf8) + [UInt8](repeating: 0x61, count: 37) + bytes + Array("\"}]}".utf8),
    ].map { isWellFormed($0) }
    #expect(Set(forms).count == 1, "the position of a string matters: \(bytes)")
    #expect(!isWellFormed(Array("{\"a\":\"".utf8) + bytes), "an unclosed string: \(bytes)")
    return forms[0]
  }

  // MARK: 2.1

  @Test(arguments: [
    "{}", " \t\n\r{}\t\n\r ", "{ }", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }", "{\"a\":[1,[],{},[{}]]}", "{\"\":0}",
    "{\"a\":{\"b\":{\"c\":[true,false,null]}}}", "{\"a\":-0}", "{\"a\":0.0e-0}", "{\"a\":1E+2}", "{\"a\":-1.5e10}",
    "{\"a\":123456789012345678901234567890}",
  ]) func `well-formed`(_ text: String) {
    #expect(isWellFormed(text))
  }

  @Test(arguments: [
    "", " ", "[]", "1", "\"a\"", "null", "{", "}", "{}}", "{}{}", "{},", "\u{FEFF}{}", "{}\0", "\u{0B}{}", "\u{A0}{}",
    "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\"::1}",
    "{\"a\":1;}", "{\"a\":[}", "{\"a\":[1}", "{\"a\":[1,]}", "{\"a\":[,1]}", "{\"a\":[1 2]}", "{\"a\":{]}",
    "{\"a\":[}]",
    "{\"a\":01}", "{\"a\":-}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}", "{\"a\":1.e1}", "{\"a\":1e}", "{\"a\":1e+}",
    "{\"a\":--1}", "{\"a\":0x1}", "{\"a\":1e1.5}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":True}", "{\"a\":tru}",
    "{\"a\":truee}", "{\"a\":nul", "{\"a\":fals", "{\"a\":/**/1}", "{\"a\":1}//", "{\"a\":1", "{\"a\":", "{\"a\"",
    "{\"a",
    "{\"header\":{}", "{\"header\":{\"a\":1,}}", "{\"header\":{,}}",
  ]) func `malformed`(_ text: String) {
    #expect(!isWellFormed(text))
  }

  // MARK: 2.2

  @Test func `sequences of two bytes are UTF-8 exactly if the standard library accepts them`() {
    var valid = 0
    for first in UInt8(0x20)...0xFF {
      for second in UInt8(0x20)...0xFF where ![first, second].contains(where: { $0 == 0x22 || $0 == 0x5C }) {
        let bytes = [first, second]
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        if isValid { valid += 1 }
        guard isWellFormedQuickly(bytes) != isValid else { continue }
        Issue.record("\(bytes)")
      }
    }
    // Two ASCII characters except quote and backslash, or a lead byte 0xC2 to 0xDF and a continuation byte.
    #expect(valid == 94 * 94 + 30 * 64)
  }

  /// As a string alone.
  private func isWellFormedQuickly(_ bytes: [UInt8]) -> Bool {
    let text = [0x22] + bytes + [0x22]
    var scanner = JSONScanner(text.span)
    return (try? scanner.string()) != nil && (try? scanner.expectEnd()) != nil
  }

  @Test func `sequences of three and four bytes are UTF-8 exactly within the limits of Unicode's table`() {
    let borders: [UInt8] = [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    var valid = 0
    for lead in UInt8(0xC0)...0xFF {
      for second in borders {
        for third in borders {
          for bytes in [[lead, second, third]] + borders.map({ [lead, second, third, $0] }) {
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            if isValid { valid += 1 }
            guard isWellFormedQuickly(bytes) != isValid else { continue }
            Issue.record("\(bytes)")
          }
        }
      }
    }
    #expect(valid > 1_000, "\(valid)")
  }

  @Test func `overlong forms, surrogates and values above U+10FFFF are malformed in every string`() {
    let malformed: [[UInt8]] = [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0x80], [0xC2], [0xE2, 0x82],
      [0xF0, 0x9F, 0x98],
    ]
    for bytes in malformed { #expect(!isWellFormed(string: bytes), "\(bytes)") }
    for text in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
      #expect(isWellFormed(string: Array(text.utf8)), "\(text)")
    }
  }

  @Test func `control characters are malformed at every position of a long string`() {
    for control in UInt8(0)..<0x20 {
      for position in 0..<40 {
        var bytes = [UInt8](repeating: 0x61, count: 40)
        bytes[position] = control
        #expect(!isWellFormedQuickly(bytes), "\(control) at \(position)")
      }
    }
    #expect(isWellFormed(string: [0x7F]))
  }

  // MARK: 2.3

  @Test func `escapes`() {
    for byte in UInt8(0x20)..<0x7F where byte != UInt8(ascii: "u") {
      let isEscape = "\"\\/bfnrt".utf8.contains(byte)
      #expect(isWellFormed(string: [0x5C, byte]) == isEscape, "\\\(Unicode.Scalar(byte))")
    }
    for text in [
      "\\u0000", "\\u00e9", "\\uABCD", "\\uabcd", "\\uD7FF", "\\uE000", "\\uFFFF", "\\uD800\\uDC00", "\\udbff\\udfff",
      "\\\\u12",
    ] {
      #expect(isWellFormed(string: Array(text.utf8)), "\(text)")
    }
    for text in [
      "\\u", "\\u1", "\\u123", "\\u12G4", "\\u 123", "\\uD800", "\\uDBFFx", "\\uDC00", "\\uDFFF", "\\uD800\\u0041",
      "\\uD800\\uD800", "\\uD800 \\uDC00", "\\uD800\\n", "\\uD800\\", "\\uDC00\\uD800", "\\U0041", "\\x41", "\\'",
      "\\\u{E9}",
    ] {
      #expect(!isWellFormed(string: Array(text.utf8)), "\(text)")
    }
  }

  // MARK: 2.4 to 2.6

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"]) func `nesting is at most 32`(_ opening: String) {
    func text(_ depth: Int, _ name: String) -> String {
      var opened = ""
      var closed = ""
      for level in 0..<depth {
        let isObject = opening == "[" ? false : opening.hasPrefix("[") ? level.isMultiple(of: 2) : true
        opened += isObject ? "{\"a\":" : "["
        closed = (isObject ? "}" : "]") + closed
      }
      return "{\"\(name)\":\(opened)0\(closed)}"
    }
    for name in ["a", "header"] {
      #expect(isWellFormed(text(31, name)))
      #expect(!isWellFormed(text(32, name)))
      #expect(!isWellFormed(text(2_700, name)))
    }
  }

  @Test func `the token object and each header have at most 64 members`() {
    func members(_ count: Int) -> String { (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",") }
    #expect(isWellFormed("{\(members(64))}"))
    #expect(!isWellFormed("{\(members(65))}"))
    #expect(isWellFormed("{\"header\":{\(members(64))}}"))
    #expect(!isWellFormed("{\"header\":{\(members(65))}}"))
    #expect(!isWellFormed("{\"header\":{},\"header\":{\(members(65))}}"))
    #expect(isWellFormed("{\"other\":{\(members(1_000))}}"))
    let repeated = (0..<65).map { _ in "\"a\":0" }.joined(separator: ",")
    #expect(!isWellFormed("{\(repeated)}"))
  }

  @Test(
    arguments: [
      ("{\"a\":0,\"a\":0}", nil), ("{\"a\":0,\"\\u0061\":0}", nil), ("{\"\\u00e9\":0,\"\u{E9}\":0}", nil),
      ("{\"\\ud83d\\ude00\":0,\"\u{1F600}\":0}", nil), ("{\"\":0,\"\":0}", nil), ("{\"\\/\":0,\"/\":0}", nil),
      ("{\"version\":0,\"\\u0076ersion\":0}", .version), ("{\"data\":0,\"data\":0,\"version\":0,\"version\":0}", .data),
      ("{\"header\":{\"data\":0,\"data\":0}}", nil), ("{\"header\":{\"wrappedKey\":0,\"wrappedKey\":0}}", .wrappedKey),
      ("{\"header\":0,\"header\":{\"transactionId\":0,\"transactionId\":0}}", .header),
      ("{\"header\":{\"transactionId\":0,\"transactionId\":0},\"header\":0}", .transactionId),
      ("{\"x\":0,\"x\":0,\"version\":0,\"version\":0}", nil),
    ] as [(String, TokenMember?)]) func `a repeated name is reported by its first repetition`(
      _ text: String, _ member: TokenMember?
    )
  {
    #expect(fault(Array(text.utf8)) == TokenFault(.duplicateMember, member: member))
  }

  @Test(arguments: [
    "{\"a\":0,\"A\":0}", "{\"a\":0,\"a \":0}", "{\"a\":0,\"a\\u0000\":0}", "{\"\u{E9}\":0,\"e\u{301}\":0}",
    "{\"version\":0,\"header\":{\"version\":0}}", "{\"x\":{\"a\":0,\"a\":0}}", "{\"header\":{\"x\":{\"a\":0,\"a\":0}}}",
  ]) func `names that differ are not repeated`(_ text: String) {
    let code = fault(Array(text.utf8))?.code
    #expect(code == .missingMember || code == .wrongType)
  }

  @Test func `a repetition is reported only in a well-formed document`() {
    #expect(fault(Array("{\"a\":0,\"a\":0".utf8))?.code == .malformedJSON)
    #expect(fault(Array("{\"a\":0,\"a\":0}x".utf8))?.code == .malformedJSON)
  }

  /// 64 names of over 230 bytes that differ only in their last digits. Comparing all pairs in full takes many times as
  /// long.
  @Test(arguments: ["a", "\\u0061"]) func `long names with a common prefix take no longer than others`(_ first: String)
  {
    func text(_ name: (Int) -> String) -> [UInt8] {
      Array("{\((0..<64).map { "\"\(name($0))\":0" }.joined(separator: ","))}".utf8)
    }
    let middle = first + String(repeating: "a", count: 230)
    let (common, distinct) = (text { "\(middle)\($0)" }, text { "\($0)\(middle)" })
    #expect(isWellFormed(common) && isWellFormed(distinct))
    // By turns: an interruption of some milliseconds hits both.
    var (slow, fair) = (UInt64.max, UInt64.max)
    for _ in 0..<20 {
      slow = min(slow, time { _ = fault(common) })
      fair = min(fair, time { _ = fault(distinct) })
    }
    #expect(slow < fair * 4, "\(slow) against \(fair)")
  }

  /// Names are compared in chunks, whose ends differ between two names with different escapes.
  @Test func `long names are compared by content, and may differ in one character anywhere`() {
    let seed = UInt64.random(in: .min ... .max)
    print("long names: seed \(seed)")
    var state = seed
    func below(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    /// One character, plain or as an escape.
    func written(_ character: Character, _ often: UInt64) -> String {
      guard below(often) == 0 else { return character == "\n" ? "\\n" : String(character) }
      return character.utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16, uppercase: below(2) == 0).dropFirst() }
        .joined()
    }
    func name(_ content: [Character], _ often: UInt64) -> String { content.map { written($0, often) }.joined() }
    let alphabet: [Character] = ["a", "b", "/", "\n", "é", "€", "\u{1F512}"]
    for _ in 0..<300 {
      // Two names of this length, completely escaped, have about the size of the largest token.
      let content = (0..<below(1_000)).map { _ in alphabet[Int(below(7))] } + ["a"]
      var other = content
      other[Int(below(UInt64(content.count)))] = "c"
      let (often, rarely) = (1 + below(4), 1 + below(100))
      func isRepeated(_ other: [Character]) -> Bool {
        fault(Array("{\"\(name(content, often))\":0,\"\(name(other, rarely))\":0}".utf8))?.code == .duplicateMember
      }
      #expect(isRepeated(content))
      #expect(!isRepeated(other))
      #expect(!isRepeated(content + ["a"]))
    }
  }

  /// Processor time, in nanoseconds.
  private func time(_ work: () -> Void) -> UInt64 {
    let start = ThreadTime.nanoseconds
    work()
    return ThreadTime.nanoseconds - start
  }
}

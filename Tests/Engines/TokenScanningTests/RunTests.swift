import TestSupport
import Testing
import TokenScanning

/// Runs of white space, digits, escapes and characters beyond ASCII are read by words with the same result as byte by
/// byte.
@Suite struct RunTests {
  /// Scans one string and returns its content; nil if it is invalid or ends early.
  private func content(of text: [UInt8]) -> [UInt8]? {
    let input = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    var scanner = JSONScanner(input.span)
    guard let string = try? scanner.string(), scanner.position == input.count else { return nil }
    var output = [UInt8](repeating: 0xA5, count: text.count + 16)
    let count = output.withUnsafeMutableBufferPointer { buffer in
      var span = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: buffer[..<text.count]))
      return string.unescape(from: input.span, into: &span)
    }
    #expect(output[text.count...].allSatisfy { $0 == 0xA5 })
    return Array(output[..<count])
  }

  // MARK: Characters beyond ASCII

  @Test func `every beginning of a character is accepted or rejected as by the standard library`() {
    var third: [UInt8] = [0x22, 0x7F, 0x80, 0xBF, 0xC0]
    if Ring.isDeep { third += [0x41, 0x8F, 0x90, 0x9F, 0xA0, 0xFF] }
    var accepted = 0
    for first in UInt8(0x80)...0xFF {
      for second in UInt8.min...0xFF {
        for third in third {
          let text = [first, second, third]
          // Before other characters, where a whole word can be read, and at the end, where it cannot.
          for tail in [[UInt8](), [0x41], [0xBF], [0xBF, 0x41], Array("é€\u{1F512}A".utf8)] {
            let whole = text + tail
            let isPlain = !whole.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
            let isValid = isPlain && String(validating: whole, as: UTF8.self) != nil
            if isValid { accepted += 1 }
            let read = content(of: whole)
            if (read == whole) != isValid || (read != nil) != isValid { Issue.record("\(whole)") }
          }
        }
      }
    }
    #expect(accepted > 10_000)
  }

  @Test func `characters of every length are accepted in every order and at the end`() {
    let characters = ["a", "é", "߿", "ࠀ", "€", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"].map {
      Array($0.utf8)
    }
    for first in characters {
      for second in characters {
        for third in characters {
          let text = first + second + third + first
          #expect(content(of: text) == text)
          for count in 0..<text.count {
            let cut = Array(text[..<count])
            #expect((content(of: cut) != nil) == (String(validating: cut, as: UTF8.self) != nil))
          }
        }
      }
    }
  }

  // MARK: Escapes

  @Test func `code units between characters beyond ASCII are checked digit by digit`() {
    for unit in stride(from: 0, through: 0xFFFF, by: 0x0F) {
      let digits = Array((String(repeating: "0", count: 4) + String(unit, radix: 16)).utf8.suffix(4))
      let meaning = Unicode.Scalar(UInt16(unit)).map { Array("é\($0)€".utf8) }
      #expect(content(of: Array("é\\u".utf8) + digits + Array("€".utf8)) == meaning)
      for place in digits.indices {
        var wrong = digits
        wrong[place] = UInt8(ascii: "g")
        #expect(content(of: Array("é\\u".utf8) + wrong + Array("€".utf8)) == nil)
      }
      for count in 0..<4 { #expect(content(of: Array("é\\u".utf8) + digits[..<count] + Array("€".utf8)) == nil) }
    }
    #expect(content(of: Array("é\\uD83D\\uDE00€".utf8)) == Array("é\u{1F600}€".utf8))
  }

  @Test func `a backslash between characters beyond ASCII needs a valid escape`() {
    let meanings: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    for byte in UInt8.min...UInt8.max {
      for (before, after) in [("é", "€"), ("€", ""), ("\u{1F512}", "A"), ("éé", "\u{1F512}€A€")] {
        let written = Array(before.utf8) + [UInt8(ascii: "\\"), byte] + Array(after.utf8)
        let expected = meanings[byte].map { Array(before.utf8) + [$0] + Array(after.utf8) }
        #expect(content(of: written) == expected, "\(byte) between '\(before)' and '\(after)'")
      }
    }
  }

  @Test func `every code unit yields its character, in either case, before text and at the end`() throws {
    for unit in UInt16.min...UInt16.max {
      let digits = String(unit, radix: 16)
      let written =
        "\\u" + String(repeating: "0", count: 4 - digits.count) + (unit & 1 == 0 ? digits : digits.uppercased())
      let meaning = Unicode.Scalar(unit).map { Array(String(Character($0)).utf8) }
      for (before, after) in [("", ""), ("", "A"), ("\\u0041\\u20AC", "\\u00e9 and more")] {
        let expected = meaning.map {
          Array(before.isEmpty ? "".utf8 : "A€".utf8) + $0 + Array((after.hasPrefix("\\") ? "é and more" : after).utf8)
        }
        if content(of: Array((before + written + after).utf8)) != expected {
          Issue.record("\(written) before '\(after)'")
        }
      }
    }
  }

  /// The scanner skips such text in pieces, whose ends fall into characters and escapes.
  @Test func `characters and escapes in any order have the content of each, and one that is invalid is found`() {
    let valid: [(written: String, meaning: String)] = [
      ("a", "a"), ("plain text of some length", "plain text of some length"), ("é", "é"), ("€", "€"),
      ("\u{1F512}", "\u{1F512}"), ("\\n", "\n"), ("\\\"", "\""), ("\\\\", "\\"), ("\\u0041", "A"), ("\\u00e9", "é"),
      ("\\uD83D\\udd12", "\u{1F512}"),
    ]
    let invalid: [[UInt8]] = [
      [0x80], [0xC0], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x1F], Array("\\x".utf8), Array("\\u004g".utf8), Array("\\ud83d".utf8), Array("\\udd12".utf8),
    ]
    var generator = TextKernelTests.Generator()
    var accepted = 0
    let rounds = Ring.count(4_000, deep: 400_000)
    for round in 0..<rounds {
      var written: [UInt8] = []
      var meaning: [UInt8] = []
      let count = generator.below(round.isMultiple(of: 8) ? 400 : 12)
      let place = round.isMultiple(of: 2) ? generator.below(count + 1) : nil
      for index in 0...count {
        if index == place { written += invalid[generator.below(invalid.count)] }
        guard index < count else { break }
        let piece = valid[generator.below(valid.count)]
        written += Array(piece.written.utf8)
        meaning += Array(piece.meaning.utf8)
      }
      let read = content(of: written)
      if read != (place == nil ? meaning : nil) { Issue.record("round \(round): \(written)") }
      if read != nil { accepted += 1 }
    }
    #expect(accepted == rounds / 2)
  }

  @Test func `surrogates are valid only in pairs, between other escapes`() {
    func isString(_ text: String) -> Bool { content(of: Array(text.utf8)) != nil }
    for plain in ["", "\\u0041", "\\u0041\\u0041\\u0041", "A"] {
      #expect(content(of: Array((plain + "\\uD83D\\udd12" + plain).utf8)) != nil)
      #expect(content(of: Array("\\u0041\\ud83d\\udd12\\u0041".utf8)) == Array("A\u{1F512}A".utf8))
      for broken in [
        "\\ud800", "\\udc00", "\\udbff\\ud800", "\\ud800\\u0041", "\\ud800\\n", "\\ud800A", "\\udfff\\ud800",
      ] {
        #expect(!isString(plain + broken + plain), "\(plain)\(broken)")
      }
    }
  }

  @Test func `a wrong digit is found at every position of a run of escapes`() {
    for place in 0..<5 {
      for digit in 2..<6 {
        for byte in UInt8.min...0xFF {
          var text = Array(String(repeating: "\\u0041", count: 5).utf8)
          text[6 * place + digit] = byte
          let isDigit =
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
          // No change of one digit makes a surrogate of 0041.
          #expect((content(of: text) != nil) == isDigit, "\(byte) at \(place), \(digit)")
        }
      }
    }
    let run = Array(String(repeating: "\\u0041", count: 5).utf8)
    for count in 0...run.count {
      #expect((content(of: Array(run[..<count])) != nil) == count.isMultiple(of: 6), "\(count)")
    }
  }

  // MARK: White space and digits

  @Test func `other bytes are found at every position of a run of white space`() {
    for kind: UInt8 in [0x20, 0x09, 0x0A, 0x0D] {
      for count in 0..<40 {
        let run = [UInt8](repeating: kind, count: count)
        #expect(isArray([UInt8(ascii: "[")] + run + Array("0]".utf8)))
        #expect(!isArray([UInt8(ascii: "[")] + run))
      }
      for place in 0..<25 {
        for byte in UInt8.min...0xFF {
          var run = [UInt8](repeating: kind, count: 25)
          run[place] = byte
          let isWhitespace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
          #expect(isArray([UInt8(ascii: "[")] + run + Array("\"\"]".utf8)) == isWhitespace, "\(byte) at \(place)")
        }
      }
    }
  }

  @Test func `other bytes end a number at every position of a run of digits`() throws {
    for count in [1, 2, 15, 16, 17, 23, 24, 25, 32, 40] {
      for place in 0..<count {
        for byte in UInt8.min...0xFF
        where byte != UInt8(ascii: ".") && byte != UInt8(ascii: "e") && byte != UInt8(ascii: "E") {
          var digits = [UInt8](repeating: UInt8(ascii: "9"), count: count)
          digits[place] = byte
          let text = [UInt8(ascii: "1")] + digits
          var scanner = JSONScanner(text.span)
          let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          #expect(try scanner.number() == 0..<(isDigit ? text.count : 1 + place), "\(byte) at \(place) of \(count)")
        }
      }
    }
  }

  private func isArray(_ text: [UInt8]) -> Bool {
    var scanner = JSONScanner(text.span)
    return (try? scanner.skipValue(depth: 0)) != nil && scanner.position == text.count
  }
}

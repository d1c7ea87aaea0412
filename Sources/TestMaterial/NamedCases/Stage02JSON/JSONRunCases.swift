import Gateways
import Minting
import PaymentToken

/// Stage 2 where a reader looks at several bytes at once: long white space, long numbers, escapes behind characters
/// beyond ASCII, long names.
extension CaseList {
  mutating func addJSONRunCases() {
    addWhiteSpaceRunCases()
    addDigitRunCases()
    addCharacterRunCases()
    addEscapeRunCases()
    addCutRunCases()
    addLongNameCases()
  }

  /// A document without the token's members that holds a malformed value. It is small: all that counts is that
  /// `malformedJSON` is reported, and not the missing `version`.
  private mutating func malformed(_ clause: String, _ name: CaseName, _ value: [UInt8]) {
    reject(clause, name, .malformedJSON) { $0.token = Array("{\"a\":".utf8) + value + [0x7D] }
  }

  private mutating func malformed(_ clause: String, _ name: CaseName, _ value: String) {
    malformed(clause, name, Array(value.utf8))
  }

  private mutating func addWhiteSpaceRunCases() {
    unknownValue(
      "2.1", .standing(.holder, .rfc(8259, "2"), .interoperability, "empty-containers-with-white-space-inside"), nil,
      "[{ },[ ],{\n},[\t],[ 1 , { } , [ ] ]]")
    unknownValue(
      "2.1", .standing(.holder, .rfc(8259, "2"), .interoperability, "white-space-of-every-length-up-to-20"), nil,
      (0...20).map { count in
        let kinds = String(repeating: " \t\r\n", count: 5).prefix(count)
        return "\(count == 0 ? "[" : ",")\(kinds)\(count)\(kinds)"
      }.joined() + "]")
    // Eight bytes that differ from white space by one or by their highest bit, after a word of white space of another
    // kind than the one they resemble.
    for byte: UInt8 in [0x08, 0x0B, 0x0C, 0x0E, 0x1F, 0x21, 0x89, 0x8A, 0x8D, 0xA0] {
      let space: UInt8 = byte & 0x7F < 0x10 ? 0x20 : 0x0A
      let run = [UInt8](repeating: space, count: 9) + [UInt8](repeating: byte, count: 8)
      malformed("2.1", "eight-bytes-\(String(byte, radix: 16))-after-white-space", run + [0x30])
    }
    let spaces = [UInt8](repeating: 0x20, count: 7)
    let mixed: Named<[UInt8]> = [
      "an-exclamation-mark-and-seven-spaces": [0x20, 0x20] + spaces + [0x21] + spaces,
      "seven-spaces-and-an-exclamation-mark": [0x20, 0x20] + spaces + spaces + [0x21],
      "a-line-feed-and-seven-control-characters": [0x20, 0x0A] + [UInt8](repeating: 0x01, count: 7),
    ]
    for (name, run) in mixed { malformed("2.1", "\(name)-after-white-space", run + [0x30]) }
  }

  private mutating func addDigitRunCases() {
    let digits = "1234567890123456789012345678901234567890"
    let integers = (14...40).map { String(digits.prefix($0)) }.joined(separator: ",")
    unknownValue(
      "2.1", .standing(.holder, .rfc(8259, "6"), .choice, "numbers-of-14-to-40-digits"), nil, "[\(integers)]")
    unknownValue(
      "2.1", .standing(.holder, .rfc(8259, "6"), .choice, "fractions-and-exponents-of-24-digits"), nil,
      "[0.\(digits.prefix(24))e+\(digits.prefix(24))]")
    unknownValue(
      "2.1", .standing(.holder, .rfc(8259, "6"), .choice, "numbers-of-24-equal-digits"), nil,
      "["
        + (1...9).map {
          String(repeating: "\($0)", count: 24)
        }.joined(separator: ",") + ",1" + String(repeating: "0", count: 23) + "]")
    unknownValue("2.1", "a-number-of-16-digits-before-text", nil, "[1234567890123456,\"plain text behind it\"]")
    for (name, eight) in [
      ("colons", "::::::::"), ("solidi", "////////"), ("seven-digits-and-a-colon", "5555555:"),
      ("a-colon-and-seven-digits", ":5555555"), ("question-marks", "????????"), ("a-letter-at-their-end", "0123456a"),
      ("control-characters", String(repeating: "\u{1F}", count: 8)),
    ] { malformed("2.1", "16-digits-and-\(name)", "1234567890123456\(eight)") }
  }

  private mutating func addCharacterRunCases() {
    /// The first character for each first byte in UTF-8. The surrogates, from 0xD800 on, are no characters.
    let starts: [UInt32] =
      stride(from: 0x80, to: 0x800, by: 0x40) + [0x800] + stride(from: 0x1000, to: 0xE000, by: 0x1000) + [0xD800]
      + stride(from: 0xE000, to: 0x10000, by: 0x1000) + [0x10000] + stride(from: 0x40000, to: 0x110000, by: 0x40000)
    let scalars = zip(starts, starts.dropFirst() + [0x110000]).flatMap { [$0, $1 - 1] }
    let characters = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
    unknownValue("2.2", "the-first-and-last-character-of-each-first-byte", nil, "\"\(characters)\"")
    let printable = (0x20...0x7E as ClosedRange<UInt8>).filter { $0 != 0x22 && $0 != 0x5C }
    unknownValue(
      "2.2", "every-ascii-character-at-the-end-after-another-one", nil,
      "["
        + printable.map {
          "\"é\(Unicode.Scalar($0))\""
        }.joined(separator: ",") + "]")
  }

  private mutating func addEscapeRunCases() {
    let sound =
      [#"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u0041"#, #"\u00e9\u20AC"#]
      + [#"\ud7ff\ue000"#, #"\uD83D\uDE00"#, #"\u0000"#, #"\uffff"#]
    for (before, kind) in [("é", "of-two-bytes"), ("€", "of-three-bytes"), ("😀", "of-four-bytes")] {
      let strings = sound.flatMap { ["\"\(before)\($0)\"", "\"\(before)\($0)x\"", "\"\(before)\($0)\(before)\""] }
      unknownValue(
        "2.3", "every-escape-after-a-character-\(kind)", nil, "[\(strings.joined(separator: ","))]")
    }
    reject("2.6", "a-repeated-name-with-an-escape-after-a-character-beyond-ascii", .duplicateMember) {
      $0.token = Array(#"{"éA":1,"é\u0041":2}"#.utf8)
    }
    for character in ["a", "v", "x", "U", "N", "D", "0", "1", "3", "7", "9", ".", "^", "'", ":", "]"] {
      let label = Unicode.Scalar(character).map { String($0.value, radix: 16) } ?? ""
      malformed("2.3", "escape-\(label)-after-a-character-beyond-ascii", "\"é\\\(character) \"")
    }
    // Hexadecimal digits stand where a reader that counts backwards would look.
    for prefix in ["aaaé", #"é\u0041"#] {
      let place = prefix.hasPrefix("a") ? "a-character-beyond-ascii" : "an-escape-after-one"
      for (index, digits) in ["G041", "0G41", "00G1", "004G"].enumerated() {
        malformed("2.3", "escape-with-a-wrong-digit-\(index + 1)-after-\(place)", "\"\(prefix)\\u\(digits)é\"")
      }
      for (name, escape) in [
        ("the-first-high-surrogate", #"\ud800"#), ("the-last-high-surrogate", #"\uDBFF"#),
        ("the-first-low-surrogate", #"\udc00"#), ("the-last-low-surrogate", #"\uDFFF"#),
        ("a-high-surrogate-and-a-letter", #"\ud83dx"#), ("a-high-surrogate-and-another-escape", #"\ud83d\n"#),
        ("a-high-surrogate-and-a-scalar", #"\ud83d\u0041"#),
      ] { malformed("2.3", .standing(.loneSurrogate, "\(name)-after-\(place)"), "\"\(prefix)\(escape)\"") }
    }
  }

  private mutating func addCutRunCases() {
    let ends: Named<String> = [
      "a-character-of-two-bytes": "é", "a-character-of-three-bytes": "€", "a-character-of-four-bytes": "😀",
      "a-backslash-after-a-character": "é\\", "an-escape-of-no-digits": "é\\u", "an-escape-of-one-digit": "é\\u0",
      "an-escape-of-two-digits": "é\\u00", "an-escape-of-three-digits": "é\\u004",
      "an-escape-of-four-digits": "é\\u0041",
    ]
    for (name, text) in ends {
      reject("2.1", "a-string-cut-after-\(name)", .malformedJSON) { $0.token = Array("{\"a\":\"\(text)".utf8) }
    }
    for bytes: [UInt8] in [[0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98]] {
      let name = bytes.map { String($0, radix: 16) }.joined(separator: "-")
      reject("2.2", "a-string-cut-after-a-character-and-\(name)", .malformedJSON) {
        $0.token = Array("{\"a\":\"é".utf8) + bytes
      }
    }
  }

  /// Names are compared, and hashed, a few hundred bytes at a time; escapes shift where one part ends.
  private mutating func addLongNameCases() {
    for length in [7, 8, 9, 511, 512, 513, 519, 520, 521, 1031] {
      let rest = String(repeating: "n", count: length - 1)
      let escaped = #"\/\#(rest)"#
      for (order, names) in [("first", [escaped, "/\(rest)"]), ("second", ["/\(rest)", escaped])] {
        reject(
          "2.6",
          .standing(.holder, .apple, .strictness, "a-repeated-name-of-\(length)-bytes-the-\(order)-with-an-escape"),
          .duplicateMember
        ) {
          $0.token = Array("{\"\(names[0])\":1,\"\(names[1])\":2}".utf8)
        }
      }
      request(
        "2.6", .standing(.holder, .apple, .strictness, "names-of-\(length)-bytes-that-differ-in-the-last"),
        .missing(.version),
        note: "the names are different, so only the token's members are missing"
      ) {
        $0.token = Array("{\"\(escaped)\":1,\"/\(rest.dropLast())m\":2}".utf8)
      }
    }
  }
}

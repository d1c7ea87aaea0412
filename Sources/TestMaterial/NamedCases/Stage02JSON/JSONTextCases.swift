import Gateways
import Minting
import PaymentToken
import TestCases

/// Stage 2: JSON as such.
extension CaseList {
  mutating func addJSONTextCases() {
    addDocumentCases()
    addNumberCases()
    addCharacterCases()
    addEscapeCases()
    addNestingCases()
  }

  private mutating func addDocumentCases() {
    accept("2.1", .standing(.holder, .rfc(8259, "2"), .interoperability, "white-space-of-all-four-kinds-everywhere")) {
      draft in
      draft.layers.style.spacing = .wild
      draft.text { $0 = Array(" \t\r\n".utf8) + $0 + Array(" \t\r\n".utf8) }
    }
    accept("2.1", .standing(.holder, .rfc(8259, "2"), .interoperability, "indented-json")) {
      $0.layers.style.spacing = .pretty
    }
    let documents: [(CaseName, String)] = [
      ("empty-input", ""), ("white-space-alone", " \n"), ("an-array-at-the-top", "[]"),
      ("a-string-at-the-top", "\"EC_v1\""),
      ("a-number-at-the-top", "1"), ("null-at-the-top", "null"), ("an-opening-brace-alone", "{"),
      ("a-name-alone", "{\"version\""),
      ("a-name-and-colon-alone", "{\"version\":"), ("a-closing-brace-alone", "}"),
      ("an-object-closed-as-an-array", "{\"version\":\"EC_v1\"]"),
    ]
    for (name, text) in documents {
      reject("2.1", name, .malformedJSON) { $0.token = Array(text.utf8) }
    }
    let wrapped: [(CaseName, [UInt8], [UInt8])] = [
      (.standing(.holder, .rfc(8259, "8.1"), .choice, "a-byte-order-mark"), [0xEF, 0xBB, 0xBF], []),
      ("an-array-around-the-token", [0x5B], [0x5D]),
      ("a-comma-after-the-token", [], [0x2C]), ("a-brace-after-the-token", [], [0x7D]),
      ("a-second-object-after-the-token", [], [0x7B, 0x7D]), ("a-null-byte-after-the-token", [], [0]),
      ("a-form-feed-before-the-token", [0x0C], []), ("a-vertical-tab-after-the-token", [], [0x0B]),
      ("a-no-break-space-after-the-token", [], [0xC2, 0xA0]), ("a-comment-after-the-token", [], Array("//".utf8)),
      ("a-comment-before-the-token", Array("/**/".utf8), []), ("a-letter-before-the-token", [0x78], []),
      ("a-stray-continuation-byte-after-the-token", [], [0x80]),
    ]
    for (name, before, after) in wrapped {
      reject("2.1", name, .malformedJSON) { $0.text { $0 = before + $0 + after } }
    }
    reject("2.1", "a-token-in-utf-16", .malformedJSON) { $0.text { $0 = $0.flatMap { [$0, 0] } } }
    reject("2.1", "a-token-cut-by-one-byte", .malformedJSON) { $0.text { $0.removeLast() } }
    reject("2.1", "a-token-cut-in-half", .malformedJSON) { $0.text { $0.removeLast($0.count / 2) } }
    let replacements: [(CaseName, String, String)] = [
      ("a-trailing-comma-in-the-token", "\"version\":\"EC_v1\"", "\"version\":\"EC_v1\","),
      ("a-trailing-comma-in-the-header", "},\"version\"", ",},\"version\""),
      ("a-leading-comma", "{\"data\"", "{,\"data\""), ("a-missing-comma", ",\"signature\"", "\"signature\""),
      ("two-commas", ",\"signature\"", ",,\"signature\""), ("a-missing-colon", "\"version\":", "\"version\""),
      ("two-colons", "\"version\":", "\"version\"::"), ("an-equals-sign-for-a-colon", "\"version\":", "\"version\"="),
      ("a-semicolon-for-a-comma", ",\"version\"", ";\"version\""), ("a-name-without-quotes", "\"version\"", "version"),
      ("a-name-in-single-quotes", "\"version\"", "'version'"), ("a-value-in-single-quotes", "\"EC_v1\"", "'EC_v1'"),
      ("a-value-without-quotes", "\"EC_v1\"", "EC_v1"), ("a-missing-value", "\"EC_v1\"", ""),
      ("a-number-as-name", "\"version\"", "1"), ("null-as-name", "\"version\"", "null"),
      ("a-string-that-does-not-end", "\"EC_v1\"", "\"EC_v1"),
      ("a-comment-in-the-token", "\"version\"", "/*x*/\"version\""),
      ("a-header-that-does-not-end", "},\"version\"", ",\"version\""),
    ]
    for (name, old, new) in replacements {
      reject("2.1", name, .malformedJSON) { $0.text { $0.replace(old, with: new) } }
    }
    for (name, text) in [
      ("an-array-with-a-trailing-comma", "[1,]"), ("an-array-with-a-leading-comma", "[,1]"),
      ("an-array-without-a-comma", "[1 2]"),
      ("an-array-with-a-colon", "[1:2]"), ("an-array-closed-as-an-object", "[1}"), ("a-literal-in-capitals", "True"),
      ("null-with-a-capital", "nulL"), ("true-with-a-capital", "trUe"), ("false-with-another-letter", "falze"),
      ("a-literal-cut-short", "nul"), ("a-literal-too-long", "nulll"), ("undefined", "undefined"),
      ("a-comma-for-a-value", ","),
    ] as [(CaseName, String)] { unknownValue("2.1", name, .malformedJSON, text) }
    for (name, text) in [
      ("unknown-members-of-every-type", "[null,true,false,0,\"\",[],{}]"),
      (.standing(.holder, .rfc(8259, "4"), .choice, "an-unknown-object-with-a-repeated-name"), "{\"a\":1,\"a\":2}"),
      ("an-unknown-object-with-an-empty-name", "{\"\":{}}"),
    ] as [(CaseName, String)] { unknownValue("2.6", name, nil, text) }
  }

  private mutating func addNumberCases() {
    let wrong = [
      "01", "-01", "+1", ".5", "1.", "1.e5", "1e", "1e+", "1E-", "0x10", "NaN", "Infinity", "-Infinity", "-", "--1",
      "1_000",
      "1e5.0", "00", "1 2", "٣",
    ]
    for (index, text) in wrong.enumerated() {
      unknownValue("2.1", "number-that-json-does-not-have-\(index + 1)", .malformedJSON, text)
    }
    let right = ["0", "-0", "-0.0", "1E+2", "0e-10", "1e400", "-1.5e-300", "123456789012345678901234567890"]
    for (index, text) in right.enumerated() {
      // RFC 8259 allows limits on the range and the precision of numbers.
      let isBeyondDouble = ["1e400", "123456789012345678901234567890"].contains(text)
      let limit = isBeyondDouble ? Standing(.holder, .rfc(8259, "6"), .choice) : nil
      unknownValue("2.1", .standing(limit, "number-of-json-\(index + 1)"), nil, text)
    }
  }

  private mutating func addCharacterCases() {
    let wrong: [(CaseName, [UInt8])] = [
      ("overlong-null", [0xC0, 0x80]), ("overlong-of-two-bytes", [0xC1, 0xBF]),
      ("overlong-of-three-bytes", [0xE0, 0x9F, 0xBF]),
      ("overlong-of-four-bytes", [0xF0, 0x8F, 0xBF, 0xBF]), ("the-first-surrogate", [0xED, 0xA0, 0x80]),
      ("the-last-surrogate", [0xED, 0xBF, 0xBF]), ("a-surrogate-pair-in-cesu-8", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
      ("a-character-above-10ffff", [0xF4, 0x90, 0x80, 0x80]), ("byte-f5", [0xF5, 0x80, 0x80, 0x80]),
      ("byte-fe", [0xFE]), ("byte-ff", [0xFF]), ("a-lone-continuation-byte", [0x80]),
      ("a-cut-two-byte-sequence", [0xC3]),
      ("a-cut-three-byte-sequence", [0xE2, 0x82]), ("a-cut-four-byte-sequence", [0xF0, 0x9F, 0x98]),
      ("a-sequence-broken-by-ascii", [0xE2, 0x41, 0x82]), ("latin-1", [0xE9, 0x20]),
    ]
    for (name, bytes) in wrong {
      unknownValue("2.2", "\(name)-in-a-string", .malformedJSON, [0x22] + bytes + [0x22])
    }
    reject("2.2", "a-lone-continuation-byte-in-a-name", .malformedJSON) {
      $0.text { $0.replace("\"version\":", with: Array("\"".utf8) + [0x80] + Array("\":1,\"version\":".utf8)) }
    }
    for byte: UInt8 in [0x00, 0x01, 0x08, 0x09, 0x0A, 0x0D, 0x1F] {
      unknownValue("2.2", "control-character-\(byte)-in-a-string", .malformedJSON, [0x22, byte, 0x22])
    }
    reject("2.2", "a-line-break-in-base64", .malformedJSON) { draft in
      draft.text { $0.replace("\"data\":\"", with: Array("\"data\":\"".utf8) + [0x0A]) }
    }
    for (name, text) in [
      ("delete-in-a-string", "\"\u{7F}\""), ("the-last-character-in-a-string", "\"\u{10FFFF}\""),
      ("a-noncharacter-in-a-string", "\"\u{FFFE}\u{FFFF}\""), ("a-line-separator-in-a-string", "\"\u{2028}\u{2029}\""),
      ("a-byte-order-mark-in-a-string", "\"\u{FEFF}\""), ("characters-next-to-the-surrogates", "\"\u{D7FF}\u{E000}\""),
    ] as [(CaseName, String)] { unknownValue("2.2", name, nil, text) }
  }

  /// Pairs of escapes whose second, or whose first, is next to the range of its kind of surrogate.
  mutating func addSurrogateBoundCases() {
    for high in ["d800", "dbff"] {
      for (name, other) in [("the-last-high-surrogate", "dbff"), ("the-first-scalar-after-the-low-ones", "e000")] {
        unknownValue(
          "2.3", .standing(.loneSurrogate, "escape-of-\(high)-and-\(name)"), .malformedJSON, #""\u\#(high)\u\#(other)""#
        )
      }
    }
    for low in ["dc00", "dfff"] {
      for (name, first) in [("the-last-scalar-before-the-high-ones", "d7ff"), ("the-first-low-surrogate", "dc00")] {
        unknownValue(
          "2.3", .standing(.loneSurrogate, "escape-of-\(name)-and-\(low)"), .malformedJSON, #""\u\#(first)\u\#(low)""#)
      }
    }
  }

  /// An escape that the closing quote cuts short, after text: a regular expression with a possessive group may skip it.
  mutating func addCutEscapeCases() {
    for (name, text) in [("a-letter", #""x\u""#), ("an-escape", #""x\u0041\u00""#)] {
      unknownValue("2.3", "escape-cut-short-after-\(name)", .malformedJSON, text)
    }
  }

  private mutating func addEscapeCases() {
    let wrong: [(CaseName, String)] = [
      ("x", #""\x41""#), ("single-quote", #""\'""#), ("capital-u", #""\U0041""#), ("capital-n", #""\N""#),
      ("zero", #""\0""#), ("a", #""\a""#),
      ("v", #""\v""#), ("of-three-digits", #""\u004""#), ("of-no-digits", #""\u""#), ("with-a-letter-g", #""\u00g0""#),
      ("with-a-sign", #""\u+041""#), ("with-a-space", #""\u 041""#),
      (.standing(.loneSurrogate, "of-a-lone-high-surrogate"), #""\ud83d""#),
      (.standing(.loneSurrogate, "of-a-high-surrogate-and-a-letter"), #""\ud83dx""#),
      (.standing(.loneSurrogate, "of-a-high-surrogate-and-another-escape"), #""\ud83d\n""#),
      (.standing(.loneSurrogate, "of-a-high-surrogate-and-no-low-one"), #""\ud83d\u0041""#),
      (.standing(.loneSurrogate, "of-two-high-surrogates"), #""\ud83d\ud83d""#),
      (.standing(.loneSurrogate, "of-a-lone-low-surrogate"), #""\ude00""#),
      (.standing(.loneSurrogate, "of-the-surrogates-in-reverse"), #""\ude00\ud83d""#),
      ("of-the-closing-quote", #""\""#),
      ("in-braces", #""\u{41}""#),
    ]
    for (name, text) in wrong { unknownValue("2.3", "escape-\(name)", .malformedJSON, text) }
    unknownValue("2.3", "every-escape-there-is", nil, #""\"\\\/\b\f\n\r\t\u0000\u00e9\u00E9\uD83D\ude00\uffff""#)
    unknownValue("2.3", "the-outermost-surrogate-pairs", nil, #""\ud800\udc00\udbff\udfff""#)
    for solidus in [TokenStyle.Solidus.escaped, .unicode] {
      accept("2.3", "solidus-\(solidus)-in-base64") { $0.layers.style.solidus = solidus }
    }
    accept("2.3", "capital-unicode-escape-of-the-solidus") { draft in
      draft.layers.style.solidus = .unicode
      draft.text { $0.replace(Array("\\u002f".utf8), with: Array("\\u002F".utf8)) }
    }
    accept("2.3", "every-known-name-and-value-as-unicode-escapes") { draft in
      try draft.useSmallCertificates()
      let escape = EscapeChoice.all.escaping
      draft.token = JSONPiece(draft.layers.token)?.respelling(names: escape, strings: escape).text
    }
  }

  private mutating func addNestingCases() {
    for (name, value) in [("arrays", JSONValue.arrays(31)), ("objects", .objects(31))] {
      accept("2.4", "nesting-of-32-by-\(name)") { $0.json { $0.append("unknown", value) } }
    }
    for (name, value) in [
      ("33-by-arrays", .arrays(32)), ("33-by-objects", .objects(32)),
      (.renamed(from: "10000", "6000"), .arrays(6_000)),
    ] as [(CaseName, JSONValue)] {
      reject("2.4", "nesting-of-\(name)", .malformedJSON) { $0.json { $0.append("unknown", value) } }
    }
    accept("2.4", "nesting-of-32-in-the-header") { $0.header { $0.append("unknown", .arrays(30)) } }
    reject("2.4", "nesting-of-33-in-the-header", .malformedJSON) { $0.header { $0.append("unknown", .arrays(31)) } }
    reject("2.4", "unclosed-brackets-up-to-the-limit-of-size", .malformedJSON) {
      let opening = Array("{\"a\":".utf8)
      $0.token = opening + [UInt8](repeating: 0x5B, count: RuleLimits.token - opening.count)
    }

    accept("2.5", "64-members-in-the-token") { $0.json { $0.fill(to: 64) } }
    reject("2.5", "65-members-in-the-token", .malformedJSON) { $0.json { $0.fill(to: 65) } }
    accept("2.5", "64-members-in-the-header") { $0.header { $0.fill(to: 64) } }
    reject("2.5", "65-members-in-the-header", .malformedJSON) { $0.header { $0.fill(to: 65) } }
    accept("2.5", "65-members-in-an-unknown-object") { $0.json { $0.append("unknown", .wide(65)) } }
    accept("2.5", "65-members-in-a-header-of-an-unknown-object") {
      $0.json { $0.append("unknown", .object(JSONObject([.init("header", .wide(65))]))) }
    }
    reject("2.5", "65-members-in-the-second-of-two-headers", .malformedJSON) {
      $0.json { $0.append("header", .wide(65)) }
    }
    reject("2.5", "65-members-in-a-header-with-an-escaped-name", .malformedJSON) {
      $0.json { object in
        object["header"] = nil
        object.members.append(.init(rawName: #""\u0068eader""#, .wide(65)))
      }
    }
    reject("2.5", "65-members-in-the-token-all-of-one-name", .malformedJSON) {
      $0.json { object in for _ in 0..<61 { object.append("unknown", .raw("0")) } }
    }
    reject(
      "3.1", .standing(.holder, .apple, .strictness, "65-members-in-an-object-in-an-array-called-header"), .wrongType,
      .header
    ) {
      $0.json { $0["header"] = .raw([0x5B] + JSONValue.wide(65).text() + [0x5D]) }
    }
  }
}

extension JSONObject {
  /// Writes every character of the names as an escape.
  mutating func escapeNames() {
    for index in members.indices { members[index].name = EscapeChoice.all.escaping(members[index].name) }
  }
}

import Gateways
import Minting
import PaymentToken
import TestCases

extension Standing {
  /// RFC 8259 4: names SHOULD be unique.
  fileprivate static let repeatedName = Standing(.apple, .rfc(8259, "4"), .choice)
}

/// Rule 13.1: the payload as JSON.
extension CaseList {
  mutating func addPayloadTextCases() {
    let documents: [(CaseName, [UInt8])] = [
      (.standing(.apple, .apple, .strictness, "an-empty-object"), Array("{}".utf8)), ("an-array", Array("[]".utf8)),
      (.standing(.apple, .apple, .strictness, "a-string"), Array("\"payment\"".utf8)),
      (.standing(.apple, .apple, .strictness, "null"), Array("null".utf8)),
      ("white-space", Array("  ".utf8)), ("zeros", zeros(64)), ("binary", (0...255).map { $0 }),
    ]
    for (name, bytes) in documents { plaintext("13.1", "payload-of-\(name)") { $0 = bytes } }
    let wrapped: [(CaseName, [UInt8], [UInt8])] = [
      (.standing(.apple, .rfc(8259, "8.1"), .choice, "a-byte-order-mark"), [0xEF, 0xBB, 0xBF], []),
      ("a-null-byte-after-it", [], [0]),
      ("a-comma-after-it", [], [0x2C]), ("an-array-around-it", [0x5B], [0x5D]),
      ("padding-after-it", [], [UInt8](repeating: 0x10, count: 16)), ("a-second-object-after-it", [], [0x7B, 0x7D]),
      ("a-form-feed-before-it", [0x0C], []),
    ]
    for (name, before, after) in wrapped { plaintext("13.1", "payload-with-\(name)") { $0 = before + $0 + after } }
    plaintext("13.1", "payload-cut-by-one-byte") { $0.removeLast() }
    plaintext("13.1", "payload-in-utf-16") { $0 = $0.flatMap { [$0, 0] } }
    plaintext("13.1", "payload-with-a-trailing-comma") { $0 = $0.dropLast() + Array(",}".utf8) }
    plaintext("13.1", "payload-with-a-comment") { $0 = Array("{/**/".utf8) + $0.dropFirst() }
    plaintext("13.1", "payload-with-white-space-around-it", nil) { $0 = Array(" \t\r\n".utf8) + $0 + Array("\n ".utf8) }
    accept("13.1", "payload-indented") { draft in
      try draft.reseal(JSONValue.object(PayloadRecipe().object).text(.wild))
    }
    for (name, text) in [
      ("overlong-utf-8", [0x22, 0xC0, 0xAF, 0x22]), ("a-surrogate-in-utf-8", [0x22, 0xED, 0xA0, 0x80, 0x22]),
      ("a-lone-continuation-byte", [0x22, 0x80, 0x22]),
      ("a-raw-line-break", [0x22, 0x0A, 0x22]),
      (.standing(.apple, .rfc(8259, "8.2"), .choice, "a-lone-surrogate-escape"), Array(#""\ud800""#.utf8)),
      ("a-wrong-escape", Array(#""\x""#.utf8)),
      ("a-number-with-a-leading-zero", Array("01".utf8)), ("a-number-without-a-fraction", Array("1.".utf8)),
      ("a-capital-literal", Array("NULL".utf8)),
    ] as [(CaseName, [UInt8])] {
      payload("13.1", "payload-with-\(name)-in-an-unknown-member") { $0.append("unknown", .raw(text)) }
    }
    addPayloadNestingCases()
    addPayloadDuplicateCases()
  }

  private mutating func addPayloadNestingCases() {
    payload("13.1", .choice(.apple, "payload-32-deep"), nil) { $0.append("unknown", .arrays(31)) }
    payload("13.1", .choice(.apple, "payload-33-deep")) { $0.append("unknown", .objects(32)) }
    payload("13.1", .choice(.apple, "payload-\(.renamed(from: "5000", "4500"))-deep")) {
      $0.append("unknown", .arrays(4_500))
    }
    payload("13.1", .choice(.apple, "payload-of-64-members"), nil) { $0.fill(to: 64) }
    payload("13.1", .choice(.apple, "payload-of-65-members")) { $0.fill(to: 65) }
    payload("13.1", .choice(.apple, "payment-data-of-64-members"), nil) { $0.edit("paymentData") { $0.fill(to: 64) } }
    payload("13.1", .choice(.apple, "payment-data-of-65-members")) { $0.edit("paymentData") { $0.fill(to: 65) } }
    for (count, code) in [(64, nil), (65, TokenFault.Code.malformedPayload)] {
      payload("13.1", .choice(.apple, "authentication-response-of-\(count)-members"), code) {
        $0.respond(afterValid: true) { $0.fill(to: count) }
      }
    }
    payload("13.1", .choice(.apple, "unknown-object-of-65-members-in-the-payload"), nil) {
      $0.append("unknown", .wide(65))
    }
    payload("13.1", .choice(.apple, "merchant-token-metadata-of-65-members"), nil) {
      $0["merchantTokenMetadata"] = .wide(65)
    }
  }

  private mutating func addPayloadDuplicateCases() {
    for name in [
      "applicationPrimaryAccountNumber", "transactionAmount", "currencyCode", "paymentData", "paymentDataType",
    ] { payload("13.1", .standing(.repeatedName, "\(name.kebabCase)-twice-in-the-payload")) { $0.appendAgain(name) } }
    let repeated: Named<Edit<JSONObject>> = [
      "payload-with-an-unknown-name-twice": { $0.appendTwice("a", .raw("1")) },
      "payload-with-a-name-twice-by-an-escape": {
        $0.members.append(.init(rawName: #""currency\u0043ode""#, .string("978")))
      },
      "payment-data-with-a-name-twice": { $0.edit("paymentData") { $0.append("eciIndicator", .string("7")) } },
      "payment-data-with-an-unknown-name-twice": { $0.edit("paymentData") { $0.appendTwice("a", .raw("1")) } },
      "authentication-response-with-a-name-twice": {
        $0.respond(afterValid: true) { $0.append("authenticationData", .string("AAAA")) }
      },
    ]
    for (name, edit) in repeated { payload("13.1", .standing(.repeatedName, name), .malformedPayload, edit) }
    for name in ["merchantIdentifier", "transactionAmount", "unknown"] {
      payload("13.1", .standing(.repeatedName, "authentication-response-with-\(name.kebabCase)-twice")) {
        $0.respond { response in for _ in 0..<(name == "unknown" ? 2 : 1) { response.append(name, .string("500")) } }
      }
    }
    payload("13.1", "authentication-responses-of-equal-names", nil) {
      $0["authenticationResponses"] = .array([.object(CaseList.response), .object(CaseList.response)])
    }
    payload("13.1", .standing(.repeatedName, "merchant-token-metadata-with-a-name-twice"), nil) {
      $0["merchantTokenMetadata"] = .raw(#"{"a":1,"a":2}"#)
    }
    payload("13.1", .standing(.repeatedName, "unknown-object-in-the-payload-with-a-name-twice"), nil) {
      $0.append("unknown", .raw(#"{"a":1,"a":2}"#))
    }
    payload("13.1", "payload-with-names-escaped", nil) { $0.escapeNames() }
    payload("13.1", "payload-in-reverse-order", nil) { $0.members.reverse() }
  }

  /// A valid element of authenticationResponses.
  static var response: JSONObject {
    JSONObject([
      .init("merchantIdentifier", .string("merchant.test.assay.shop")),
      .init("authenticationData", .string("AAECAwQF")),
      .init("transactionAmount", .string("500")),
    ])
  }
}

extension JSONObject {
  /// Makes the payload one of type EMV with this payment data.
  mutating func becomeEMV(_ data: KeyValuePairs<String, JSONValue?>, called type: JSONValue = .string("EMV")) {
    self["paymentDataType"] = type
    self["paymentData"] = .object(JSONObject(data.compactMap { name, value in value.map { .init(name, $0) } }))
  }

  /// Gives the payload an edited authentication response, preceded by a valid one if `afterValid`.
  mutating func respond(afterValid: Bool = false, _ edit: (inout JSONObject) -> Void) {
    var response = CaseList.response
    edit(&response)
    self["authenticationResponses"] = .array((afterValid ? [.object(CaseList.response)] : []) + [.object(response)])
  }

  /// Edits the object that is the value of a member.
  mutating func edit(_ name: String, _ edit: (inout JSONObject) -> Void) { self.edit([name], edit) }
}

/// Rules 13.2 and 13.4 for values that are written with escapes: a reader that compares plain text in place decodes
/// these with other code, which can have the same bugs.
extension CaseList {
  mutating func addPayloadEscapeCases() {
    addEscapedTextCases()
    addEscapedBase64Cases()
    addEscapedPinCases()
  }

  private mutating func addEscapedTextCases() {
    let wrong = TokenFault.Code.malformedPayload
    let values: KeyValuePairs<String, [(CaseName, String, TokenFault.Code?)]> = [
      "applicationPrimaryAccountNumber": [
        (.choice(.apple, "of-11-digits"), "41111111111", wrong), ("of-12-digits", "411111111111", nil),
        ("of-19-digits", "4111111111111111111", nil),
        (.choice(.apple, "of-20-digits"), "41111111111111111111", wrong),
        ("with-a-solidus", "411111111111111/", wrong), ("with-a-colon", "411111111111111:", wrong),
      ],
      "applicationExpirationDate": [
        ("right", "301231", nil), ("in-month-13", "301331", wrong),
        ("of-february-30", "300230", wrong), ("of-5-digits", "30123", wrong),
        ("of-7-digits", "3012310", wrong), ("with-a-letter", "3O1231", wrong),
      ],
      "currencyCode": [
        ("of-2-digits", "97", wrong), ("of-3-digits", "978", nil), ("of-4-digits", "0978", wrong),
        ("alphabetic", "EUR", wrong),
      ],
      "deviceManufacturerIdentifier": [
        ("of-1-byte", "0a", nil), ("of-32-bytes", String(repeating: "aB", count: 32), nil),
        (.choice(.apple, "of-33-bytes"), String(repeating: "aB", count: 33), wrong), ("of-one-digit", "0", wrong),
        ("of-odd-length", "04001", wrong),
      ],
      "paymentDataType": [
        ("with-a-space", "3DSecure ", wrong), ("cut-short", "3DSecur", wrong),
        ("in-lower-case", "3dsecure", wrong),
      ],
    ]
    for (member, cases) in values {
      for (name, text, code) in cases {
        payload("13.2", "\(member.kebabCase)-\(name)-in-escapes", code) { $0[member] = .raw(JSONText.escaped(text)) }
      }
    }
    // The characters next to the ranges of hexadecimal digits.
    for (name, character) in [
      ("a-solidus", "/"), ("a-colon", ":"), ("an-at-sign", "@"), ("a-capital-g", "G"), ("a-backtick", "`"),
      ("a-g", "g"),
    ] {
      payload("13.2", "device-manufacturer-identifier-with-\(name)-in-escapes") {
        $0["deviceManufacturerIdentifier"] = .raw(JSONText.escaped("040010030\(character)"))
      }
    }
    for (name, text, code) in [
      ("of-one-digit", "5", nil), ("of-two-digits", "05", nil),
      (.choice(.apple, "of-three-digits"), "005", .malformedPayload),
      (.choice(.apple, "of-a-letter"), "A", .malformedPayload),
    ] as [(CaseName, String, TokenFault.Code?)] {
      payload("13.4", "eci-indicator-\(name)-in-escapes", code) {
        $0[["paymentData", "eciIndicator"]] = .raw(JSONText.escaped(text))
      }
    }
  }

  private mutating func addEscapedBase64Cases() {
    let values: [(name: CaseName, text: String, code: TokenFault.Code?)] = [
      ("of-one-byte", "AA==", nil), ("of-two-bytes", "AAA=", nil), ("of-three-bytes", "AAAA", nil),
      (.standing(.encryptedTrailingBits, "with-trailing-bit-1-of-4"), "AAAAAB==", .malformedPayload),
      (.standing(.encryptedTrailingBits, "with-trailing-bit-4-of-4"), "AAAAAI==", .malformedPayload),
      (.standing(.encryptedTrailingBits, "with-trailing-bit-1-of-2"), "AAAAAAB=", .malformedPayload),
      (.standing(.encryptedTrailingBits, "with-trailing-bit-2-of-2"), "AAAAAAC=", .malformedPayload),
      ("with-a-hyphen", "AA-A", .malformedPayload), ("with-an-underscore", "AA_A", .malformedPayload),
      ("with-a-space", "AA A", .malformedPayload), ("with-a-character-beyond-ascii", "AAé=", .malformedPayload),
      ("without-padding", "AAAAAA", .malformedPayload), ("with-half-its-padding", "AAAAAA=", .malformedPayload),
      ("with-padding-before-its-end", "AA==AAAA", .malformedPayload),
      ("with-three-paddings", "AAAAA===", .malformedPayload),
      (.standing(.apple, .rfc(4648, "3.3"), .choice, "with-a-group-of-paddings"), "AAAA====", .malformedPayload),
      ("of-padding-alone", "====", .malformedPayload),
    ]
    for value in values {
      cryptogram("\(value.name)-in-escapes", .raw(JSONText.escaped(value.text)), value.code)
      payload("13.4", "emv-data-\(value.name)-in-escapes", value.code) {
        $0.becomeEMV(["emvData": .raw(JSONText.escaped(value.text))], called: .raw(JSONText.escaped("EMV")))
      }
    }
  }

  private mutating func addEscapedPinCases() {
    for (name, text) in [("of-odd-length", "abc"), ("with-a-letter-g", "0g"), ("with-a-space", "00 1")] {
      rsa("13.4", "encrypted-pin-data-\(name)-in-escapes", .malformedPayload) {
        let pin = JSONValue.raw(JSONText.escaped(text))
        try $0.payload { $0.becomeEMV(["emvData": .string("AAEC"), "encryptedPINData": pin]) }
      }
    }
  }
}

import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules 13.2, 13.4 and 13.5: the payload's members.
extension CaseList {
  mutating func addPayloadMemberCases() {
    addRequiredCases()
    addStringCases()
    addPaymentDataCases()
    addOptionalCases()
    addResponseCases()
  }

  private mutating func addRequiredCases() {
    let required = [
      "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
      "deviceManufacturerIdentifier",
      "paymentDataType", "paymentData",
    ]
    let types = [
      ("null", "null"), ("true", "true"), ("an-array", "[]"), ("an-object", "{}"), ("a-number", "411111111111"),
    ]
    let right = ["paymentData": "an-object", "transactionAmount": "a-number"]
    for name in required {
      payload("13.2", "\(name.kebabCase)-missing-in-the-payload") { $0[name] = nil }
      for (type, text) in types where type != right[name] {
        payload("13.2", "\(name.kebabCase)-is-\(type)-in-the-payload") { $0[name] = .raw(text) }
      }
    }
    payload("13.2", "payment-data-is-a-string-in-the-payload") { $0["paymentData"] = .string("{}") }
    payload("13.5", "unknown-members-in-the-payload", nil) {
      $0.members += [.init("unknown", .raw("[1,{},null]")), .init("ApplicationPrimaryAccountNumber", .raw("0"))]
      $0.edit("paymentData") { $0.append("unknown", .raw("null")) }
    }
  }

  private mutating func addStringCases() {
    let wrong = TokenFault.Code.malformedPayload
    let values: KeyValuePairs<String, [(CaseName, String, TokenFault.Code?)]> = [
      "applicationPrimaryAccountNumber": [
        (.choice(.apple, "of-11-digits"), "41111111111", wrong), ("of-12-digits", "411111111111", nil),
        ("of-19-digits", "4111111111111111111", nil),
        (.choice(.apple, "of-20-digits"), "41111111111111111111", wrong), ("empty", "", wrong),
        ("with-spaces", "4111 1111 1111 1111", wrong), ("with-a-letter", "411111111111111A", wrong),
        ("of-arabic-digits", "٤١١١١١١١١١١١", wrong), ("with-a-sign", "+411111111111111", wrong),
        ("without-a-check-digit", "4111111111111112", nil),
      ],
      "applicationExpirationDate": [
        ("on-the-last-day-of-2099", "991231", nil), ("on-the-first-day-of-2000", "000101", nil),
        ("on-a-leap-day", "280229", nil), ("on-the-leap-day-of-2000", "000229", nil),
        ("on-february-29-in-a-common-year", "290229", wrong), ("on-april-31", "300431", wrong),
        ("in-month-0", "300031", wrong), ("in-month-13", "301331", wrong),
        ("on-day-0", "301200", wrong), ("on-day-32", "301232", wrong),
        ("of-4-digits", "3012", wrong), ("of-8-digits", "20301231", wrong), ("empty", "", wrong),
        ("with-a-letter", "3O1231", wrong), ("with-a-space", " 30123", wrong),
        ("with-a-sign", "+30123", wrong),
      ],
      "currencyCode": [
        ("of-2-digits", "97", wrong), ("of-4-digits", "0978", wrong), ("alphabetic", "EUR", wrong),
        ("empty", "", wrong), (.choice(.apple, "of-zeros"), "000", nil), (.choice(.apple, "unassigned"), "999", nil),
        ("with-a-space", "97 ", wrong), ("of-three-bytes-of-other-digits", "٣8", wrong),
      ],
      "deviceManufacturerIdentifier": [
        (.choice(.apple, "empty"), "", wrong), ("of-1-byte", "0a", nil),
        ("of-32-bytes", String(repeating: "aB", count: 32), nil),
        (.choice(.apple, "of-33-bytes"), String(repeating: "aB", count: 33), wrong),
        ("of-odd-length", "04001", wrong), ("with-a-letter-g", "0g", wrong),
        ("with-0x", "0x04", wrong),
      ],
      "paymentDataType": [
        ("in-lower-case", "3dsecure", wrong), ("empty", "", wrong), ("unknown", "3DSecure2", wrong),
        ("with-a-space", "3DSecure ", wrong), ("emv-without-emv-data", "EMV", wrong),
        ("emv-in-lower-case", "emv", wrong),
      ],
    ]
    for (member, cases) in values {
      for (name, text, code) in cases {
        payload("13.2", "\(member.kebabCase)-\(name)", code) { $0[member] = .string(text) }
      }
    }
    payload("13.2", "account-number-in-escapes", nil) {
      $0["applicationPrimaryAccountNumber"] = .raw(JSONText.escaped("4111111111111111"))
    }
    payload("13.2", "account-number-with-a-null-escape") {
      $0["applicationPrimaryAccountNumber"] = .raw(#""4111111111111111\u0000""#)
    }
    payload("13.2", "payment-data-type-in-escapes", nil) { $0["paymentDataType"] = .raw(JSONText.escaped("3DSecure")) }
    for number in PayloadRecipe.testAccountNumbers {
      payload("13.2", "test-account-number-\(number)", nil) { $0["applicationPrimaryAccountNumber"] = .string(number) }
    }
  }

  /// The last digit of base64 has unused bits; those of the solidus are all set.
  mutating func addPaymentDataDigitCases() {
    let texts: Named<String> = [
      "ending-in-a-solidus-and-one-padding": "AA/=", "ending-in-a-solidus-and-two-paddings": "A/==",
      "ending-in-a-plus-and-one-padding": "AA+=", "ending-in-a-plus-and-two-paddings": "A+==",
      "ending-in-a-nine-and-one-padding": "AA9=", "ending-in-a-nine-and-two-paddings": "A9==",
    ]
    for (name, text) in texts {
      base64InPayload(.standing(.encryptedTrailingBits, name), .string(text))
    }
  }

  /// Years for which a wrong test for leap years fails, such as one that reads only the last digit of the year.
  mutating func addLeapDayCases() {
    for year in ["10", "12", "20", "22", "26", "30", "40", "96", "98"] {
      let isLeap = Int(year).map { $0.isMultiple(of: 4) } ?? false
      payload("13.2", "application-expiration-date-on-february-29-20\(year)", isLeap ? nil : .malformedPayload) {
        $0["applicationExpirationDate"] = .string("\(year)0229")
      }
    }
  }

  private mutating func addPaymentDataCases() {
    let base64: [(CaseName, JSONValue?, TokenFault.Code?)] = [
      ("missing", nil, .malformedPayload), ("null", .raw("null"), .malformedPayload),
      ("a-number", .raw("0"), .malformedPayload), ("empty", .string(""), .malformedPayload),
      ("without-padding", .string("AA"), .malformedPayload),
      ("of-the-url-alphabet", .string("-_-_"), .malformedPayload), ("with-a-space", .string("AA A"), .malformedPayload),
      (.standing(.encryptedTrailingBits, "with-nonzero-trailing-bits"), .string("AB=="), .malformedPayload),
      ("with-a-line-break", .raw(#""AAAA\n""#), .malformedPayload), ("of-one-byte", .string("AA=="), nil),
      ("with-escaped-solidus", .raw(#""\/\/\/\u002f""#), nil),
    ]
    for (name, value, code) in base64 { base64InPayload(name, value, code) }
    let indicators: [(CaseName, JSONValue?, TokenFault.Code?)] = [
      ("absent", nil, nil), ("of-one-digit", .string("5"), nil), ("of-two-digits", .string("05"), nil),
      (.choice(.apple, "empty"), .string(""), .malformedPayload),
      (.choice(.apple, "of-three-digits"), .string("005"), .malformedPayload),
      (.choice(.apple, "of-a-letter"), .string("A"), .malformedPayload), ("null", .raw("null"), .malformedPayload),
      ("a-number", .raw("7"), .malformedPayload), ("with-a-space", .string("7 "), .malformedPayload),
    ]
    for (name, value, code) in indicators {
      payload("13.4", "eci-indicator-\(name)", code) { $0[["paymentData", "eciIndicator"]] = value }
    }
    for (name, value) in [
      ("a-string", JSONValue.string("00")), ("null", .raw("null")), ("a-number", .raw("1")), ("empty", .string("")),
    ] {
      payload("13.4", "emv-with-an-encrypted-pin-that-is-\(name)") {
        $0.becomeEMV(["emvData": .string("AAAA"), "encryptedPINData": value])
      }
      payload("13.4", .choice(.apple, "3dsecure-with-an-encrypted-pin-that-is-\(name)"), nil) {
        $0[["paymentData", "encryptedPINData"]] = value
      }
      payload("13.4", .choice(.apple, "3dsecure-with-emv-data-that-is-\(name)"), nil) {
        $0[["paymentData", "emvData"]] = value
      }
      payload("13.4", .choice(.apple, "emv-with-a-cryptogram-and-an-indicator-that-are-\(name)"), nil) {
        $0.becomeEMV(["emvData": .string("AAAA"), "onlinePaymentCryptogram": value, "eciIndicator": value])
      }
    }
    payload("13.4", "empty-payment-data") { $0["paymentData"] = .raw("{}") }
    payload("13.4", "3dsecure-with-emv-data-alone") {
      $0["paymentData"] = .object(JSONObject([.init("emvData", .string("AAAA"))]))
    }
  }

  private mutating func addOptionalCases() {
    let wrong = TokenFault.Code.malformedPayload
    let values: KeyValuePairs<String, [(CaseName, JSONValue, TokenFault.Code?)]> = [
      "cardholderName": [
        ("empty", .string(""), nil), ("beyond-ascii", .string("Zoë Ångström 试卡 😀"), nil),
        ("with-escapes", .raw(#""\"\\\/\b\f\n\r\t\u0000\ud83d\ude00""#), nil),
        ("null", .raw("null"), wrong), ("a-number", .raw("1"), wrong),
        ("an-object", .raw("{}"), wrong),
      ],
      "merchantTokenIdentifier": [
        ("a-string", .string("TESTTOKEN"), nil), ("empty", .string(""), nil),
        ("null", .raw("null"), wrong), ("a-number", .raw("1"), wrong),
      ],
      "merchantTokenMetadata": [
        ("an-object", .raw(#"{"cardMetadata":{"expirationDate":"2030-12"},"cardArt":[ 1 , {} ]}"#), nil),
        ("empty", .raw("{}"), nil), ("with-white-space-inside", .raw("{ \"a\" : [ ] }"), nil),
        ("null", .raw("null"), wrong), ("a-string", .string("{}"), wrong),
        ("an-array", .raw("[]"), wrong), ("malformed", .raw("{,}"), wrong),
      ],
      "authenticationResponses": [
        ("empty", .raw("[]"), nil), ("empty-with-a-space", .raw("[ ]"), nil),
        ("null", .raw("null"), wrong), ("an-object", .raw("{}"), wrong),
        ("a-string", .string("[]"), wrong), ("of-a-null", .raw("[null]"), wrong),
        ("of-an-array", .raw("[[]]"), wrong), ("of-an-empty-object", .raw("[{}]"), wrong),
        ("of-a-string", .raw("[\"x\"]"), wrong),
      ],
    ]
    for (member, cases) in values {
      for (name, value, code) in cases { payload("13.5", "\(member.kebabCase)-\(name)", code) { $0[member] = value } }
    }
  }

  private mutating func addResponseCases() {
    for name in ["merchantIdentifier", "authenticationData", "transactionAmount"] {
      for (fault, value) in [("missing", nil), ("null", JSONValue.raw("null")), ("a-number", .raw("500"))] {
        payload("13.5", "authentication-response-with-\(name.kebabCase)-\(fault)") {
          $0.respond(afterValid: true) { $0[name] = value }
        }
      }
      payload("13.5", "authentication-response-with-\(name.kebabCase)-empty", nil) {
        $0.respond { $0[name] = .string("") }
      }
    }
    for (number, count) in [("1", 1), ("2", 2), (.renamed(from: "100", "80"), 80)] as [(CaseName, Int)] {
      payload("13.5", "authentication-responses-of-\(number)-merchants", nil) {
        $0["authenticationResponses"] = .array(Array(repeating: .object(CaseList.response), count: count))
      }
    }
    payload("13.5", "authentication-response-with-unknown-members", nil) {
      $0.respond { $0.append("unknown", .raw("null")) }
    }
  }
}

/// Rule 13.3: amounts, exact and never through a float.
extension CaseList {
  mutating func addAmountCases() {
    let valid: [(String, Int64)] = [
      ("0", 0), ("1", 1), ("100", 100), ("999999999999", 999_999_999_999), ("1e2", 100), ("1E2", 100), ("1e+2", 100),
      ("1.00e2", 100), ("1.50e2", 150), ("0.0", 0), ("0e0", 0),
      ("0e12", 0), ("100.000", 100), ("0.5e1", 5), ("1e0011", 100_000_000_000), ("1e00000000000000000000000002", 100),
      ("0.000000000001e12", 1), ("0.999999999999e12", 999_999_999_999),
      ("1.0", 1), ("12.5e1", 125), ("999999999999.000", 999_999_999_999), ("0.00", 0),
      ("99999999999e1", 999_999_999_990), ("1e11", 100_000_000_000),
      ("5.0e0", 5), ("0.0e5", 0), ("1\(String(repeating: "0", count: 11))", 100_000_000_000),
      ("7.\(String(repeating: "0", count: 500))", 7), ("8.\(String(repeating: "0", count: 500))e3", 8_000),
      ("0.\(String(repeating: "0", count: 100))", 0),
    ]
    for (index, (text, value)) in valid.enumerated() {
      // Apple specifies no form. It writes digits alone.
      let isPlain = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
      let plain = isPlain ? Standing(.apple, .apple, .interoperability) : nil
      either("13.3", .standing(plain, "amount-\(CaseList.amountName(text, index))"), nil) { draft in
        try draft.payload { $0["transactionAmount"] = .raw(text) }
        draft.policy.expectations.transactionAmount = value
      }
    }
    // `open`: Apple specifies no limit and no form. `none`: RFC 8259 section 6 does not allow such a number.
    let (open, none) = (Standing(.apple, .project, .choice), Standing(.apple, .rfc(8259, "6"), .strictness))
    let wrong: [(String, Standing?)] = [
      ("1000000000000", open), ("9999999999999", open), ("1e12", open), ("1e13", open), ("0e13", open),
      ("1e99999999999999999999", nil), ("1.5", nil), ("0.1", nil), ("1.05e1", nil), ("0.5", nil), ("1e-2", nil),
      ("100e-2", open), ("1e-0", open), ("0e-1", open), ("-1", nil), ("-0", open), ("-0.0", open), ("-1e2", nil),
      ("1.001e2", nil), ("9007199254740993e0", open), ("18446744073709551616", open), ("18446744073709551716", open),
      ("340282366920938463463374607431768211456", nil), ("4294967296000000000", open),
      ("1.0000000000000000000000000000001", nil), ("999999999999.5", nil), ("0.0000000000001e12", nil),
      ("0.0000000000001e13", open), ("1000000000000.0", open), ("10e11", open), ("00", none), ("01", none),
      ("+1", none), (".5", none), ("5.", nil), ("1e", nil), ("0x64", none), ("NaN", none), ("1e1.5", none),
      ("1e012", open), ("0.99999999999999999999", nil),
    ]
    for (index, (text, standing)) in wrong.enumerated() {
      payload("13.3", .standing(standing, "amount-refused-\(CaseList.amountName(text, index))")) {
        $0["transactionAmount"] = .raw(text)
      }
    }
    for (name, value) in [("a-string", JSONValue.string("100")), ("an-empty-string", .string(""))] {
      payload("13.3", "amount-is-\(name)") { $0["transactionAmount"] = value }
    }
  }

  /// The number itself if it is short, else its place in the list.
  private static func amountName(_ text: String, _ index: Int) -> String {
    guard text.utf8.count <= 20 else { return "long-\(index + 1)" }
    return text.map { character in
      switch character {
      case "+": "plus"
      case "-": "minus"
      case ".": "point"
      case "E": "capital-e"
      default: character.lowercased()
      }
    }.joined()
  }
}

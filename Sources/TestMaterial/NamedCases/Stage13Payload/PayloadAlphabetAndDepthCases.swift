import Gateways
import Minting
import PaymentToken

/// Stage 13: every character of base64 and hexadecimal, their neighbours in ASCII order, exponents in two digits, and
/// nesting at the limit in objects inside the payload.
extension CaseList {
  mutating func addPayloadAlphabetAndDepthCases() {
    addPayloadAlphabetCases()
    addPayloadDepthCases()
  }

  private mutating func addPayloadAlphabetCases() {
    let base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let hexadecimal = "0123456789abcdefABCDEF"
    for isEscaped in [false, true] {
      let spelling = isEscaped ? "-in-escapes" : ""
      @Sendable func written(_ text: String) -> JSONValue { isEscaped ? .raw(JSONText.escaped(text)) : .string(text) }
      base64InPayload("of-the-whole-alphabet\(spelling)", written(base64), nil)
      payload("13.2", "device-manufacturer-identifier-of-all-digits\(spelling)", nil) {
        $0["deviceManufacturerIdentifier"] = written(hexadecimal)
      }
    }
    let besideBase64 = ["*", ",", "-", ".", ":", "@", "[", "`", "{"]
    let besideDigits = ["/", ":", "@", "G", "`", "g"]
    for character in besideBase64 {
      cryptogram("with-byte-\(CaseList.code(of: character))", .string("AA\(character)A"))
    }
    for count in 5...7 { cryptogram("of-\(count)-characters", .string(String(base64.prefix(count)))) }
    for character in ["/", ":"] {
      payload("13.2", "account-number-with-byte-\(CaseList.code(of: character))") {
        $0["applicationPrimaryAccountNumber"] = .string("411111111111111\(character)")
      }
    }
    for exponent in 0...9 {
      payload("13.3", "amount-with-exponent-\(exponent)-in-two-digits", nil) {
        $0["transactionAmount"] = .raw("1e+0\(exponent)")
      }
    }
    for character in besideDigits {
      payload("13.2", "device-manufacturer-identifier-with-byte-\(CaseList.code(of: character))") {
        $0["deviceManufacturerIdentifier"] = .string("040010030\(character)")
      }
    }
  }

  /// The character's code in hexadecimal.
  private static func code(of character: String) -> String {
    character.utf8.map { String($0, radix: 16) }.joined()
  }

  /// Depth is counted from the payload object (level 1), wherever the deepest value is: 32 is accepted, 33 rejected
  /// (rule 2.4).
  private mutating func addPayloadDepthCases() {
    for (name, arrays, code) in [("32", 0, nil), ("33", 1, TokenFault.Code.malformedPayload)] {
      payload("13.1", .choice(.holder, "payment-data-that-reaches-depth-\(name)"), code) {
        $0.edit("paymentData") { $0.append("unknown", .arrays(30 + arrays)) }
      }
      payload("13.1", .choice(.holder, "authentication-response-that-reaches-depth-\(name)"), code) {
        $0.respond { $0.append("unknown", .arrays(29 + arrays)) }
      }
      payload("13.1", .choice(.holder, "merchant-token-metadata-that-reaches-depth-\(name)"), code) {
        $0["merchantTokenMetadata"] = .objects(31 + arrays)
      }
    }
    payload("13.1", "authentication-responses-amid-white-space", nil) { object in
      let response = JSONValue.object(CaseList.response).text()
      object["authenticationResponses"] = .raw(
        Array("[ ".utf8) + response + Array(" , \n".utf8) + response + Array("\t]".utf8))
    }
  }
}

/// Names, base64 and hexadecimal text with one wrong character where a reader of several bytes at a time may fail to
/// compare it: in names the first letter, or the ninth, which begins the second word of 8 bytes; in base64 the first,
/// the fifth and the last character.
extension CaseList {
  mutating func addPayloadLetterCases() {
    for (name, place, index) in [
      ("applicationPrimaryAccountNumber", "first", 0), ("applicationExpirationDate", "first", 0),
      ("currencyCode", "first", 0), ("transactionAmount", "first", 0), ("transactionAmount", "ninth", 8),
      ("deviceManufacturerIdentifier", "first", 0), ("paymentDataType", "first", 0), ("paymentData", "first", 0),
    ] {
      payload("13.2", "\(name.kebabCase)-with-another-\(place)-letter-in-the-payload") {
        $0.replaceLetter(index, of: name)
      }
    }
    payload("13.4", "online-payment-cryptogram-with-another-first-letter-in-the-payload") {
      $0.edit("paymentData") { $0.replaceLetter(0, of: "onlinePaymentCryptogram") }
    }
    payload("13.2", "payment-data-type-emv-with-another-first-letter") {
      $0.becomeEMV(["emvData": .string("AAEC")], called: .string("XMV"))
    }
    for (place, text) in [("first", "-AAAAAAA"), ("fifth", "AAAA-AAA"), ("last", "AAAAAAA-")] {
      base64InPayload("with-a-hyphen-as-its-\(place)-character", .string(text))
    }
    payload("13.2", "device-manufacturer-identifier-with-a-wrong-first-digit") {
      $0["deviceManufacturerIdentifier"] = .string("g40010030273")
    }
    for character in ["*", ",", ".", ":", "@", "[", "`", "{"] {
      cryptogram(
        "with-byte-\(CaseList.code(of: character))-in-escapes", .raw(JSONText.escaped("AA\(character)A")))
    }
  }
}

extension JSONObject {
  /// Renames a member by replacing the letter at `index` with X; the member moves to the end.
  fileprivate mutating func replaceLetter(_ index: Int, of name: String) {
    let value = self[name]
    self[name] = nil
    self["\(name.prefix(index))X\(name.dropFirst(index + 1))"] = value
  }
}

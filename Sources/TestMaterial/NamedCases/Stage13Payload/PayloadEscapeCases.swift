import Gateways
import Minting
import PaymentToken

/// Rules 13.2 and 13.4 for values that are written with escapes: a reader that compares plain text where it lies reads these in
/// another way, in which the same mistakes have to be found again.
extension CaseList {
  mutating func addPayloadEscapeCases() {
    addEscapedTextCases()
    addEscapedBase64Cases()
    addEscapedPinCases()
  }

  private mutating func addEscapedTextCases() {
    let values: [(member: String, name: String, text: String, code: TokenFault.Code?)] = [
      ("applicationPrimaryAccountNumber", "of-11-digits", "41111111111", .malformedPayload),
      ("applicationPrimaryAccountNumber", "of-12-digits", "411111111111", nil),
      ("applicationPrimaryAccountNumber", "of-19-digits", "4111111111111111111", nil),
      ("applicationPrimaryAccountNumber", "of-20-digits", "41111111111111111111", .malformedPayload),
      ("applicationPrimaryAccountNumber", "with-a-solidus", "411111111111111/", .malformedPayload),
      ("applicationPrimaryAccountNumber", "with-a-colon", "411111111111111:", .malformedPayload),
      ("applicationExpirationDate", "right", "301231", nil),
      ("applicationExpirationDate", "in-month-13", "301331", .malformedPayload),
      ("applicationExpirationDate", "of-february-30", "300230", .malformedPayload),
      ("applicationExpirationDate", "of-5-digits", "30123", .malformedPayload),
      ("applicationExpirationDate", "of-7-digits", "3012310", .malformedPayload),
      ("applicationExpirationDate", "with-a-letter", "3O1231", .malformedPayload),
      ("currencyCode", "of-2-digits", "97", .malformedPayload),
      ("currencyCode", "of-3-digits", "978", nil),
      ("currencyCode", "of-4-digits", "0978", .malformedPayload),
      ("currencyCode", "alphabetic", "EUR", .malformedPayload),
      ("deviceManufacturerIdentifier", "of-1-byte", "0a", nil),
      ("deviceManufacturerIdentifier", "of-32-bytes", String(repeating: "aB", count: 32), nil),
      ("deviceManufacturerIdentifier", "of-33-bytes", String(repeating: "aB", count: 33), .malformedPayload),
      ("deviceManufacturerIdentifier", "of-one-digit", "0", .malformedPayload),
      ("deviceManufacturerIdentifier", "of-odd-length", "04001", .malformedPayload),
      ("paymentDataType", "with-a-space", "3DSecure ", .malformedPayload),
      ("paymentDataType", "cut-short", "3DSecur", .malformedPayload),
      ("paymentDataType", "in-lower-case", "3dsecure", .malformedPayload),
    ]
    for value in values {
      payload("13.2", "\(value.member.kebabCase)-\(value.name)-in-escapes", value.code) {
        $0[value.member] = .raw(JSONText.escaped(value.text))
      }
    }
    // What stands before and after the digits of either case.
    for (name, character) in [
      ("a-solidus", "/"), ("a-colon", ":"), ("an-at-sign", "@"), ("a-capital-g", "G"), ("a-backtick", "`"),
      ("a-g", "g"),
    ] {
      payload("13.2", "device-manufacturer-identifier-with-\(name)-in-escapes") {
        $0["deviceManufacturerIdentifier"] = .raw(JSONText.escaped("040010030\(character)"))
      }
    }
    for (name, text, code) in [
      ("of-one-digit", "5", nil), ("of-two-digits", "05", nil), ("of-three-digits", "005", .malformedPayload),
      ("of-a-letter", "A", .malformedPayload),
    ] as [(String, String, TokenFault.Code?)] {
      payload("13.4", "eci-indicator-\(name)-in-escapes", code) {
        $0.edit("paymentData") { $0["eciIndicator"] = .raw(JSONText.escaped(text)) }
      }
    }
  }

  private mutating func addEscapedBase64Cases() {
    let values: [(name: String, text: String, code: TokenFault.Code?)] = [
      ("of-one-byte", "AA==", nil), ("of-two-bytes", "AAA=", nil), ("of-three-bytes", "AAAA", nil),
      ("with-trailing-bit-1-of-4", "AAAAAB==", .malformedPayload),
      ("with-trailing-bit-4-of-4", "AAAAAI==", .malformedPayload),
      ("with-trailing-bit-1-of-2", "AAAAAAB=", .malformedPayload),
      ("with-trailing-bit-2-of-2", "AAAAAAC=", .malformedPayload),
      ("with-a-hyphen", "AA-A", .malformedPayload), ("with-an-underscore", "AA_A", .malformedPayload),
      ("with-a-space", "AA A", .malformedPayload), ("with-a-character-beyond-ascii", "AAé=", .malformedPayload),
      ("without-padding", "AAAAAA", .malformedPayload), ("with-half-its-padding", "AAAAAA=", .malformedPayload),
      ("with-padding-before-its-end", "AA==AAAA", .malformedPayload),
      ("with-three-paddings", "AAAAA===", .malformedPayload),
      ("with-a-group-of-paddings", "AAAA====", .malformedPayload),
      ("of-padding-alone", "====", .malformedPayload),
    ]
    for value in values {
      payload("13.4", "cryptogram-\(value.name)-in-escapes", value.code) {
        $0.edit("paymentData") { $0["onlinePaymentCryptogram"] = .raw(JSONText.escaped(value.text)) }
      }
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

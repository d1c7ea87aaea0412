import Gateways
import Minting
import PaymentToken

/// Cases of stages 13 and 14 with tokens of RSA_v1.
extension CaseList {
  mutating func addRSAPayloadCases() {
    let values: [(CaseName, TokenFault.Code?, JSONValue?)] = [
      ("absent", nil, nil), ("of-one-byte", nil, .string("0a")), ("in-capitals", nil, .string("00AABBFF")),
      ("of-256-bytes", nil, .string(String(repeating: "5a", count: 256))),
      ("with-escapes", nil, .raw(#""\u0030\u0061""#)),
      ("empty", .malformedPayload, .string("")), ("of-odd-length", .malformedPayload, .string("abc")),
      ("with-a-letter-g", .malformedPayload, .string("0g")), ("in-base64", .malformedPayload, .string("AAEC+w==")),
      ("with-a-space", .malformedPayload, .string("00 11")), ("null", .malformedPayload, .raw("null")),
      ("a-number", .malformedPayload, .raw("12")), ("an-object", .malformedPayload, .raw("{}")),
    ]
    for (name, code, value) in values {
      rsa("13.4", "encrypted-pin-data-\(name)", code) {
        try $0.payload { $0.becomeEMV(["emvData": .string("AAEC"), "encryptedPINData": value]) }
      }
    }
    rsa("13.1", .standing(.apple, .rfc(8259, "4"), .choice, "encrypted-pin-data-twice"), .malformedPayload) { draft in
      try draft.payload { object in
        object.becomeEMV(["emvData": .string("AAEC"), "encryptedPINData": .string("00")])
        object.edit("paymentData") { $0.append("encryptedPINData", .string("00")) }
      }
    }
    rsa("13.4", "encrypted-pin-data-in-3d-secure", note: "members of the other type are ignored") {
      try $0.payload { $0[["paymentData", "encryptedPINData"]] = .raw("7") }
    }
    rsa("13.4", "emv-without-its-data", .malformedPayload) {
      try $0.payload { $0.becomeEMV(["encryptedPINData": .string("00")]) }
    }
    underRSA(
      "application-primary-account-number-missing-in-the-payload", as: "payload-without-an-account-number")
    rsa("14.1", "application-data-of-another-order", .applicationDataMismatch) { draft in
      try draft.signApplicationData()
      draft.policy.expectations.applicationData = Bytes32(draft.stream.bytes(32))
    }
    underRSA("the-expected-application-data", as: "application-data-as-expected")
    rsa("14.3", "amount-of-another-order", .amountMismatch) { $0.policy.expectations.transactionAmount = 1 }
    rsa("14.4", "seen-before", .replayedTransaction) { draft in
      draft.detectReplays(by: .capacity(4))
      draft.prelude = [draft.layers.token]
    }
    rsa("14.4", "seen-before-but-never-unwrapped") { draft in
      draft.detectReplays(by: .capacity(4))
      var refused = draft.layers
      refused.wrappedKey[200] ^= 1
      try refused.sign()
      draft.prelude = [refused.token]
    }
  }
}

import Gateways
import Minting
import PaymentToken

/// Rule 14.0: `transactionIdentifier` next to the token.
extension CaseList {
  mutating func addTransactionIdentifierCases() {
    for form in [RequestForm.applepayjs, .applepayjsToken, .alphapay] {
      let path = Array(form.route.path.dropLast()) + ["transactionIdentifier"]
      addTransactionValueCases(form, path)
      addTransactionOrderCases(form, path)
    }
    request("14.0", .applepayjs, "transaction-identifier-at-the-other-routes-place") {
      $0["transactionIdentifier"] = .string("00")
    }
    request("14.0", .applepayjsToken, "transaction-identifier-at-the-other-routes-place") {
      $0["token"] = .raw(#"{"transactionIdentifier":null}"#)
    }
    for form in [RequestForm.mpgs, .bambora, .worldline] {
      request("14.0", form, "transaction-identifier-that-nobody-reads") { $0["transactionIdentifier"] = .string("00") }
    }
    request("14.4", "applepayjs-refused-for-its-identifier-is-not-remembered") { draft in
      draft.detectReplays()
      draft.enclose(.applepayjs) { $0[["token", "transactionIdentifier"]] = .string("00") }
      draft.repeatRequest()
      draft.enclose(.applepayjs)
    }
    request("14.4", "alphapay-of-a-transaction-seen-before", .replayedTransaction) { draft in
      draft.detectReplays()
      draft.enclose(.alphapay) { $0["paymentId"] = .string("another") }
      draft.repeatRequest()
      draft.enclose(.alphapay)
    }
  }

  private mutating func addTransactionValueCases(_ form: RequestForm, _ path: [String]) {
    @Sendable func hex(_ object: JSONObject) -> String { object.text(at: path) }
    request("14.0", form, .choice(.holder, "without-a-transaction-identifier")) { $0[path] = nil }
    request("14.0", form, "transaction-identifier-in-upper-case") { $0[path] = .string(hex($0).uppercased()) }
    request("14.0", form, "transaction-identifier-in-both-cases") { object in
      let text = hex(object)
      object[path] = .string(String(text.prefix(32)).uppercased() + text.dropFirst(32))
    }
    request("14.0", form, "transaction-identifier-with-escapes") { $0[path] = .raw(JSONText.escaped(hex($0))) }
    // Values that are no identifier.
    let none: [(CaseName, String)] = [
      ("null", "null"), ("a-number", "0"), ("true", "true"), ("an-object", "{}"), ("an-array", "[]"), ("empty", "\"\""),
    ]
    for (name, text) in none {
      request("14.0", form, .choice(.holder, "transaction-identifier-is-\(name)"), .transactionMismatch) {
        $0[path] = .raw(text)
      }
    }
    for (name, digit) in [("zeros", "0"), ("no-hex", "g")] {
      request("14.0", form, "transaction-identifier-is-\(name)", .transactionMismatch) {
        $0[path] = .string(String(repeating: digit, count: 64))
      }
    }
    let edits: Named<@Sendable (String) -> String> = [
      "cut-short": { String($0.dropLast()) }, "without-its-last-byte": { String($0.dropLast(2)) },
      "with-a-digit-more": { $0 + "0" }, "with-a-byte-more": { $0 + "00" }, "doubled": { $0 + $0 },
      "with-a-space-before-it": { " " + $0 }, "with-a-prefix": { "0x" + $0 },
      "with-a-null-character": { $0 + "\u{0}" },
      "with-another-first-digit": { ($0.hasPrefix("0") ? "1" : "0") + $0.dropFirst() },
      "with-another-last-digit": { $0.dropLast() + ($0.hasSuffix("0") ? "1" : "0") },
      "with-a-digit-of-full-width": { "\u{FF10}" + $0.dropFirst() },
    ]
    for (name, edit) in edits {
      request("14.0", form, "transaction-identifier-\(name)", .transactionMismatch) {
        $0[path] = .string(edit(hex($0)))
      }
    }
    request("14.0", "\(form.label)-another-tokens-transaction-identifier", .transactionMismatch) { draft in
      let other = Hex.encode(try draft.anotherToken().transactionId)
      draft.enclose(form) { $0[path] = .string(other) }
    }
  }

  /// Rule 14.0 is checked after everything that is decided about the token, and before the other expectations.
  private mutating func addTransactionOrderCases(_ form: RequestForm, _ path: [String]) {
    request(
      "14.0", .standing(.holder, .apple, .high, "\(form.label)-wrong-identifier-before-all-expectations"),
      .transactionMismatch
    ) { draft in
      draft.policy.expectations = Expectations(
        applicationData: Bytes32(zeros(32)), currencyCode: "840", transactionAmount: 1)
      draft.enclose(form) { $0[path] = .raw("null") }
    }
    request(
      "14.0", .standing(.holder, .apple, .high, "\(form.label)-wrong-identifier-before-a-replay"), .transactionMismatch
    ) { draft in
      draft.detectReplays()
      draft.enclose(form)
      draft.repeatRequest()
      draft.enclose(form) { $0[path] = .raw("null") }
    }
    request(
      "13.2", form, "wrong-identifier-after-a-malformed-payload", .malformedPayload,
      { $0[path] = .raw("null") }, around: { try $0.payload { $0["currencyCode"] = nil } })
    request(
      "12.1", form, "wrong-identifier-after-a-failed-decryption", .decryptionFailed,
      { $0[path] = .raw("null") }, around: { try $0.sign { $0.data[0] ^= 1 } })
    request(
      "14.2", form, "of-another-currency", .currencyMismatch, around: { $0.policy.expectations.currencyCode = "840" })
  }
}

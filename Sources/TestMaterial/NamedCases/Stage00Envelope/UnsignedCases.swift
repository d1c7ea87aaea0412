import Gateways
import Minting
import PaymentToken
import TestCases

/// The unsigned policy, and what it leaves as it is.
extension CaseList {
  private static let unsignedParts: [(name: String, member: TokenMember)] = [
    ("encryptedPaymentData", .data), ("publicKeyHash", .publicKeyHash), ("ephemeralPublicKey", .ephemeralPublicKey),
  ]

  mutating func addUnsignedCases() {
    request(
      "0.8", .worldline, .with(.signatureDemanded, "unsigned-under-the-ordinary-policy"), .missing(.signature)
    ) {
      $0.edit(CaseList.partsPath) { $0.removeSignedParts() }
    }
    addUnsignedPartCases()
    addUnreadPartCases()
    addUnsignedContextCases()
    addUnsignedOrderCases()
    addUnsignedReplayCases()
    addSignedUnderUnsignedPolicyCases()
  }

  /// A request in three parts, edited, under the unsigned policy; without a fault it must be accepted as unsigned.
  ///
  /// - Parameter prepare: edits the token or the policy before the token is enclosed.
  private mutating func unsigned(
    _ clause: String, _ name: CaseName, _ fault: TokenFault? = nil, note: String = "",
    _ edit: @escaping Edit<JSONObject> = { _ in }, around prepare: @escaping Build = { _ in }
  ) {
    let expected = fault.map { CaseRecipe.Expected.reject($0) } ?? .acceptUnsigned
    add(
      CaseRecipe(name: "unsigned-\(name)", clause: clause, note: note, expected: expected) { draft in
        draft.policy.isUnsigned = true
        try prepare(&draft)
        draft.enclose(.worldline) { object in
          object.edit(CaseList.partsPath) { inner in
            inner.removeSignedParts()
            edit(&inner)
          }
        }
      })
  }

  private mutating func addUnsignedPartCases() {
    unsigned("0.8", "parts")
    unsigned("0.11", "parts-with-an-ephemeral-key") { $0.move(["ephemeralPublicKey"], to: ["ephemeralKey"]) }
    unsigned("0.11", "parts-with-two-keys", .fieldMismatch) { $0["ephemeralKey"] = .string("AAAA") }
    for (name, member) in CaseList.unsignedParts {
      let label = name.kebabCase
      unsigned("0.8", "without-\(label)", .missing(member)) { $0[name] = nil }
      for (kind, text) in [("null", "null"), ("a-number", "0"), ("an-object", "{}")] {
        unsigned("0.8", "\(label)-is-\(kind)", .wrongType(member)) { $0[name] = .raw(text) }
      }
      unsigned("0.8", "\(label)-is-no-base64", .invalidBase64(member)) { $0[name] = .string("A") }
      unsigned("0.8", "\(label)-is-empty", .invalidLength(member)) { $0[name] = .string("") }
      unsigned("0.8", "\(label)-twice", .malformedEnvelope) { $0.appendAgain(name) }
    }
    unsigned("0.8", "without-any-part", .missing(.data)) { $0.members = [] }
    unsigned("0.8", "without-hash-and-key", .missing(.publicKeyHash)) {
      $0.set(["publicKeyHash": nil, "ephemeralPublicKey": nil])
    }
    unsigned("0.8", "a-wrong-type-before-a-missing-part", .wrongType(.data)) {
      $0.set(["encryptedPaymentData": .raw("null"), "publicKeyHash": nil])
    }
    unsigned("0.8", "a-missing-part-before-a-faulty-encoding", .missing(.publicKeyHash)) {
      $0.set(["encryptedPaymentData": .string("!"), "publicKeyHash": nil])
    }
    unsigned("0.8", "a-faulty-key-before-a-faulty-hash", .invalidBase64(.ephemeralPublicKey)) {
      $0.set(["ephemeralPublicKey": .string("!"), "publicKeyHash": .string("!")])
    }
    unsigned("0.8", "a-wrong-field", .fieldMismatch) { $0["paymentProductId"] = .raw("303") }
  }

  /// 1.1 counts the object with the parts of an unsigned token, too.
  mutating func addUnsignedSizeCases() {
    for (name, size, fault) in [
      ("of-the-largest-size", RuleLimits.token, nil),
      ("one-byte-too-large", RuleLimits.token + 1, TokenFault(.tokenTooLarge)),
    ] {
      unsigned("1.1", "parts-\(name)", fault) { inner in
        inner.append("unknown", .string(""))
        let missing = size - JSONValue.object(inner).text().count
        inner["unknown"] = .string(String(repeating: "x", count: missing))
      }
    }
  }

  /// transactionId and applicationData are ignored; only repeated names are refused.
  private mutating func addUnreadPartCases() {
    for (name, text) in [
      ("null", "null"), ("a-number", "0"), ("an-object", "{}"), ("no-hex", "\"!\""), ("empty", "\"\""),
      ("zeros", "\"" + String(repeating: "0", count: 64) + "\""),
    ] {
      unsigned("0.8", .choice(.anyone, "transaction-id-is-\(name)")) { $0["transactionId"] = .raw(text) }
      unsigned("0.8", .choice(.anyone, "application-data-is-\(name)")) { $0["applicationData"] = .raw(text) }
    }
    for name in ["transactionId", "applicationData"] {
      unsigned("0.8", "\(name.kebabCase)-twice", .malformedEnvelope) { $0.appendTwice(name) }
    }
    unsigned("0.8", "beside-a-version-of-rsa-v1") { $0.append("version", .string("RSA_v1")) }
    unsigned("0.8", "beside-a-wrapped-key") { $0.append("wrappedKey", .string("AAAA")) }
    unsigned("0.8", "signature-in-capitals-beside-them") { $0.append("SIGNATURE", .string("")) }
  }

  /// Stages 5 to 9 are skipped: certificates, times and lists of revoked certificates do not matter.
  private mutating func addUnsignedContextCases() {
    func expecting(_ code: String, _ amount: Int64) -> Build {
      { $0.policy.expectations = Expectations(currencyCode: code, transactionAmount: amount) }
    }
    unsigned("9.1", "a-century-later", around: { $0.now = $0.now.advanced(by: 3_155_760_000) })
    unsigned("9.1", "by-no-window", around: { $0.policy.freshness = .windowOff })
    unsigned("9.1", "as-an-archived-token", around: { $0.policy.freshness = .signingTime })
    unsigned(
      "7.1", .standing(.apple, .rfc(5280, "6.1.1"), .interoperability, "under-another-root"),
      around: { $0.anchors = [$0.minter.foreign.root] })
    unsigned("7.6", "with-the-leaf-revoked", around: { $0.revoke($0.minter.pki.leaf) })
    unsigned("14.2", .choice(.anyone, "the-expected-currency-and-amount"), around: expecting("978", 1_250))
    unsigned("14.2", "of-another-currency", .currencyMismatch, around: expecting("840", 1))
    unsigned("14.3", "of-another-amount", .amountMismatch, around: expecting("978", 1))
    let application = TokenFault(.applicationDataMismatch)
    // The request has the expected value, but it is not signed.
    unsigned(
      "14.1", .choice(.anyone, "application-data-expected-and-there"), application,
      { $0["applicationData"] = .string(String(repeating: "0", count: 64)) },
      around: { $0.policy.expectations.applicationData = Bytes32(zeros(32)) })
    unsigned(
      "14.1", "application-data-expected-and-not-there", application,
      around: { $0.policy.expectations = Expectations(applicationData: Bytes32(zeros(32)), currencyCode: "840") })
  }

  /// Stages 10 to 13 stay as they are.
  private mutating func addUnsignedOrderCases() {
    unsigned(
      "10.1", "for-an-unknown-key", .unknownMerchantKey, around: { $0.layers.publicKeyHash = $0.stream.bytes(32) })
    unsigned(
      "10.1", "for-a-key-of-rsa-v1", .unknownMerchantKey,
      around: { $0.layers.publicKeyHash = $0.minter.rsaMerchants[0].keys[0].publicKeyHash })
    unsigned(
      "11.1", "with-a-point-off-the-curve", .invalidEphemeralKey, around: { $0.layers.ephemeralPublicKey[90] ^= 1 })
    unsigned(
      "12.1", .with(.keyMixUp, "with-another-devices-key"), .decryptionFailed,
      around: { $0.layers.ephemeralPublicKey = try $0.anotherToken().ephemeralPublicKey })
    unsigned("12.1", "with-altered-data", .decryptionFailed, around: { $0.layers.data[0] ^= 1 })
    unsigned(
      "13.2", "with-a-malformed-payload", .malformedPayload, around: { try $0.payload { $0["currencyCode"] = nil } })
    unsigned(
      "0.8", "made-by-anyone", note: "the policy allows it",
      around: { draft in
        try draft.layers.replaceEphemeral(with: try KeyPair(.p256, from: &draft.stream))
        draft.layers.signature = []
      })
    automatic(.with(.signatureDemanded, "unsigned-parts-under-the-ordinary-policy"), .missing(.signature)) {
      $0.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.removeSignedParts() } }
    }
    add(
      CaseRecipe(name: "auto-unsigned-parts", clause: "0.9", note: "", expected: .acceptUnsigned) { draft in
        draft.policy.isUnsigned = true
        draft.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.removeSignedParts() } }
        draft.policy.envelope = .automatic
      })
  }

  /// An unsigned token has no signed transactionId that a replay store could remember.
  private mutating func addUnsignedReplayCases() {
    let missing = TokenFault(.missingMember, member: .transactionId)
    func replay(
      _ name: CaseName, _ fault: TokenFault, _ edit: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) {
      unsigned("14.4", "under-replay-\(name)", fault, edit, around: { $0.detectReplays() })
    }
    replay("without-a-transaction-id", missing)
    replay("with-a-transaction-id", missing) { $0["transactionId"] = .string(String(repeating: "0", count: 64)) }
    replay("with-a-transaction-id-of-another-type", missing) { $0["transactionId"] = .raw("null") }
    replay("without-data", .missing(.data)) { $0["encryptedPaymentData"] = nil }
    replay("without-a-hash", .missing(.publicKeyHash)) { $0["publicKeyHash"] = nil }
    replay("without-a-key", missing) { $0["ephemeralPublicKey"] = nil }
    replay("with-a-key-of-another-type", missing) { $0["ephemeralPublicKey"] = .raw("null") }
    replay("with-faulty-data", missing) { $0["encryptedPaymentData"] = .string("!") }
  }

  /// A signature that is present is always verified; the unsigned policy changes nothing else.
  private mutating func addSignedUnderUnsignedPolicyCases() {
    func signed(_ name: CaseName, _ fault: TokenFault? = nil, _ build: @escaping Build) {
      request("0.8", .with(.signatureDemanded, "under-the-unsigned-policy-\(name)"), fault) { draft in
        draft.policy.isUnsigned = true
        try build(&draft)
      }
    }
    func signed(_ form: RequestForm, _ name: CaseName, _ fault: TokenFault, _ edit: @escaping Edit<JSONObject>) {
      signed("\(form.label)-\(name)", fault) { $0.enclose(form, edit) }
    }
    signed("a-bare-token") { _ in }
    signed("a-bare-token-without-signature", .missing(.signature)) { $0.set(.signature, nil) }
    for form in RequestForm.all {
      signed("\(form.label)") { $0.enclose(form) }
      if !form.route.isInParts {
        signed("\(form.label)-without-signature", .missing(.signature)) { draft in
          draft.set(.signature, nil)
          draft.enclose(form)
        }
      }
    }
    let path = CaseList.part("signature")
    for (name, text) in [("null", "null"), ("false", "false"), ("a-number", "0"), ("an-object", "{}")] {
      signed(.worldline, "signature-is-\(name)", .wrongType(.signature)) { $0[path] = .raw(text) }
    }
    signed(.worldline, "signature-is-empty", .invalidLength(.signature)) { $0[path] = .string("") }
    signed(.worldline, "signature-twice", .malformedEnvelope) {
      $0.edit(CaseList.partsPath) { $0.append("signature", .raw("null")) }
    }
    signed("worldline-of-a-forger", .untrustedChain) { draft in
      try draft.sign(under: draft.minter.foreign)
      draft.enclose(.worldline)
    }
    signed(.worldline, "signature-alone-beside-the-parts", .missing(.transactionId)) {
      $0[CaseList.part("transactionId")] = nil
    }
    signed("worldline-signed-too-early", .signingTimeOutsideWindow) { draft in
      draft.now = draft.now.advanced(by: 301)
      draft.enclose(.worldline)
    }
    signed(.standing(.holder, .apple, .high, "worldline-signed-and-seen-before"), .replayedTransaction) { draft in
      draft.detectReplays()
      draft.enclose(.worldline)
      draft.repeatRequest()
    }
  }
}

extension JSONObject {
  /// Removes the parts that a request without a signature lacks.
  fileprivate mutating func removeSignedParts() {
    for name in ["signature", "transactionId", "applicationData"] { self[name] = nil }
  }
}

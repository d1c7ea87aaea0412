import Gateways
import Minting
import PaymentToken

/// The unsigned policy, and what it leaves as it is.
extension CaseList {
  private static let unsignedParts: [(name: String, member: TokenMember)] = [
    ("encryptedPaymentData", .data), ("publicKeyHash", .publicKeyHash), ("ephemeralPublicKey", .ephemeralPublicKey),
  ]

  mutating func addUnsignedCases() {
    request("0.8", "worldline-unsigned-under-the-ordinary-policy", .missing(.signature)) {
      draft in
      draft.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.removeSignedParts() } }
    }
    addUnsignedPartCases()
    addUnreadPartCases()
    addUnsignedCircumstanceCases()
    addUnsignedOrderCases()
    addUnsignedReplayCases()
    addSignedUnderUnsignedPolicyCases()
  }

  /// A request in three parts, edited, under the unsigned policy; without a fault it must be accepted as unsigned.
  private mutating func unsigned(
    _ name: String, _ fault: TokenFault? = nil, clause: String = "0.8",
    _ edit: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
  ) {
    unsigned(name, fault, clause: clause, prepare: { _ in }, edit)
  }

  /// The same around a token, or under a policy, that is prepared before.
  private mutating func unsigned(
    _ name: String, _ fault: TokenFault? = nil, note: String = "", clause: String, prepare: @escaping Build,
    _ edit: @escaping @Sendable (inout JSONObject) -> Void
  ) {
    add(
      CaseRecipe(
        name: "unsigned-\(name)", clause: clause, note: note, expected: fault.map { .reject($0) } ?? .acceptUnsigned
      ) { draft in
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

  /// The same with nothing edited.
  private mutating func unsigned(
    _ name: String, _ fault: TokenFault? = nil, note: String = "", clause: String, prepare: @escaping Build
  ) {
    unsigned(name, fault, note: note, clause: clause, prepare: prepare, { _ in })
  }

  private mutating func addUnsignedPartCases() {
    unsigned("parts")
    unsigned("parts-with-an-ephemeral-key", clause: "0.11") { object in
      object["ephemeralKey"] = object["ephemeralPublicKey"]
      object["ephemeralPublicKey"] = nil
    }
    unsigned("parts-with-two-keys", .fieldMismatch, clause: "0.11") { $0["ephemeralKey"] = .string("AAAA") }
    for (name, member) in CaseList.unsignedParts {
      let label = name.kebabCase
      unsigned("without-\(label)", .missing(member)) { $0[name] = nil }
      for (kind, text) in [("null", "null"), ("a-number", "0"), ("an-object", "{}")] {
        unsigned("\(label)-is-\(kind)", .wrongType(member)) { $0[name] = .raw(text) }
      }
      unsigned("\(label)-is-no-base64", .invalidBase64(member)) { $0[name] = .string("A") }
      unsigned("\(label)-is-empty", .invalidLength(member)) { $0[name] = .string("") }
      unsigned("\(label)-twice", .malformedEnvelope) { $0.append(name, $0[name] ?? .raw("null")) }
    }
    unsigned("without-any-part", .missing(.data)) { $0.members = [] }
    unsigned("without-hash-and-key", .missing(.publicKeyHash)) { object in
      object["publicKeyHash"] = nil
      object["ephemeralPublicKey"] = nil
    }
    unsigned("a-wrong-type-before-a-missing-part", .wrongType(.data)) { object in
      object["encryptedPaymentData"] = .raw("null")
      object["publicKeyHash"] = nil
    }
    unsigned("a-missing-part-before-a-faulty-encoding", .missing(.publicKeyHash)) { object in
      object["encryptedPaymentData"] = .string("!")
      object["publicKeyHash"] = nil
    }
    unsigned("a-faulty-key-before-a-faulty-hash", .invalidBase64(.ephemeralPublicKey)) { object in
      object["ephemeralPublicKey"] = .string("!")
      object["publicKeyHash"] = .string("!")
    }
    unsigned("a-wrong-field", .fieldMismatch) { $0["paymentProductId"] = .raw("303") }
  }

  /// transactionId and applicationData are not looked at, but for their number.
  private mutating func addUnreadPartCases() {
    for (name, text) in [
      ("null", "null"), ("a-number", "0"), ("an-object", "{}"), ("no-hex", "\"!\""), ("empty", "\"\""),
      ("zeros", "\"" + String(repeating: "0", count: 64) + "\""),
    ] {
      unsigned("transaction-id-is-\(name)") { $0["transactionId"] = .raw(text) }
      unsigned("application-data-is-\(name)") { $0["applicationData"] = .raw(text) }
    }
    for name in ["transactionId", "applicationData"] {
      unsigned("\(name.kebabCase)-twice", .malformedEnvelope) { object in
        for _ in 0..<2 { object.append(name, .raw("null")) }
      }
    }
    unsigned("beside-a-version-of-rsa-v1") { $0.append("version", .string("RSA_v1")) }
    unsigned("beside-a-wrapped-key") { $0.append("wrappedKey", .string("AAAA")) }
    unsigned("signature-in-capitals-beside-them") { $0.append("SIGNATURE", .string("")) }
  }

  /// Stages 5 to 9 fall away, and with them certificates, times and lists.
  private mutating func addUnsignedCircumstanceCases() {
    unsigned("a-century-later", clause: "9.1", prepare: { $0.now = $0.now.advanced(by: 3_155_760_000) })
    unsigned("by-no-window", clause: "9.1", prepare: { $0.policy.freshness = .windowOff })
    unsigned("as-an-archived-token", clause: "9.1", prepare: { $0.policy.freshness = .signingTime })
    unsigned("under-another-root", clause: "7.1", prepare: { $0.anchors = [$0.minter.foreign.root] })
    unsigned(
      "with-the-leaf-revoked", clause: "7.6",
      prepare: { $0.revoke($0.minter.pki.leaf) })
    unsigned(
      "the-expected-currency-and-amount", clause: "14.2",
      prepare: { $0.policy.expectations = Expectations(currencyCode: "978", transactionAmount: 1_250) })
    unsigned(
      "of-another-currency", .currencyMismatch, clause: "14.2",
      prepare: { $0.policy.expectations = Expectations(currencyCode: "840", transactionAmount: 1) })
    unsigned(
      "of-another-amount", .amountMismatch, clause: "14.3",
      prepare: { $0.policy.expectations = Expectations(currencyCode: "978", transactionAmount: 1) })
    let application = TokenFault(.applicationDataMismatch)
    unsigned(
      "application-data-expected-and-there", application, clause: "14.1",
      prepare: { $0.policy.expectations.applicationData = Octets32(zeros(32)) },
      // What stands in the request is what is expected: nobody signed it.
      { $0["applicationData"] = .string(String(repeating: "0", count: 64)) })
    unsigned(
      "application-data-expected-and-not-there", application, clause: "14.1",
      prepare: { draft in
        draft.policy.expectations = Expectations(
          applicationData: Octets32(zeros(32)), currencyCode: "840")
      })
  }

  /// Stages 10 to 13 stay as they are.
  private mutating func addUnsignedOrderCases() {
    unsigned(
      "for-an-unknown-key", .unknownMerchantKey, clause: "10.1",
      prepare: { $0.layers.publicKeyHash = $0.stream.bytes(32) })
    unsigned(
      "for-a-key-of-rsa-v1", .unknownMerchantKey, clause: "10.1",
      prepare: { $0.layers.publicKeyHash = $0.minter.rsaMerchants[0].keys[0].publicKeyHash })
    unsigned(
      "with-a-point-off-the-curve", .invalidEphemeralKey, clause: "11.1",
      prepare: { $0.layers.ephemeralPublicKey[90] ^= 1 })
    unsigned(
      "with-another-devices-key", .decryptionFailed, clause: "12.1",
      prepare: { $0.layers.ephemeralPublicKey = try $0.anotherToken().ephemeralPublicKey })
    unsigned("with-altered-data", .decryptionFailed, clause: "12.1", prepare: { $0.layers.data[0] ^= 1 })
    unsigned(
      "with-a-malformed-payload", .malformedPayload, clause: "13.2",
      prepare: { try $0.payload { $0["currencyCode"] = nil } })
    unsigned(
      "made-by-anyone", note: "what the policy means", clause: "0.8",
      prepare: { draft in
        try draft.layers.replaceEphemeral(with: try KeyPair(.p256, from: &draft.stream))
        draft.layers.signature = []
      })
    request("0.9", "auto-unsigned-parts-under-the-ordinary-policy", .missing(.signature)) {
      draft in
      draft.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.removeSignedParts() } }
      draft.policy.envelope = .automatic
    }
    add(
      CaseRecipe(name: "auto-unsigned-parts", clause: "0.9", note: "", expected: .acceptUnsigned) { draft in
        draft.policy.isUnsigned = true
        draft.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.removeSignedParts() } }
        draft.policy.envelope = .automatic
      })
  }

  /// Nothing that is signed could be remembered.
  private mutating func addUnsignedReplayCases() {
    let missing = TokenFault(.missingMember, member: .transactionId)
    func replay(
      _ name: String, _ fault: TokenFault, _ edit: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) {
      unsigned(
        "under-replay-\(name)", fault, clause: "14.4",
        prepare: { $0.policy.freshness = .window(seconds: 300, replayCapacity: 10) }, edit)
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

  /// A signature that is there is always judged, and everything else is under the unsigned policy what it was.
  private mutating func addSignedUnderUnsignedPolicyCases() {
    func signed(_ name: String, _ fault: TokenFault? = nil, _ build: @escaping Build) {
      request("0.8", "under-the-unsigned-policy-\(name)", fault) { draft in
        draft.policy.isUnsigned = true
        try build(&draft)
      }
    }
    signed("a-bare-token") { _ in }
    signed("a-bare-token-without-signature", .missing(.signature)) { $0.set(.signature, nil) }
    for form in RequestForm.all {
      signed("\(form.label)") { $0.enclose(form) }
      if !form.isParts {
        signed("\(form.label)-without-signature", .missing(.signature)) { draft in
          draft.set(.signature, nil)
          draft.enclose(form)
        }
      }
    }
    let path = CaseList.partsPath + ["signature"]
    for (name, text) in [("null", "null"), ("false", "false"), ("a-number", "0"), ("an-object", "{}")] {
      signed("worldline-signature-is-\(name)", .wrongType(.signature)) { draft in
        draft.enclose(.worldline) { $0[path] = .raw(text) }
      }
    }
    signed("worldline-signature-is-empty", .invalidLength(.signature)) { draft in
      draft.enclose(.worldline) { $0[path] = .string("") }
    }
    signed("worldline-signature-twice", .malformedEnvelope) { draft in
      draft.enclose(.worldline) { $0.edit(CaseList.partsPath) { $0.append("signature", .raw("null")) } }
    }
    signed("worldline-of-a-forger", .untrustedChain) { draft in
      try draft.sign(under: draft.minter.foreign)
      draft.enclose(.worldline)
    }
    signed("worldline-signature-alone-beside-the-parts", .missing(.transactionId)) { draft in
      draft.enclose(.worldline) { $0[CaseList.partsPath + ["transactionId"]] = nil }
    }
    signed("worldline-signed-too-early", .signingTimeOutsideWindow) { draft in
      draft.now = draft.now.advanced(by: 301)
      draft.enclose(.worldline)
    }
    signed("worldline-signed-and-seen-before", .replayedTransaction) { draft in
      draft.policy.freshness = .window(seconds: 300, replayCapacity: 10)
      draft.enclose(.worldline)
      draft.prelude = [draft.request ?? []]
    }
  }
}

extension JSONObject {
  /// Leaves what the gateway's own requests have.
  fileprivate mutating func removeSignedParts() {
    for name in ["signature", "transactionId", "applicationData"] { self[name] = nil }
  }
}

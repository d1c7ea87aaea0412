import Gateways
import Minting
import PaymentToken
import TestCases

/// Rule 0.8: a token in parts, signed.
extension CaseList {
  private static let parts: [(name: String, member: TokenMember)] = [
    ("encryptedPaymentData", .data), ("signature", .signature), ("publicKeyHash", .publicKeyHash),
    ("transactionId", .transactionId), ("ephemeralPublicKey", .ephemeralPublicKey),
  ]
  static let partsPath = RequestForm.worldline.route.path
  static func part(_ name: String) -> [String] { partsPath + [name] }

  mutating func addTokenPartCases() {
    request("0.8", .worldline, "in-signed-parts")
    for (name, member) in CaseList.parts {
      let path = CaseList.partsPath + [name]
      let label = name.kebabCase
      request("0.8", .worldline, "without-\(label)", .missing(member)) { $0[path] = nil }
      for (kind, text) in [("null", "null"), ("a-number", "0"), ("an-object", "{}"), ("an-array", "[]")] {
        request("0.8", .worldline, "\(label)-is-\(kind)", .wrongType(member)) { $0[path] = .raw(text) }
      }
      let encoding = TokenFault(member == .transactionId ? .invalidHex : .invalidBase64, member: member)
      request("0.8", .worldline, "\(label)-is-no-encoding", encoding) { $0[path] = .string("!") }
      request("0.8", .worldline, "\(label)-is-empty", .invalidLength(member)) { $0[path] = .string("") }
      request(
        "0.8", .worldline, "\(label)-with-escapes", nil,
        { $0[path] = .raw(JSONText.escaped($0.text(at: path))) }, around: { try $0.useSmallCertificates() })
    }
    addPartApplicationDataCases()
    addRenamedPartCases()
    addPartSizeCases()
    addStrangePartCases()
  }

  private mutating func addPartApplicationDataCases() {
    let path = CaseList.part("applicationData")
    request(
      "0.8", .worldline, "with-application-data",
      around: { $0.policy.expectations.applicationData = Bytes32(try $0.signApplicationData()) })
    request(
      "8.1", .worldline, "without-the-application-data-that-was-signed", .signatureMismatch,
      { $0[path] = nil }, around: { try $0.signApplicationData() })
    request("0.8", .worldline, "application-data-is-null", .wrongType(.applicationData)) { $0[path] = .raw("null") }
    request("0.8", .worldline, "application-data-too-short", .invalidLength(.applicationData)) {
      $0[path] = .string("00")
    }
    request("0.8", .worldline, "application-data-is-no-hex", .invalidHex(.applicationData)) { $0[path] = .string("0") }
  }

  /// 0.11: Worldline's document has two names for one part.
  private mutating func addRenamedPartCases() {
    let (usual, other) = (CaseList.part("ephemeralPublicKey"), CaseList.part("ephemeralKey"))
    request("0.11", .worldline, "with-an-ephemeral-key") { $0.move(usual, to: other) }
    request("0.11", .worldline, "with-one-key-by-both-names") { $0[other] = $0[usual] }
    request("0.11", .worldline, "with-one-key-by-both-names-one-of-them-escaped") {
      $0[other] = .raw(JSONText.escaped($0.text(at: usual)))
    }
    request("0.11", .worldline, "with-two-keys", .fieldMismatch) {
      $0[other] = .string(String($0.text(at: usual).reversed()))
    }
    for (kind, text) in [("null", "null"), ("a-number", "0"), ("the-empty-string", "\"\"")] {
      request("0.11", .worldline, "with-a-key-and-\(kind)", .fieldMismatch) { $0[other] = .raw(text) }
      request("0.11", .worldline, "with-\(kind)-and-a-key", .fieldMismatch) { object in
        object[other] = object[usual]
        object[usual] = .raw(text)
      }
    }
    request("0.11", .worldline, "with-null-by-both-names", .fieldMismatch) {
      $0.set([usual: .raw("null"), other: .raw("null")])
    }
    request("0.11", .worldline, "with-two-keys-and-no-data", .fieldMismatch) {
      $0.set([CaseList.part("encryptedPaymentData"): nil, other: .string("AAAA")])
    }
    request("0.11", .worldline, "with-an-ephemeral-key-that-is-null", .wrongType(.ephemeralPublicKey)) {
      $0.set([usual: nil, other: .raw("null")])
    }
    request("0.3", .worldline, "with-an-ephemeral-key-twice", .malformedEnvelope) { object in
      let key = object[usual] ?? .raw("null")
      object.edit(CaseList.partsPath) { $0.appendTwice("ephemeralKey", key) }
    }
  }

  /// 1.1 counts the object that holds the parts.
  private mutating func addPartSizeCases() {
    let limit = RuleLimits.token
    for (name, size, fault) in [
      ("of-the-largest-size", limit, nil), ("one-byte-too-large", limit + 1, TokenFault(.tokenTooLarge)),
    ] {
      request("0.8", .worldline, .choice(.holder, "parts-\(name)"), fault) { object in
        object.edit(CaseList.partsPath) { inner in
          inner.append("unknown", .string(""))
          let missing = size - JSONValue.object(inner).text().count
          inner["unknown"] = .string(String(repeating: "x", count: missing))
        }
      }
    }
    request("0.8", .worldline, .choice(.holder, "beside-more-than-a-token-may-have")) {
      $0.append("unknown", .string(String(repeating: "x", count: limit)))
    }
    request("0.8", .worldline, .choice(.holder, "parts-too-large-and-without-data"), .tokenTooLarge) { object in
      object[CaseList.partsPath] = .object(JSONObject([.init("x", .string(String(repeating: "x", count: limit)))]))
    }
  }

  private mutating func addStrangePartCases() {
    for (name, text) in [
      ("version", "\"RSA_v1\""), ("wrappedKey", "\"AAAA\""), ("header", "{\"wrappedKey\":null}"), ("data", "null"),
    ] {
      request("0.8", .worldline, "beside-an-unknown-\(name.kebabCase)") { $0[CaseList.partsPath + [name]] = .raw(text) }
    }
    request("0.8", .worldline, .choice(.holder, "with-65-more-members")) { object in
      object.edit(CaseList.partsPath) { inner in for index in 0..<65 { inner.append("m\(index)", .raw("0")) } }
    }
    request("0.8", .worldline, "in-parts-of-rsa-v1", .missing(.ephemeralPublicKey), around: { try $0.becomeRSA() })
    request("0.8", .worldline, "without-transaction-id-and-with-a-wrong-hash", .missing(.transactionId)) {
      $0.set([CaseList.part("transactionId"): nil, CaseList.part("publicKeyHash"): .string("!")])
    }
    request("8.1", "worldline-with-another-tokens-transaction-id", .signatureMismatch) { draft in
      let other = Hex.encode(try draft.anotherToken().transactionId)
      draft.enclose(.worldline) { $0[CaseList.part("transactionId")] = .string(other) }
    }
    request("14.4", "worldline-in-signed-parts-seen-before", .replayedTransaction) { draft in
      draft.detectReplays()
      draft.enclose(.worldline)
      draft.repeatRequest()
    }
  }
  /// Rule 0.11 where the two texts have different lengths. With escapes, their content can still be the same.
  mutating func addTwinPartCases() {
    let (usual, other) = (CaseList.part("ephemeralPublicKey"), CaseList.part("ephemeralKey"))
    request("0.11", .worldline, "with-one-key-by-both-names-the-first-of-them-escaped") { object in
      object[other] = object[usual]
      object[usual] = .raw(JSONText.escaped(object.text(at: other)))
    }
    request("0.11", .worldline, "with-two-keys-the-first-a-beginning-of-the-second", .fieldMismatch) { object in
      object[other] = object[usual]
      object[usual] = .string(String(object.text(at: other).dropLast(4)))
    }
    request(
      "0.11", .worldline, "with-two-keys-the-first-a-short-beginning-of-a-long-one", .fieldMismatch,
      note: "after 512 bytes, the second has an escape that is longer than the first"
    ) { object in
      object[usual] = .string("AAAAA")
      object[other] = .raw("\"\(String(repeating: "A", count: 512))\\u0041\\u0041\"")
    }
  }

  /// Two keys that differ in one letter, at a place that a comparison of the first 8, 16 or 32 bytes leaves out.
  mutating func addTwinLetterCases() {
    let (usual, other) = (CaseList.part("ephemeralPublicKey"), CaseList.part("ephemeralKey"))
    for place in [12, 20, 40, 62, 78, 88, 104, 121] {
      request("0.11", .worldline, "with-two-keys-that-differ-in-letter-\(place)", .fieldMismatch) { object in
        var letters = Array(object.text(at: usual))
        letters[place - 1] = letters[place - 1] == "A" ? "B" : "A"
        object[other] = .string(String(letters))
      }
    }
  }
}

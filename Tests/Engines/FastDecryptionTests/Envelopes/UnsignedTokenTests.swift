import FastDecryption
import Gateways
import Minting
import PaymentToken
import Testing

/// Parts with and without a signature, under the unsigned policy and under other policies.
@Suite struct UnsignedTokenTests {
  private let fixture: Fixture
  private let engine: FastDecryptor
  private let layers: TokenLayers

  init() throws {
    fixture = try Fixture()
    engine = try fixture.engine()
    var recipe = TokenRecipe(index: 9)
    recipe.applicationData = [UInt8](repeating: 3, count: 32)
    layers = try fixture.minter.layers(recipe)
  }

  private func verdict(
    _ request: [UInt8], _ policy: VerificationPolicy = .reading(.worldline)
  ) -> UnsignedVerdict? {
    var workspace = makeWorkspace()
    return engine.unsignedVerdict(request, under: policy, in: &workspace)
  }

  private func fault(_ request: [UInt8], _ policy: VerificationPolicy = .reading(.worldline)) -> TokenFault? {
    var workspace = makeWorkspace()
    return engine.fault(request, under: policy, in: &workspace)
  }

  // MARK: Signed parts, under any policy

  @Test func `signed parts are a signed token under both policies`() throws {
    let request = Wrapping.parts(layers)
    let opened = try engine.decrypt(request.span, at: mintingTime, under: .reading(.worldline))
    #expect(opened.envelope == "worldline")
    #expect(opened.version == .ecV1)
    #expect(opened.plaintext == layers.plaintext)
    #expect(opened.applicationData?.bytes == layers.applicationData)
    #expect(verdict(request) == .signed(layers.plaintext))
    #expect(verdict(request, VerificationPolicy(envelope: .automatic)) == .signed(layers.plaintext))
  }

  @Test(arguments: [
    ("encryptedPaymentData", TokenMember.data), ("signature", .signature), ("publicKeyHash", .publicKeyHash),
    ("transactionId", .transactionId), ("ephemeralPublicKey", .ephemeralPublicKey),
    ("applicationData", .applicationData),
  ]) func `each part is checked as the member it represents`(_ part: String, _ member: TokenMember) {
    let isHex = part == "transactionId" || part == "applicationData"
    let cases: [(String?, TokenFault?)] = [
      (nil, member == .applicationData ? TokenFault(.signatureMismatch) : TokenFault(.missingMember, member: member)),
      ("null", TokenFault(.wrongType, member: member)), ("1", TokenFault(.wrongType, member: member)),
      ("{}", TokenFault(.wrongType, member: member)), ("[]", TokenFault(.wrongType, member: member)),
      ("\"x\"", TokenFault(isHex ? .invalidHex : .invalidBase64, member: member)),
      ("\"\"", TokenFault(.invalidLength, member: member)),
    ]
    for (value, expected) in cases {
      let request = Wrapping.parts(layers, [part: value])
      #expect(fault(request) == expected)
      // The unsigned policy changes nothing if there is a signature.
      guard part != "signature" || value != nil else { continue }
      #expect(verdict(request) == expected.map { .refused($0) })
    }
  }

  @Test func `missing parts are reported in the order of stage 3, invalid ones in that of stage 4`() {
    let missing = { (member: TokenMember) in TokenFault(.missingMember, member: member) }
    let names = [
      ("encryptedPaymentData", TokenMember.data), ("signature", .signature), ("publicKeyHash", .publicKeyHash),
      ("transactionId", .transactionId), ("ephemeralPublicKey", .ephemeralPublicKey),
    ]
    for index in names.indices {
      let gone = Dictionary(uniqueKeysWithValues: names[index...].map { ($0.0, String?.none) })
      #expect(fault(Wrapping.parts(layers, gone)) == missing(names[index].1))
      // This member has a wrong type, and the later required ones are missing.
      var wrong = gone
      wrong[names[index].0] = "null"
      wrong["applicationData"] = "null"
      #expect(fault(Wrapping.parts(layers, wrong)) == TokenFault(.wrongType, member: names[index].1))
    }
    let order = [
      ("encryptedPaymentData", TokenMember.data), ("signature", .signature),
      ("ephemeralPublicKey", .ephemeralPublicKey), ("publicKeyHash", .publicKeyHash),
    ]
    for index in order.indices {
      let bad = Dictionary(uniqueKeysWithValues: order[index...].map { ($0.0, String?("\"?\"")) })
      #expect(fault(Wrapping.parts(layers, bad)) == TokenFault(.invalidBase64, member: order[index].1))
    }
  }

  @Test func `parts may contain escapes`() {
    let hash =
      "\"\\u\(String(layers.publicKeyHashText.utf8.first ?? 0, radix: 16).padded)"
      + "\(layers.publicKeyHashText.dropFirst().replacing("/", with: "\\/"))\""
    #expect(fault(Wrapping.parts(layers, ["publicKeyHash": hash])) == nil)
  }

  @Test func `a part for a key of the other version conflicts`() {
    let envelope = Envelope(
      name: "both",
      routes: [
        Envelope.Route(
          ["mobilePaymentMethodSpecificInput"],
          .parts([
            Envelope.Part("encryptedPaymentData", .data), Envelope.Part("signature", .signature),
            Envelope.Part("publicKeyHash", .publicKeyHash), Envelope.Part("transactionId", .transactionId),
            Envelope.Part("ephemeralPublicKey", .ephemeralPublicKey), Envelope.Part("wrapped", .wrappedKey),
            Envelope.Part("applicationData", .applicationData),
          ]))
      ], marks: [])
    #expect(fault(Wrapping.parts(layers), .reading(envelope)) == nil)
    let both = Wrapping.parts(layers, ["wrapped": "null", "applicationData": "null"])
    #expect(fault(both, .reading(envelope)) == TokenFault(.conflictingMembers, member: .wrappedKey))
  }

  // MARK: Without a signature

  @Test func `parts without a signature are accepted only under the unsigned policy, as a type of their own`() throws {
    for changes in [
      ["signature": String?.none], ["signature": nil, "transactionId": nil, "applicationData": nil],
      ["signature": nil, "transactionId": "null", "applicationData": "[]"],
    ] {
      let request = Wrapping.parts(layers, changes)
      #expect(verdict(request) == .unsigned(layers.plaintext))
      #expect(verdict(request, VerificationPolicy(envelope: .automatic)) == .unsigned(layers.plaintext))
      #expect(fault(request) == TokenFault(.missingMember, member: .signature))
      #expect(throws: TokenFault(.missingMember, member: .signature)) {
        try engine.decrypt(request.span, at: mintingTime, under: .reading(.worldline))
      }
      guard
        case .unsigned(let token) = try engine.decryptAllowingUnsigned(
          request.span, at: mintingTime, under: .reading(.worldline))
      else { continue }
      #expect(token.envelope == "worldline")
      #expect(token.publicKeyHash.bytes == layers.publicKeyHash)
    }
  }

  @Test(arguments: ["null", "1", "{}", "[]", "\"\"", "\"?\"", "\"AAAA\""])
  func `a signature of any type makes it a signed token`(_ value: String) {
    let request = Wrapping.parts(layers, ["signature": value])
    #expect(verdict(request) == fault(request).map { .refused($0) })
    #expect(fault(request) != nil)
  }

  @Test func `a signature by another signer is rejected under both policies`() throws {
    var forged = layers
    forged.signer = TokenSigner(fixture.minter.foreign)
    try forged.sign()
    #expect(fault(Wrapping.parts(forged)) == TokenFault(.untrustedChain))
    #expect(verdict(Wrapping.parts(forged)) == .refused(TokenFault(.untrustedChain)))
  }

  @Test func `in every other envelope a missing signature is a fault`() {
    var object = layers.object
    object["signature"] = nil
    let token = JSONValue.object(object).text()
    let missing = TokenFault(.missingMember, member: .signature)
    for (envelope, request) in [
      (Envelope.apple, token), (.applepayjs, Wrapping.object(token)), (.mpgs, Wrapping.text(token)),
      (.bambora, Wrapping.base64(token)),
    ] {
      #expect(fault(request, .reading(envelope)) == missing)
      #expect(verdict(request, .reading(envelope)) == .refused(missing))
    }
  }

  @Test func `three parts are required in their order, then checked in theirs`() {
    let names = [
      ("encryptedPaymentData", TokenMember.data), ("publicKeyHash", .publicKeyHash),
      ("ephemeralPublicKey", .ephemeralPublicKey),
    ]
    for index in names.indices {
      var changes: [String: String?] = ["signature": nil]
      for (name, _) in names[index...] { changes[name] = String?.none }
      #expect(
        verdict(Wrapping.parts(layers, changes)) == .refused(TokenFault(.missingMember, member: names[index].1)))
      changes[names[index].0] = "{}"
      #expect(verdict(Wrapping.parts(layers, changes)) == .refused(TokenFault(.wrongType, member: names[index].1)))
    }
    let order = [names[0], names[2], names[1]]
    for index in order.indices {
      for (text, code) in [("\"?\"", TokenFault.Code.invalidBase64), ("\"\"", .invalidLength)] {
        var changes: [String: String?] = ["signature": nil, "transactionId": "\"?\"", "applicationData": "\"?\""]
        for (name, _) in order[index...] { changes[name] = text }
        #expect(verdict(Wrapping.parts(layers, changes)) == .refused(TokenFault(code, member: order[index].1)))
      }
    }
  }

  @Test func `replay detection requires a transactionId, and no value is accepted`() {
    let store = MemoryReplayStore(capacity: 8)
    let policy = VerificationPolicy(
      envelope: .named(.worldline), freshness: .window(seconds: 300, replay: store))
    let missing = UnsignedVerdict.refused(TokenFault(.missingMember, member: .transactionId))
    #expect(verdict(Wrapping.parts(layers, ["signature": nil]), policy) == missing)
    #expect(verdict(Wrapping.parts(layers, ["signature": nil, "ephemeralPublicKey": nil]), policy) == missing)
    #expect(
      verdict(Wrapping.parts(layers, ["signature": nil, "publicKeyHash": nil]), policy)
        == .refused(TokenFault(.missingMember, member: .publicKeyHash)))
    var workspace = makeWorkspace()
    #expect(engine.fault(Wrapping.parts(layers), under: policy, in: &workspace) == nil)
  }

  @Test func `freshness does not apply to unsigned tokens`() {
    let request = Wrapping.parts(layers, ["signature": nil])
    for freshness in [Freshness.window(seconds: 0), .windowOff, .signingTime] {
      let policy = VerificationPolicy(envelope: .named(.worldline), freshness: freshness)
      var workspace = makeWorkspace()
      let plaintext = try? engine.decryptAllowingUnsigned(
        request.span, at: UnixTime(secondsSinceEpoch: 0), under: policy, in: &workspace,
        signed: { _ throws(TokenFault) in [UInt8]() },
        unsigned: { opened throws(TokenFault) in try opened.copy().plaintext })
      #expect(plaintext == layers.plaintext)
    }
  }

  @Test func `stages 10 to 14 check unsigned tokens like signed ones`() throws {
    func refused(
      _ expected: TokenFault, _ expectations: Expectations = Expectations(), _ edit: (inout TokenLayers) throws -> Void
    )
      rethrows
    {
      var changed = layers
      try edit(&changed)
      let request = Wrapping.parts(changed, ["signature": nil])
      #expect(verdict(request, .reading(.worldline, expectations)) == .refused(expected))
    }
    refused(TokenFault(.unknownMerchantKey)) { $0.publicKeyHash[0] ^= 1 }
    refused(TokenFault(.invalidEphemeralKey)) { $0.ephemeralPublicKey[90] ^= 1 }
    refused(TokenFault(.decryptionFailed)) { $0.data[3] ^= 1 }
    try refused(TokenFault(.malformedPayload)) { try $0.encrypt(Array("{}".utf8)) }
    let data = layers.applicationData.flatMap { Bytes32($0) }
    refused(TokenFault(.applicationDataMismatch), Expectations(applicationData: data)) { _ in }
    refused(
      TokenFault(.applicationDataMismatch), Expectations(applicationData: data, currencyCode: "000")
    ) { _ in }
    refused(TokenFault(.currencyMismatch), Expectations(currencyCode: "000", transactionAmount: -1)) { _ in }
    refused(TokenFault(.amountMismatch), Expectations(transactionAmount: -1)) { _ in }
  }

  @Test func `stage 0 comes first for unsigned tokens`() {
    let request = String(decoding: Wrapping.parts(layers, ["signature": nil]), as: UTF8.self)
    #expect(
      verdict(Array(request.replacing("302", with: "303").utf8)) == .refused(TokenFault(.envelopeFieldMismatch)))
    #expect(verdict(Array((request + "x").utf8)) == .refused(TokenFault(.malformedEnvelope)))
    let large = Wrapping.parts(layers, ["signature": nil, "x": "\"\(String(repeating: "x", count: 16_384))\""])
    #expect(verdict(large) == .refused(TokenFault(.tokenTooLarge)))
  }

  @Test func `a transaction identifier with unsigned parts is a mismatch`() {
    let route = Envelope.worldline.routes[0]
    let envelope = Envelope(
      name: "named",
      routes: [Envelope.Route(route.path, route.wrapping, fields: [Envelope.Field(["id"], .transactionId)])], marks: [])
    let identifier = ",\"id\":\"\(Hex.encode(layers.transactionId))\""
    #expect(verdict(Wrapping.parts(layers, [:], identifier), .reading(envelope)) == .signed(layers.plaintext))
    #expect(
      verdict(Wrapping.parts(layers, ["signature": nil], identifier), .reading(envelope))
        == .refused(TokenFault(.envelopeFieldMismatch, stage: .expectations)))
    #expect(
      verdict(Wrapping.parts(layers, ["signature": nil]), .reading(envelope)) == .unsigned(layers.plaintext))
  }
}

extension TokenLayers {
  fileprivate var publicKeyHashText: String {
    let (start, end) = ("\"publicKeyHash\":\"", "\"")
    let text = String(decoding: Wrapping.parts(self), as: UTF8.self)
    guard let range = text.firstRange(of: start) else { return "" }
    return String(text[range.upperBound...].prefix { String($0) != end })
  }
}

extension String {
  fileprivate var padded: String { String(repeating: "0", count: 4 - count) + self }
}

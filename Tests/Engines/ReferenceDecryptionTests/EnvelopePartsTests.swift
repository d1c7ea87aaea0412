import Gateways
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Requests in parts (rules 0.3, 0.5, 0.8 and 14.0), and the unsigned policy.
struct EnvelopePartsTests {
  private let request: RequestFixture
  private static let worldline = EnvelopeSelection.named(.worldline)

  init() throws { request = try RequestFixture() }

  private func fault(_ changes: [String: String], more: String = "") -> TokenFault? {
    request.fault(request.worldline(request.parts(changes) + more), .worldline)
  }

  private func unsignedFault(_ changes: [String: String], policy: VerificationPolicy? = nil) -> TokenFault? {
    let text = request.worldline(request.parts(changes.merging(["signature": ""]) { old, _ in old }))
    return request.unsignedFault(text, policy ?? VerificationPolicy(envelope: Self.worldline))
  }

  // MARK: Parts

  @Test func `0.3 and 0.5: parts are an object's, each named once`() {
    for value in ["null", "1", "\"\"", "[]"] {
      #expect(request.fault(#"{"mobilePaymentMethodSpecificInput":\#(value)}"#, .worldline) == .malformedEnvelope)
    }
    for name in ["encryptedPaymentData", "signature", "applicationData", "paymentProductId", "transaction\\u0049d"] {
      #expect(fault([:], more: #","\#(name)":1"#) == .malformedEnvelope, "\(name)")
    }
    #expect(fault([:], more: #","x":1,"x":2,"data":1,"data":2,"version":3"#) == nil)
  }

  @Test func `0.8: the object is measured, and the bytes around it are not`() {
    let empty = request.worldline(request.parts() + #","x":"""#).utf8.count - 37
    let padding = String(repeating: " ", count: 16_384 - empty)
    let text = request.worldline(request.parts() + #","x":"\#(padding)""#)
    #expect(request.fault(text, .worldline) == nil)
    #expect(request.fault(text + padding, .worldline) == nil)
    #expect(
      request.fault(text.replacing("{\"paymentP", with: "{ \"paymentP"), .worldline) == TokenFault(.tokenTooLarge))
  }

  @Test func `0.8: parts are asked for in the token's order, and named by the token's paths`() {
    let order: [(String, TokenMember)] = [
      ("encryptedPaymentData", .data), ("signature", .signature), ("publicKeyHash", .publicKeyHash),
      ("transactionId", .transactionId), ("ephemeralPublicKey", .ephemeralPublicKey),
    ]
    for (index, (name, member)) in order.enumerated() {
      let rest = Dictionary(uniqueKeysWithValues: order[(index + 1)...].map { ($0.0, "") })
      #expect(fault(rest.merging([name: ""]) { $1 }) == TokenFault(.missingMember, member: member))
      #expect(fault(rest.merging([name: "null"]) { $1 }) == TokenFault(.wrongType, member: member))
    }
    #expect(fault(["applicationData": "1"]) == TokenFault(.wrongType, member: .applicationData))
    #expect(fault([:], more: #","wrappedKey":1,"header":2"#) == nil)
  }

  @Test func `0.8: what parts stand for is decoded in the token's order`() {
    let order: [(String, TokenMember, TokenFault.Code)] = [
      ("encryptedPaymentData", .data, .invalidBase64), ("signature", .signature, .invalidBase64),
      ("ephemeralPublicKey", .ephemeralPublicKey, .invalidBase64), ("publicKeyHash", .publicKeyHash, .invalidBase64),
      ("transactionId", .transactionId, .invalidHex), ("applicationData", .applicationData, .invalidHex),
    ]
    for (index, (name, member, code)) in order.enumerated() {
      let rest = Dictionary(uniqueKeysWithValues: order[index...].map { ($0.0, #""?""#) })
      #expect(fault(rest) == TokenFault(code, member: member))
      #expect(fault([name: #""""#]) == TokenFault(.invalidLength, member: member))
    }
  }

  @Test func `parts are signed like any token`() {
    #expect(fault([:]) == nil)
    #expect(fault(["applicationData": ""]) == TokenFault(.signatureMismatch))
    #expect(fault(["transactionId": "\"\(String(repeating: "00", count: 32))\""]) == TokenFault(.signatureMismatch))
    #expect(fault(["signature": ""]) == TokenFault(.missingMember, member: .signature))
  }

  @Test func `a part for the other version's key is a conflict`() {
    let own = Envelope(
      name: "own",
      routes: [
        .init(
          ["p"],
          .parts(
            [("d", .data), ("s", .signature), ("h", .publicKeyHash), ("t", .transactionId), ("e", .ephemeralPublicKey)]
              .map { Envelope.Part($0, $1) } + [Envelope.Part("w", .wrappedKey)]))
      ], marks: [])
    let members = #""d":"","s":"","h":"","t":"","e":"""#
    #expect(request.fault(#"{"p":{\#(members)}}"#, own) == TokenFault(.invalidLength, member: .data))
    #expect(
      request.fault(#"{"p":{\#(members),"w":1}}"#, own) == TokenFault(.conflictingMembers, member: .wrappedKey))
  }

  @Test func `the trace names a part that has its other name, where it stands alone`() {
    let renamed = TraceFact.renamedPart(["mobilePaymentMethodSpecificInput", "ephemeralKey"], .ephemeralPublicKey)
    func facts(_ parts: String) -> [TraceFact] {
      let policy = VerificationPolicy(envelope: Self.worldline)
      let text = Array(request.worldline(parts).utf8)
      return request.engine.decryptTraced(text.span, at: Minted.time, under: policy).trace.facts.filter {
        if case .renamedPart = $0 { return true }
        return false
      }
    }
    let key = "\"\(Base64.encode(request.layers.ephemeralPublicKey))\""
    #expect(facts(request.parts()).isEmpty)
    #expect(facts(request.parts(["ephemeralPublicKey": ""]) + #","ephemeralKey":\#(key)"#) == [renamed])
    #expect(facts(request.parts() + #","ephemeralKey":\#(key)"#).isEmpty)
  }

  @Test func `14.0: fields next to parts are compared with the signed transactionId, and agree with none without it`() {
    let paths = [["p", "first"], ["p", "second"]]
    let own = Envelope(
      name: "own",
      routes: [
        .init(
          ["p"],
          .parts(
            [
              ("encryptedPaymentData", .data), ("signature", .signature), ("publicKeyHash", .publicKeyHash),
              ("transactionId", .transactionId), ("ephemeralPublicKey", .ephemeralPublicKey),
              ("applicationData", .applicationData),
            ].map { Envelope.Part($0, $1) }), fields: paths.map { .init($0, .transactionId) })
      ], marks: [])
    let policy = VerificationPolicy(envelope: .named(own))
    func fault(_ fields: String, isSigned: Bool = true) -> TokenFault? {
      let parts = request.parts(isSigned ? [:] : ["signature": ""])
      return request.unsignedFault(#"{"p":{\#(parts)\#(fields)}}"#, policy)
    }
    let right = "\"\(request.transactionId)\""
    #expect(fault("") == nil && fault("", isSigned: false) == nil)
    for field in ["first", "second"] {
      #expect(fault(#","\#(field)":\#(right)"#) == nil)
      for wrong in ["null", "1", "\"\"", "\"00\"", "\"x\""] {
        #expect(fault(#","\#(field)":\#(wrong)"#) == .identifierMismatch, "\(field) \(wrong)")
      }
      // Unsigned parts have no transactionId to agree with.
      for value in [right, "null", "\"\"", "\"x\""] {
        #expect(fault(#","\#(field)":\#(value)"#, isSigned: false) == .identifierMismatch, "\(field) \(value)")
      }
    }
    #expect(fault(#","first":\#(right),"second":"x""#) == .identifierMismatch)
  }

  // MARK: Unsigned

  @Test func `parts without a signature are decrypted to a separate type`() throws {
    let text = request.worldline(request.parts(["signature": "", "transactionId": "1", "applicationData": "null"]))
    guard case .unsigned(let token) = try request.unsigned(text).get() else {
      Issue.record("taken for signed")
      return
    }
    #expect(token.envelope == "worldline")
    #expect(token.plaintext == request.layers.plaintext)
    #expect(token.publicKeyHash.bytes == request.layers.publicKeyHash)
    for freshness in [Freshness.windowOff, .signingTime, .window(seconds: 0)] {
      #expect(request.unsignedFault(text, VerificationPolicy(envelope: Self.worldline, freshness: freshness)) == nil)
    }
    #expect(request.unsignedFault(text, VerificationPolicy(envelope: .automatic)) == nil)
  }

  @Test func `a token with any signature member is a signed token`() throws {
    guard case .signed(let token) = try request.unsigned(request.worldline).get() else {
      Issue.record("taken for unsigned")
      return
    }
    #expect(token.envelope == "worldline")
    for (value, code) in [("null", TokenFault.Code.wrongType), ("1", .wrongType), (#""""#, .invalidLength)] {
      #expect(unsignedFault(["signature": value]) == TokenFault(code, member: .signature))
    }
    #expect(unsignedFault(["signature": #""AAAA""#]) == TokenFault(.malformedSignature))
  }

  @Test func `in every other envelope a missing signature is an error`() throws {
    var object = request.layers.object
    object["signature"] = nil
    let token = String(decoding: JSONValue.object(object).text(), as: UTF8.self)
    let missing = TokenFault(.missingMember, member: .signature)
    #expect(request.unsignedFault(token, VerificationPolicy()) == missing)
    #expect(request.unsignedFault(token, VerificationPolicy(envelope: .automatic)) == missing)
    let wrapped = #"{"paymentData":\#(token)}"#
    #expect(request.unsignedFault(wrapped, VerificationPolicy(envelope: .named(.applepayjs))) == missing)
  }

  @Test func `three parts are required, in order`() {
    let order: [(String, TokenMember)] = [
      ("encryptedPaymentData", .data), ("publicKeyHash", .publicKeyHash), ("ephemeralPublicKey", .ephemeralPublicKey),
    ]
    for (index, (name, member)) in order.enumerated() {
      let rest = Dictionary(uniqueKeysWithValues: order[(index + 1)...].map { ($0.0, "") })
      #expect(unsignedFault(rest.merging([name: ""]) { $1 }) == TokenFault(.missingMember, member: member))
      #expect(unsignedFault(rest.merging([name: "{}"]) { $1 }) == TokenFault(.wrongType, member: member))
    }
    let bad = #""?""#
    #expect(
      unsignedFault(["encryptedPaymentData": bad, "ephemeralPublicKey": bad, "publicKeyHash": bad])
        == TokenFault(.invalidBase64, member: .data))
    #expect(
      unsignedFault(["ephemeralPublicKey": bad, "publicKeyHash": bad])
        == TokenFault(.invalidBase64, member: .ephemeralPublicKey))
    #expect(unsignedFault(["publicKeyHash": #""AAAA""#]) == TokenFault(.invalidLength, member: .publicKeyHash))
  }

  @Test func `the stages that are not skipped are checked`() {
    let zeros = Base64.encode([UInt8](repeating: 0, count: 32))
    #expect(unsignedFault(["publicKeyHash": "\"\(zeros)\""]) == TokenFault(.unknownMerchantKey))
    let key = Base64.encode([UInt8](repeating: 0, count: 91))
    #expect(unsignedFault(["ephemeralPublicKey": "\"\(key)\""]) == TokenFault(.invalidEphemeralKey))
    var data = request.layers.data
    data[0] ^= 1
    #expect(unsignedFault(["encryptedPaymentData": "\"\(Base64.encode(data))\""]) == TokenFault(.decryptionFailed))
  }

  @Test func `replay detection requires a signed transactionId, after publicKeyHash`() {
    let store = CountingStore()
    let policy = VerificationPolicy(envelope: Self.worldline, freshness: .window(seconds: 300, replay: store))
    let missing = TokenFault(.missingMember, member: .transactionId)
    #expect(unsignedFault([:], policy: policy) == missing)
    #expect(unsignedFault(["transactionId": "", "ephemeralPublicKey": ""], policy: policy) == missing)
    #expect(
      unsignedFault(["publicKeyHash": ""], policy: policy) == TokenFault(.missingMember, member: .publicKeyHash))
    #expect(store.calls == 0)
  }

  @Test func `the order's application data are refused, currency and amount compared`() throws {
    let payment = try request.result(request.token, VerificationPolicy()).get().payment
    func fault(_ expectations: Expectations) -> TokenFault? {
      unsignedFault([:], policy: VerificationPolicy(envelope: Self.worldline, expectations: expectations))
    }
    let given = try #require(request.layers.applicationData.flatMap { Bytes32($0) })
    #expect(fault(Expectations(applicationData: given, currencyCode: "000")) == TokenFault(.applicationDataMismatch))
    #expect(fault(Expectations(currencyCode: "000")) == TokenFault(.currencyMismatch))
    #expect(fault(Expectations(transactionAmount: payment.transactionAmount + 1)) == TokenFault(.amountMismatch))
    #expect(
      fault(Expectations(currencyCode: payment.currencyCode, transactionAmount: payment.transactionAmount)) == nil)
  }

  @Test func `the trace omits the skipped stages`() {
    let text = request.worldline(request.parts(["signature": ""]))
    let policy = VerificationPolicy(envelope: Self.worldline)
    let trace = request.engine.decryptAllowingUnsignedTraced(Array(text.utf8).span, at: Minted.time, under: policy)
      .trace
    #expect(trace.stages.map(\.stage) == VerificationStage.allCases)
    let omitted = trace.stages.filter { $0.outcome == .omitted }.map(\.stage.rawValue)
    #expect(omitted == [5, 6, 7, 8, 9])
    #expect(trace.stages.filter { $0.outcome == .passed }.count == 10)
  }
}

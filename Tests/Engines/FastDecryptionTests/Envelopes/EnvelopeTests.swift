import FastDecryption
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import Testing

/// Tokens are extracted from every request unchanged.
@Suite struct EnvelopeTests {
  private let fixture: Fixture
  private let engine: FastDecryptor

  init() throws {
    fixture = try Fixture()
    engine = try fixture.engine()
  }

  @Test(arguments: Gateway.all.flatMap { gateway in gateway.signedForms.indices.map { (gateway.name, $0) } })
  func `each gateway's requests are accepted by name and automatically`(_ name: String, _ form: Int) throws {
    let gateway = try #require(Gateway.named(name))
    var workspace = makeWorkspace()
    var generator = SeededGenerator(seed: 7).stream(name, UInt64(form))
    for index in 0..<60 {
      let token = try fixture.minter.mint(index: UInt64(index))
      let request = gateway.signedForms[form].request(
        around: token.bytes, .random(using: &generator), in: .random(using: &generator), using: &generator)
      for selection in [EnvelopeSelection.named(gateway.envelope), .automatic] {
        let policy = VerificationPolicy(envelope: selection)
        let opened = try engine.decrypt(request.span, at: mintingTime, under: policy, in: &workspace) {
          opened throws(TokenFault) in try opened.copy()
        }
        #expect(opened.envelope == name)
        #expect(opened.plaintext == token.plaintext)
        #expect(try engine.decrypt(request.span, at: mintingTime, under: policy) == opened)
      }
      #expect(engine.fault(request, in: &workspace) != nil)
    }
  }

  @Test func `a bare token is read as apple, by name or automatically`() throws {
    let token = try fixture.minter.mint()
    for selection in [EnvelopeSelection.named(.apple), .automatic, .automatic([])] {
      let policy = VerificationPolicy(envelope: selection)
      let opened = try engine.decrypt(token.bytes.span, at: mintingTime, under: policy)
      #expect(opened.envelope == "apple")
      #expect(opened.plaintext == token.plaintext)
    }
  }

  @Test func `a token of RSA_v1 is accepted in every envelope except one of parts`() throws {
    let files = fixture.minter.rsaMerchants.flatMap(\.keys).flatMap { [$0.pkcs8PEM, $0.certificatePEM] }
    let keys = try MerchantKeySet(
      files: files.enumerated().map { KeyFile(name: "\($0.offset)", bytes: Array($0.element.utf8)) })
    let engine = try FastDecryptor(keys: keys, anchors: fixture.minter.anchors)
    let token = try fixture.minter.mintRSA(index: 1)
    var workspace = makeWorkspace()
    for (envelope, request) in [
      (Envelope.applepayjs, Wrapping.object(token.bytes)), (.alphapay, Wrapping.alphapay(token.bytes)),
      (.mpgs, Wrapping.text(token.bytes)), (.bambora, Wrapping.base64(token.bytes)),
    ] {
      #expect(
        try engine.verdict(request, under: .reading(envelope), in: &workspace).get() == token.plaintext)
    }
  }

  @Test func `an envelope inside an envelope is not a token`() throws {
    let token = try fixture.minter.mint().bytes
    var workspace = makeWorkspace()
    let inner = Wrapping.object(token)
    let missing = TokenFault(.missingMember, member: .version)
    for envelope in [EnvelopeSelection.automatic, .named(.bambora)] {
      #expect(
        engine.fault(Wrapping.base64(inner), under: VerificationPolicy(envelope: envelope), in: &workspace) == missing)
    }
    #expect(engine.fault(Wrapping.text(inner), under: .reading(.mpgs), in: &workspace) == missing)
    #expect(engine.fault(Wrapping.object(inner), under: .reading(.applepayjs), in: &workspace) == missing)
    #expect(engine.fault(inner, in: &workspace) == missing)
  }

  @Test func `an extracted token passes through the stages like any token`() throws {
    var workspace = makeWorkspace()
    for (fault, token) in try HostileTokens.ofEveryStage(fixture) {
      #expect(engine.fault(Wrapping.text(token), under: .reading(.mpgs), in: &workspace) == fault)
      #expect(engine.fault(Wrapping.base64(token), under: .reading(.bambora), in: &workspace) == fault)
      // In an object, a token that is no JSON makes the request malformed, and white space around it does not count.
      let nested: TokenFault? =
        switch fault.code {
        case .malformedJSON: TokenFault(.malformedEnvelope)
        case .tokenTooLarge: nil
        default: fault
        }
      #expect(engine.fault(Wrapping.object(token), under: .reading(.applepayjs), in: &workspace) == nested)
    }
  }

  @Test func `bytes around a token in a string belong to the token`() throws {
    let token = try fixture.minter.mint()
    var workspace = makeWorkspace()
    func verdict(_ head: [UInt8], _ tail: [UInt8]) -> [TokenFault?] {
      let text = head + token.bytes + tail
      return [
        engine.fault(Wrapping.text(text), under: .reading(.mpgs), in: &workspace),
        engine.fault(Wrapping.base64(text), under: .reading(.bambora), in: &workspace),
      ]
    }
    #expect(verdict([0x20, 0x0D], [0x0A, 0x09]) == [nil, nil])
    let malformed = TokenFault(.malformedJSON)
    #expect(verdict([], [0x7D]) == [malformed, malformed])
    #expect(verdict([0xEF, 0xBB, 0xBF], []) == [malformed, malformed])
    #expect(engine.fault(Wrapping.text([]), under: .reading(.mpgs), in: &workspace) == malformed)
    #expect(engine.fault(Wrapping.base64([]), under: .reading(.bambora), in: &workspace) == malformed)
  }

  @Test func `escapes of a token in a string are unescaped once`() throws {
    let token = try fixture.minter.mint()
    var workspace = makeWorkspace()
    let unicode = JSONText.escaped(String(decoding: token.bytes, as: UTF8.self))
    let request = Wrapping.bytes(
      "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":", unicode, "}}}}}")
    #expect(try engine.verdict(request, under: .reading(.mpgs), in: &workspace).get() == token.plaintext)
    var twice = Wrapping.text(token.bytes)
    twice = Wrapping.text(Array(twice.dropFirst(77).dropLast(6)))
    #expect(engine.fault(twice, under: .reading(.mpgs), in: &workspace) == TokenFault(.malformedJSON))
    let text = JSONText.escaped(Wrapping.base64Text(token.bytes))
    let encoded = Wrapping.bytes("{\"apple_pay\":{\"payment_token\":", text, "}}")
    #expect(try engine.verdict(encoded, under: .reading(.bambora), in: &workspace).get() == token.plaintext)
  }

  @Test func `readers of many selections share a workspace`() throws {
    let token = try fixture.minter.mint()
    var workspace = makeWorkspace()
    for round in 0..<40 {
      let name = "n\(round % 20)"
      let envelope = Envelope(name: name, routes: [Envelope.Route([name], .object)], marks: [])
      let request = Wrapping.bytes("{\"\(name)\":", token.bytes, "}")
      #expect(try engine.verdict(request, under: .reading(envelope), in: &workspace).get() == token.plaintext)
      #expect(engine.fault(request, under: .reading(.applepayjs), in: &workspace) == TokenFault(.malformedEnvelope))
    }
    let count = workspace.readerCount
    #expect(count == 8)
  }
}

extension Wrapping {
  static func base64Text(_ token: [UInt8]) -> String {
    String(decoding: base64(token).dropFirst(31).dropLast(3), as: UTF8.self)
  }
}

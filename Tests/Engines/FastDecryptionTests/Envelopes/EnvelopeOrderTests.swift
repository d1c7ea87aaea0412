import FastDecryption
import Foundation
import Gateways
import Minting
import PaymentToken
import Testing

/// Sizes, and which of two faults is reported.
@Suite struct EnvelopeOrderTests {
  private let fixture: Fixture
  private let engine: FastDecryptor

  init() throws {
    fixture = try Fixture()
    engine = try fixture.engine()
  }

  private func fault(_ request: [UInt8], _ envelope: Envelope, _ expectations: Expectations = Expectations())
    -> TokenFault?
  {
    var workspace = makeWorkspace()
    return engine.fault(request, under: .reading(envelope, expectations), in: &workspace)
  }

  // MARK: Sizes

  /// The token with white space before its last brace, so that its object has exactly `size` bytes.
  private func padded(_ token: [UInt8], to size: Int) -> [UInt8] {
    token.dropLast() + [UInt8](repeating: 0x20, count: size - token.count) + [UInt8(ascii: "}")]
  }

  @Test func `a token of 16,384 bytes is accepted in every envelope, one of 16,385 is too large`() throws {
    let token = try fixture.minter.mint(TokenRecipe())
    for (size, expected) in [(16_384, nil), (16_385, TokenFault(.tokenTooLarge))] {
      let text = padded(token.bytes, to: size)
      #expect(fault(Wrapping.object(text), .applepayjs) == expected)
      #expect(fault(Wrapping.alphapay(text), .alphapay) == expected)
      #expect(fault(Wrapping.text(text), .mpgs) == expected)
      #expect(fault(Wrapping.base64(text), .bambora) == expected)
      // The content counts: each line feed takes two bytes of the string.
      #expect(fault(Wrapping.text(Array(text.map { $0 == 0x20 ? 0x0A : $0 })), .mpgs) == expected)
    }
  }

  @Test func `an object of parts of 16,384 bytes is accepted, one of 16,385 is too large`() throws {
    let layers = try fixture.minter.layers()
    let plain = Wrapping.parts(layers)
    let size = plain.count - "{\"mobilePaymentMethodSpecificInput\":}".utf8.count
    func request(_ size: Int, _ room: Int) -> [UInt8] {
      Array(plain.dropLast(2)) + [UInt8](repeating: 0x20, count: room - size) + Array("}}".utf8)
    }
    #expect(fault(request(size, 16_384), .worldline) == nil)
    #expect(fault(request(size, 16_385), .worldline) == TokenFault(.tokenTooLarge))
    // The size is checked before any part, and after the fields.
    let large = Wrapping.parts(layers, ["signature": nil, "x": "\"\(String(repeating: "x", count: 16_384))\""])
    #expect(fault(large, .worldline) == TokenFault(.tokenTooLarge))
    let mismatch = String(decoding: large, as: UTF8.self).replacing("302", with: "303")
    #expect(fault(Array(mismatch.utf8), .worldline) == TokenFault(.envelopeFieldMismatch))
  }

  @Test func `a request of 65,536 bytes is accepted, one of 65,537 is too large`() throws {
    let token = try fixture.minter.mint().bytes
    for (envelope, request) in [
      (Envelope.applepayjs, Wrapping.object(token)), (.alphapay, Wrapping.alphapay(token)),
      (.mpgs, Wrapping.text(token)), (.bambora, Wrapping.base64(token)),
      (.worldline, Wrapping.parts(try fixture.minter.layers())),
    ] {
      let full = [UInt8](repeating: 0x20, count: 65_536 - request.count) + request
      let tooLarge = TokenFault(.tokenTooLarge, stage: .envelope)
      #expect(fault(full, envelope) == nil)
      #expect(fault(full + [0x20], envelope) == tooLarge)
      var workspace = makeWorkspace()
      let policy = VerificationPolicy(envelope: .automatic)
      #expect(engine.fault(full, under: policy, in: &workspace) == nil)
      #expect(engine.fault(full + [0x20], under: policy, in: &workspace) == tooLarge)
    }
    // The bare token has no stage 0.
    #expect(fault([UInt8](repeating: 0x20, count: 65_537), .apple) == TokenFault(.tokenTooLarge))
  }

  @Test(arguments: ["A", "\\u0041", "\\/", "\u{E9}", "\\ud83d\\ude00", "\\n", "="])
  func `one string fills nearly the whole request`(_ unit: String) {
    for room in [65_536, 65_535, 65_532, 65_493] {
      let (text, encoded) = (Wrapping.text([]), Wrapping.base64([]))
      func fill(_ request: [UInt8], at quote: Int) -> [UInt8] {
        let group = String(repeating: unit, count: 4)
        let filling = String(repeating: group, count: (room - request.count) / group.utf8.count)
        return Array(request[..<quote]) + Array(filling.utf8) + Array(request[quote...])
      }
      // `\u0041` takes six bytes of the request for one of the text: the text is small enough, but no JSON.
      let verdict = TokenFault(unit == "\\u0041" ? .malformedJSON : .tokenTooLarge)
      #expect(fault(fill(text, at: text.count - 6), .mpgs) == verdict)
      let isBase64 = ["A", "\\u0041", "\\/"].contains(unit)
      #expect(
        fault(fill(encoded, at: encoded.count - 3), .bambora) == (isBase64 ? verdict : TokenFault(.malformedEnvelope)))
    }
  }

  // MARK: Order

  @Test func `base64 is decoded in full before the fields and the size are checked`() throws {
    let token = padded(try fixture.minter.mint().bytes, to: 30_000)
    let mismatch = ",\"payment_method\":\"card\""
    let text = Data(token).base64EncodedString()
    #expect(fault(Wrapping.base64(written: text), .bambora) == TokenFault(.tokenTooLarge))
    #expect(fault(Wrapping.base64(written: text, mismatch), .bambora) == TokenFault(.envelopeFieldMismatch))
    for broken in [text + "A", text + "\\u0020", "=" + text, String(text.dropLast()), text + "====", text + "\\n"] {
      #expect(fault(Wrapping.base64(written: broken, mismatch), .bambora) == TokenFault(.malformedEnvelope))
    }
    for broken in ["QQ", "QQ=", "QR==", "Q-==", "Q_Q=", "QQ==QQ==", "QUI=\\u0000", "QQ=\\u003d="] {
      #expect(fault(Wrapping.base64(written: broken), .bambora) == TokenFault(.malformedEnvelope))
    }
    #expect(fault(Wrapping.base64(written: "QQ\\u003d="), .bambora) == TokenFault(.malformedJSON))
  }

  @Test func `a contradicting field is reported before the token is checked`() {
    let mismatch = TokenFault(.envelopeFieldMismatch)
    #expect(mismatch.stage == .envelope)
    #expect(fault(Wrapping.text([], ",\"order\":{\"walletProvider\":null}"), .mpgs) == mismatch)
    #expect(fault(Wrapping.base64([], ",\"payment_method\":\"apple pay\""), .bambora) == mismatch)
  }

  @Test func `a transaction identifier is compared last, before the caller's expectations`() throws {
    let token = try fixture.minter.mint(TokenRecipe())
    let identifier = Hex.encode(token.layers.transactionId)
    func request(_ value: String, _ bytes: [UInt8]? = nil) -> [UInt8] {
      Wrapping.object(bytes ?? token.bytes, ",\"transactionIdentifier\":\(value)")
    }
    let mismatch = TokenFault(.envelopeFieldMismatch, stage: .expectations)
    let demanding = Expectations(applicationData: digest(of: []), currencyCode: "000")
    for value in ["\"\(identifier)\"", "\"\(identifier.uppercased())\""] {
      #expect(fault(request(value), .applepayjs) == nil)
      #expect(fault(request(value), .applepayjs, demanding) == TokenFault(.applicationDataMismatch))
    }
    let other = String(repeating: "0", count: 64)
    for value in ["\"\(other)\"", "\"\(identifier.dropLast())\"", "\"\"", "null", "1", "{}"] {
      #expect(fault(request(value), .applepayjs) == mismatch)
      #expect(fault(request(value), .applepayjs, demanding) == mismatch)
      #expect(
        fault(Wrapping.alphapay(token.bytes, ",\"transactionIdentifier\":\(value)"), .alphapay) == mismatch)
      for (earlier, hostile) in try HostileTokens.ofEveryStage(fixture) where earlier.stage > .json {
        #expect(fault(request(value, hostile), .applepayjs) == earlier)
      }
    }
  }

  @Test func `a contradicted token does not reach the replay store`() throws {
    let token = try fixture.minter.mint().bytes
    let store = MemoryReplayStore(capacity: 8)
    let policy = VerificationPolicy(
      envelope: .named(.applepayjs), freshness: .window(seconds: 300, replay: store))
    var workspace = makeWorkspace()
    let request = Wrapping.object(token, ",\"transactionIdentifier\":\"\"")
    #expect(
      engine.fault(request, under: policy, in: &workspace) == TokenFault(.envelopeFieldMismatch, stage: .expectations))
    #expect(engine.fault(Wrapping.object(token), under: policy, in: &workspace) == nil)
    #expect(engine.fault(Wrapping.object(token), under: policy, in: &workspace) == TokenFault(.replayedTransaction))
  }

  @Test func `the nesting of a token in a string counts by itself, in an object with its request`() throws {
    let token = try fixture.minter.mint().bytes
    func nesting(_ depth: Int) -> [UInt8] {
      let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array("{\"x\":\(brackets),".utf8) + token.dropFirst()
    }
    #expect(fault(Wrapping.text(nesting(31)), .mpgs) == nil)
    #expect(fault(Wrapping.text(nesting(32)), .mpgs) == TokenFault(.malformedJSON))
    #expect(fault(Wrapping.base64(nesting(31)), .bambora) == nil)
    #expect(fault(Wrapping.base64(nesting(32)), .bambora) == TokenFault(.malformedJSON))
    #expect(fault(Wrapping.object(nesting(29)), .applepayjs) == nil)
    #expect(fault(Wrapping.object(nesting(30)), .applepayjs) == TokenFault(.malformedEnvelope))
  }
}

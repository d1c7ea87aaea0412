import Foundation
import Gateways
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

/// Rules 0.1 to 0.7 of envelopes that hold a whole token, and 14.0.
struct EnvelopeTests {
  private let request: RequestFixture

  init() throws { request = try RequestFixture() }

  private func fault(_ text: String, _ envelope: Envelope) -> TokenFault? { request.fault(text, envelope) }

  @Test func `the token is extracted from each envelope, and the result names the envelope`() throws {
    let requests: [(Envelope, String)] = [
      (.apple, request.token), (.applepayjs, request.applepayjs),
      (.applepayjs, #"{"paymentData":\#(request.token)}"#), (.alphapay, request.alphapay), (.mpgs, request.mpgs),
      (.bambora, request.bambora), (.worldline, request.worldline),
    ]
    let plain = try request.result(request.token, VerificationPolicy()).get()
    for (envelope, text) in requests {
      let token = try request.result(text, VerificationPolicy(envelope: .named(envelope))).get()
      #expect(token.envelope == envelope.name)
      #expect(token.plaintext == plain.plaintext)
      #expect(token.transactionId == plain.transactionId)
      #expect(token.applicationData == plain.applicationData)
    }
  }

  @Test func `the result has the members of the token, the times and the payload`() throws {
    let now = Minted.time.advanced(by: 7)
    let token = try request.engine.decrypt(Array(request.token.utf8).span, at: now, under: VerificationPolicy())
    let layers = request.layers
    #expect(token.envelope == "apple" && token.version == .ecV1)
    #expect(token.transactionId.bytes == layers.transactionId)
    #expect(token.publicKeyHash.bytes == layers.publicKeyHash)
    #expect(token.ephemeralPublicKey == layers.ephemeralPublicKey)
    #expect(token.applicationData?.bytes == layers.applicationData)
    #expect(token.signedAt == Minted.time && token.verifiedAt == now)
    #expect(token.plaintext == layers.plaintext)
    #expect(token.payment.applicationPrimaryAccountNumber == "4111111111111111")
  }

  @Test func `0.6: every field of the route is compared, whichever others are absent`() {
    let fields: [Envelope.Field] = [
      .init(["first"], .text("one")), .init(["id"], .transactionId), .init(["second"], .number("2")),
    ]
    let own = Envelope(name: "own", routes: [.init(["token"], .object, fields: fields)], marks: [])
    func fault(_ fields: String) -> TokenFault? { self.fault(#"{\#(fields)"token":\#(request.token)}"#, own) }
    let id = #""id":"\#(request.transactionId)","#
    #expect(fault("") == nil && fault(id) == nil)
    #expect(fault(#""first":"one",\#(id)"second":2,"#) == nil)
    #expect(fault(#""first":"two","#) == .fieldMismatch)
    #expect(fault(#""second":3,"#) == .fieldMismatch)
    #expect(fault(#"\#(id)"second":3,"#) == .fieldMismatch)
    #expect(fault(#""id":"00","second":3,"#) == .fieldMismatch)
    #expect(fault(#""id":"00","second":2,"#) == .identifierMismatch)
  }

  @Test(.enabled(if: RealTokens.available))
  func `genuine tokens are extracted`() throws {
    let engine = try Genuine.engine()
    for real in RealTokens.all where real.genuine {
      let plain = engine.result(real.token)
      let text = String(decoding: real.token, as: UTF8.self)
      let requests: [(Envelope, String)] = [
        (.applepayjs, #"{"paymentData":\#(text)}"#), (.alphapay, #"{"token":{"paymentData":\#(text)}}"#),
        (.bambora, #"{"apple_pay":{"payment_token":"\#(Base64.encode(real.token))"}}"#),
        (.mpgs, request.mpgs(String(decoding: JSONText.quoted(text), as: UTF8.self))),
        (.mpgs, request.mpgs(String(decoding: JSONText.escaped(text), as: UTF8.self))),
      ]
      for (envelope, wrapped) in requests {
        let policy = VerificationPolicy(envelope: .named(envelope), freshness: .signingTime)
        let result = engine.result(Array(wrapped.utf8), policy)
        #expect(result.map(\.plaintext) == plain.map(\.plaintext), "\(real.name) in \(envelope.name)")
      }
    }
  }

  @Test func `0.1: 65,536 bytes are a request, and one more is too large`() {
    let padding = String(repeating: " ", count: 65_536 - request.bambora.utf8.count)
    #expect(fault(request.bambora + padding, .bambora) == nil)
    #expect(fault(request.bambora + padding + " ", .bambora) == .requestTooLarge)
    #expect(request.fault(request.bambora + padding + " ", from: .automatic) == .requestTooLarge)
    #expect(request.fault(String(repeating: " ", count: 65_537), from: .automatic) == .requestTooLarge)
    #expect(fault(String(repeating: " ", count: 65_537), .apple) == TokenFault(.tokenTooLarge))
  }

  @Test func `1.1: the token inside is measured by itself`() {
    let padding = String(repeating: " ", count: 16_384 - request.token.utf8.count)
    let fill = "\"x\":\"\(padding)\""
    let inside = request.token.dropLast() + String(repeating: " ", count: 16_384 - request.token.utf8.count) + "}"
    #expect(fault(#"{\#(fill),"paymentData":\#(inside)}"#, .applepayjs) == nil)
    #expect(fault(#"{"paymentData":\#(inside.dropLast()) }}"#, .applepayjs) == TokenFault(.tokenTooLarge))
    // White space around an object does not belong to the token; in a string it does.
    #expect(fault(#"{"paymentData": \#(inside) }"#, .applepayjs) == nil)
    let text = #""  \#(request.token.replacing("\"", with: "\\\""))"#
    #expect(fault(request.mpgs(text + padding.dropLast(2) + "\""), .mpgs) == nil)
    #expect(fault(request.mpgs(text + padding + "\""), .mpgs) == TokenFault(.tokenTooLarge))
    let base64 = Base64.encode(Array((request.token + padding + " ").utf8))
    #expect(fault(#"{"apple_pay":{"payment_token":"\#(base64)"}}"#, .bambora) == TokenFault(.tokenTooLarge))
  }

  @Test func `0.2: JSON that is not strict is rejected`() {
    for text in ["", "[]", "null", "{", request.applepayjs + "x", "\u{FEFF}" + request.applepayjs, #"{"a":01}"#] {
      #expect(fault(text, .applepayjs) == .malformedEnvelope)
    }
    #expect(fault(request.applepayjs.dropLast() + #","x":"\ud800"}"#, .applepayjs) == .malformedEnvelope)
  }

  @Test func `0.2: 32 levels are counted from the outermost object, the token's included`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let members = request.token.dropLast()
    #expect(fault(request.applepayjs.dropLast() + #","x":\#(nested(31))}"#, .applepayjs) == nil)
    #expect(fault(request.applepayjs.dropLast() + #","x":\#(nested(32))}"#, .applepayjs) == .malformedEnvelope)
    #expect(fault(#"{"token":{"paymentData":\#(members),"x":\#(nested(29))}}}"#, .applepayjs) == nil)
    #expect(fault(#"{"token":{"paymentData":\#(members),"x":\#(nested(30))}}}"#, .applepayjs) == .malformedEnvelope)
    // In a string the token is counted from its own beginning.
    let text = String(decoding: JSONText.quoted(members + #","x":\#(nested(31))}"#), as: UTF8.self)
    #expect(fault(request.mpgs(text), .mpgs) == nil)
    let deeper = String(decoding: JSONText.quoted(members + #","x":\#(nested(32))}"#), as: UTF8.self)
    #expect(fault(request.mpgs(deeper), .mpgs) == TokenFault(.malformedJSON))
  }

  @Test func `0.3: a name that is read occurs once, however it is escaped`() {
    let token = request.token
    for text in [
      #"{"token":{"paymentData":\#(token)},"token":{}}"#, #"{"token":1,"\u0074oken":{"paymentData":\#(token)}}"#,
      #"{"token":{"paymentData":\#(token),"paymentDat\u0061":\#(token)}}"#,
      #"{"token":{"paymentData":\#(token),"transactionIdentifier":null,"transactionIdentifier":null}}"#,
      // A repeated name on a route that is not taken, and on one that leads to no value.
      #"{"token":{"paymentData":\#(token)},"paymentData":1,"paymentData":2}"#,
      #"{"paymentData":\#(token),"token":1,"token":2}"#,
    ] {
      #expect(fault(text, .applepayjs) == .malformedEnvelope)
    }
    let twice = #""provided":{},"provided":{"card":{"devicePayment":{"paymentToken":\#(request.quotedToken)}}}"#
    #expect(fault("{\"sourceOfFunds\":{\(twice)}}", .mpgs) == .malformedEnvelope)
    for order in [#"{"walletProvider":1,"walletProvider":2}"#, #"1,"order":2"#] {
      #expect(fault(request.mpgs(request.quotedToken, order: order), .mpgs) == .malformedEnvelope)
    }
  }

  @Test func `0.3: all other names may repeat, in any number`() {
    let token = request.token
    let others = (0..<200).map { _ in #""x":{"token":1,"token":2}"# }.joined(separator: ",")
    for text in [
      #"{\#(others),"token":{"other":1,"other":2,"paymentData":\#(token)}}"#,
      // The field of a route that is not taken, and marks.
      #"{"token":{"paymentData":\#(token)},"transactionIdentifier":1,"transactionIdentifier":2}"#,
      #"{"paymentId":1,"paymentId":2,"token":{"paymentData":\#(token)}}"#,
    ] {
      #expect(fault(text, .applepayjs) == nil)
    }
    #expect(fault(#"{"paymentData":\#(token),"paymentData":1,"token":{"paymentData":\#(token)}}"#, .alphapay) == nil)
  }

  @Test func `0.4: exactly one route leads to a value`() {
    let token = request.token
    for text in ["{}", #"{"token":{}}"#, #"{"token":[{"paymentData":\#(token)}]}"#, token] {
      #expect(fault(text, .applepayjs) == .malformedEnvelope)
    }
    #expect(fault(#"{"paymentData":\#(token),"token":{"paymentData":1}}"#, .applepayjs) == .malformedEnvelope)
    #expect(fault(#"{"paymentData":\#(token),"token":{"paymentdata":1}}"#, .applepayjs) == nil)
    #expect(fault(#"{"paymentData":\#(token)}"#, .alphapay) == .malformedEnvelope)
  }

  @Test func `0.5: the value is of the route's type`() {
    for value in ["null", "1", "true", "[]", "[\(request.token)]", request.quotedToken] {
      #expect(fault(#"{"paymentData":\#(value)}"#, .applepayjs) == .malformedEnvelope)
    }
    for value in ["null", "1", "{}", request.token] {
      #expect(fault(request.mpgs(value), .mpgs) == .malformedEnvelope)
      #expect(fault(#"{"apple_pay":{"payment_token":\#(value)}}"#, .bambora) == .malformedEnvelope)
    }
    for text in ["A", "AA", "AA=", "AAB=", "AA==\\n", " AAAA", "AA-_", "=AAA", request.base64Token + "="] {
      #expect(fault(#"{"apple_pay":{"payment_token":"\#(text)"}}"#, .bambora) == .malformedEnvelope)
    }
  }

  @Test func `0.6: a constant is absent or exactly so`() {
    let token = request.quotedToken
    for order in [#"{}"#, #"{"walletProvider":"APPLE\u005fPAY"}"#, "1", "null", #"[{"walletProvider":1}]"#] {
      #expect(fault(request.mpgs(token, order: order), .mpgs) == nil)
    }
    for value in [#""apple_pay""#, #""""#, #""APPLE_PAY ""#, "null", "1", #"["APPLE_PAY"]"#, "{}"] {
      #expect(fault(request.mpgs(token, order: #"{"walletProvider":\#(value)}"#), .mpgs) == .fieldMismatch)
    }
    for value in ["302.0", "3.02e2", #""302""#, "null", "301", "-302", "[302]"] {
      #expect(
        fault(request.worldline(request.parts(), beside: #""paymentProductId":\#(value)"#), .worldline)
          == .fieldMismatch)
    }
    #expect(fault(request.worldline(request.parts(), beside: ""), .worldline) == nil)
  }

  @Test func `0.7: the faults of an envelope come in the order of its rules, and before the token's`() {
    let wrong = #"{"walletProvider":"GOOGLE_PAY"}"#
    #expect(fault(request.mpgs("1", order: wrong), .mpgs) == .malformedEnvelope)
    #expect(fault(request.mpgs(#""not JSON""#, order: wrong), .mpgs) == .fieldMismatch)
    #expect(fault(request.mpgs(#""not JSON""#), .mpgs) == TokenFault(.malformedJSON))
    let spaces = String(repeating: " ", count: 16_385)
    #expect(fault(request.mpgs("\"\(spaces)\"", order: wrong), .mpgs) == .fieldMismatch)
    #expect(fault(request.mpgs("\"\(spaces)\""), .mpgs) == TokenFault(.tokenTooLarge))
  }

  @Test func `0.7: the content is validated as the token, never as another envelope`() {
    #expect(
      fault(#"{"paymentData":\#(request.applepayjs)}"#, .applepayjs) == TokenFault(.missingMember, member: .version))
    let inner = String(decoding: JSONText.quoted(request.applepayjs), as: UTF8.self)
    #expect(fault(request.mpgs(inner), .mpgs) == TokenFault(.missingMember, member: .version))
    #expect(fault(request.mpgs(#""""#), .mpgs) == TokenFault(.malformedJSON))
    #expect(fault(#"{"apple_pay":{"payment_token":""}}"#, .bambora) == TokenFault(.malformedJSON))
    #expect(fault(#"{"paymentData":{}}"#, .applepayjs) == TokenFault(.missingMember, member: .version))
    let twice = request.token.dropLast() + #","data":""}"#
    #expect(fault(#"{"paymentData":\#(twice)}"#, .applepayjs) == TokenFault(.duplicateMember, member: .data))
  }

  @Test func `0.7: a string is unescaped once, its white space stays`() {
    let spread = request.token.replacing(",", with: ",\r\n\t")
    let escaped = spread.replacing("\"", with: "\\\"").replacing("\r\n\t", with: "\\r\\n\\t")
      .replacing("/", with: "\\/")
    #expect(fault(request.mpgs("\"\(escaped)\""), .mpgs) == nil)
    let twice = String(decoding: JSONText.quoted(request.quotedToken), as: UTF8.self)
    #expect(fault(request.mpgs(twice), .mpgs) == TokenFault(.malformedJSON))
    let slashes = request.base64Token.replacing("/", with: "\\/").replacing("A", with: "\\u0041")
    #expect(fault(#"{"apple_pay":{"payment_token":"\#(slashes)"}}"#, .bambora) == nil)
  }

  @Test func `14.0: the identifier in the request is absent or the token's`() {
    let token = request.token
    func named(_ value: String) -> String { #"{"token":{"paymentData":\#(token),"transactionIdentifier":\#(value)}}"# }
    for id in [request.transactionId, request.transactionId.uppercased()] {
      #expect(fault(named("\"\(id)\""), .applepayjs) == nil)
      #expect(fault(named("\"\(id)\""), .alphapay) == nil)
    }
    let other = String(request.transactionId.reversed())
    for value in [
      "null", "1", #""""#, "\"\(other)\"", "\"\(request.transactionId)0\"", "\"\(request.transactionId)00\"",
    ] {
      #expect(fault(named(value), .applepayjs) == .identifierMismatch)
      #expect(fault(named(value), .alphapay) == .identifierMismatch)
    }
    #expect(fault(#"{"paymentData":\#(token),"transactionIdentifier":"x"}"#, .applepayjs) == .identifierMismatch)
    #expect(
      fault(#"{"token":{"paymentData":\#(token)},"transactionIdentifier":"x"}"#, .applepayjs) == nil,
      "it stands beside another route")
  }

  @Test func `14.0 comes before all other expectations, and after the payload`() throws {
    let wrong = request.applepayjs.replacing(request.transactionId + "\"}}", with: "x\"}}")
    let store = CountingStore()
    let policy = VerificationPolicy(
      envelope: .named(.applepayjs), freshness: .window(seconds: 300, replay: store),
      expectations: Expectations(currencyCode: "000"))
    guard case .failure(.identifierMismatch) = request.result(wrong, policy) else {
      Issue.record("another verdict")
      return
    }
    #expect(store.calls == 0)
    let altered = wrong.replacing("EC_v1", with: "EC_v2")
    #expect(fault(altered, .applepayjs) == TokenFault(.unsupportedVersion, member: .version))
  }

  @Test func `an envelope of a caller's own is read by the same rules`() {
    let own = Envelope(
      name: "own",
      routes: [.init(["a"], .text, fields: [.init(["b", "c"], .text("x"))]), .init(["d", "e"], .base64)],
      marks: [])
    #expect(fault(#"{"a":\#(request.quotedToken),"b":{"c":"x"}}"#, own) == nil)
    #expect(fault(#"{"a":\#(request.quotedToken),"b":{"c":"y"}}"#, own) == .fieldMismatch)
    #expect(fault(#"{"d":{"e":"\#(request.base64Token)"},"b":{"c":"y"}}"#, own) == nil)
    #expect(fault(#"{"d":{"e":"\#(request.base64Token)"},"a":0}"#, own) == .malformedEnvelope)
    #expect(request.fault(request.token, Envelope(name: "bare", routes: [], marks: [])) == nil)
  }
}

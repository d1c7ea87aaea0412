import Gateways
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

/// Rule 0.9.
struct AutomaticEnvelopeTests {
  private let request: RequestFixture

  init() throws { request = try RequestFixture() }

  private func name(_ text: String) throws -> String {
    try request.result(text, VerificationPolicy(envelope: .automatic)).get().envelope
  }

  private func fault(_ text: String) -> TokenFault? { request.fault(text, from: .automatic) }

  @Test func `each request is read by the envelope whose shape it has`() throws {
    #expect(try name(request.token) == "apple")
    #expect(try name(request.applepayjs) == "applepayjs")
    #expect(try name(#"{"paymentData":\#(request.token)}"#) == "applepayjs")
    #expect(try name(request.alphapay) == "alphapay")
    #expect(try name(request.mpgs) == "mpgs")
    #expect(try name(request.bambora) == "bambora")
    #expect(try name(request.worldline) == "worldline")
  }

  @Test func `an envelope of another name that is the token itself is reported by that name`() throws {
    let bare = Envelope(name: "bare", routes: [], marks: Envelope.apple.marks)
    let token = try request.result(request.token, VerificationPolicy(envelope: .automatic([bare, .mpgs]))).get()
    #expect(token.envelope == "bare")
  }

  @Test func `a shape that fits two envelopes is refused`() {
    let more = [request.token, request.mpgs, request.bambora, request.worldline].map { $0.dropFirst().dropLast() }
    for (index, one) in more.enumerated() {
      for other in more[(index + 1)...] { #expect(fault("{\(one),\(other)}") == TokenFault(.ambiguousEnvelope)) }
    }
    #expect(fault("{\(more[0]),\"paymentData\":null}") == TokenFault(.ambiguousEnvelope))
  }

  @Test func `marks are members of any type, present or absent`() throws {
    #expect(try name(request.alphapay.replacing(#""p""#, with: "null")) == "alphapay")
    #expect(
      fault(request.worldline(request.parts(["encryptedPaymentData": "null"]))) == TokenFault(.wrongType, member: .data)
    )
    // Without its mark the request fits no envelope, and is read as the token itself.
    let unmarked = request.worldline(request.parts(["encryptedPaymentData": ""]))
    #expect(fault(unmarked) == TokenFault(.missingMember, member: .version))
    #expect(
      fault(#"{"paymentId":1,"paymentData":\#(request.token)}"#) == TokenFault(.missingMember, member: .version))
  }

  @Test func `a route fits by a value of any type, and is then read from 0.3 on`() {
    #expect(fault(request.mpgs("null")) == .malformedEnvelope)
    #expect(fault(#"{"apple_pay":{"payment_token":1}}"#) == .malformedEnvelope)
    #expect(fault(#"{"paymentData":1}"#) == .malformedEnvelope)
    #expect(fault(#"{"paymentData":1,"token":{"paymentData":2}}"#) == .malformedEnvelope)
    #expect(fault(request.mpgs(request.quotedToken, order: #"{"walletProvider":1}"#)) == .fieldMismatch)
  }

  @Test func `a repeated name leads wherever one of its values does`() {
    #expect(fault(#"{"token":1,"token":{"paymentData":\#(request.token)}}"#) == .malformedEnvelope)
    #expect(fault(#"{"token":{"paymentData":\#(request.token)},"token":1}"#) == .malformedEnvelope)
    let mark = #""mobilePaymentMethodSpecificInput""#
    #expect(fault(#"{\#(mark):{"encryptedPaymentData":1},\#(mark):2}"#) == .malformedEnvelope)
  }

  @Test func `a request that matches no envelope, or is not JSON, is the token itself and has no stage 0`() {
    for text in ["", "{", "[]", "\u{FEFF}{}", request.bambora + "x"] {
      #expect(fault(text) == TokenFault(.malformedJSON))
    }
    #expect(fault("{}") == TokenFault(.missingMember, member: .version))
    #expect(fault(#"{"version":1,"data":2,"signature":3}"#) == TokenFault(.wrongType, member: .version))
    #expect(fault(String(repeating: "x", count: 16_385)) == TokenFault(.tokenTooLarge))
    for text in ["{}", request.token] {
      let policy = VerificationPolicy(envelope: .automatic)
      let trace = request.engine.decryptTraced(Array(text.utf8).span, at: Minted.time, under: policy).trace
      #expect(trace.stages.map(\.stage.rawValue) == Array(1...14))
    }
  }

  @Test func `only the given envelopes are tried`() {
    #expect(request.fault(request.bambora, from: .automatic([.mpgs, .bambora])) == nil)
    #expect(request.fault(request.token, from: .automatic([.mpgs])) == nil)
    #expect(request.fault(request.bambora, from: .automatic([.mpgs])) == TokenFault(.missingMember, member: .version))
    #expect(request.fault(request.alphapay, from: .automatic([.mpgs, .bambora])) != nil)
  }

  @Test func `the trace has the matching envelopes, the path of the token and the compared fields`() {
    let policy = VerificationPolicy(envelope: .automatic)
    func facts(_ text: String) -> [TraceFact] {
      request.engine.decryptTraced(Array(text.utf8).span, at: Minted.time, under: policy).trace.facts
    }
    let found = facts(request.bambora)
    #expect(found.contains(.requestSize(found: request.bambora.utf8.count, limit: 65_536)))
    #expect(found.contains(.fittingEnvelopes(["bambora"])))
    #expect(found.contains(.envelope("bambora")))
    #expect(found.contains(.tokenPlace(Envelope.bambora.routes[0])))
    #expect(found.contains(.envelopeField(Envelope.bambora.routes[0].fields[0], agrees: true)))
    #expect(found.contains(.tokenSize(found: request.token.utf8.count, limit: 16_384)))
    #expect(facts(request.mpgs("1")).contains(.envelopeProblem(.wrongType(Envelope.mpgs.routes[0].path, .text))))
    let repeated = #"{"token":1,"token":{"paymentData":{}}}"#
    #expect(facts(repeated).contains(.envelopeProblem(.repeatedName(["token"]))))
    let inside = #"{"token":{"paymentData":1,"paymentData":2}}"#
    #expect(facts(inside).contains(.envelopeProblem(.repeatedName(["token", "paymentData"]))))
    let path = ["sourceOfFunds", "provided", "card"]
    let between = #"{"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":1}},"card":2}}}"#
    #expect(facts(between).contains(.envelopeProblem(.repeatedName(path))))
    let deep = request.mpgs(#"1,"paymentToken":2"#)
    #expect(facts(deep).contains(.envelopeProblem(.repeatedName(Envelope.mpgs.routes[0].path))))
  }
}

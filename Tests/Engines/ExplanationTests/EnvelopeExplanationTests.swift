import Explanation
import Gateways
import Minting
import PaymentToken
import TestSupport
import Testing

struct EnvelopeExplanationTests {
  private func findings(_ explanation: Explanation, at stage: VerificationStage) throws -> [Finding] {
    try #require(explanation.checks.first { $0.stage == stage }).findings
  }

  @Test func `the first rung says what was read, and where the token was`() throws {
    let explanation = try Scenario.explain {
      let order = #""order":{"walletProvider":"APPLE_PAY"},"#
      $0.send(Scenario.mpgs($0.quotedToken, beside: order), from: .automatic)
    }
    #expect(explanation.envelope == "mpgs")
    let names = try findings(explanation, at: .envelope).map(\.name)
    #expect(
      names == [
        "request", "envelope", "sourceOfFunds.provided.card.devicePayment.paymentToken", "order.walletProvider",
      ])
  }

  @Test func `a raw token has no rung for its envelope, be it found out or named`() throws {
    for selection in [EnvelopeSelection.automatic, .named(.apple)] {
      let explanation = try Scenario.explain { $0.policy = VerificationPolicy(envelope: selection) }
      #expect(explanation.checks.map(\.stage.rawValue) == Array(1...14))
      #expect(explanation.envelope == "apple")
    }
  }

  @Test func `a wrapped token comes with the name to give`() throws {
    let named = try Scenario.explain { $0.token = Array(Scenario.mpgs($0.quotedToken).utf8) }
    #expect(named.diagnosis == .wrappedInEnvelope)
    #expect(named.subject == "sourceOfFunds.provided.card.devicePayment.paymentToken (--envelope mpgs)")
    let parts = try Scenario.explain {
      try $0.sendParts()
      $0.policy = VerificationPolicy()
    }
    #expect(parts.diagnosis == .wrappedInEnvelope)
    #expect(parts.subject == "mobilePaymentMethodSpecificInput (--envelope worldline)")
    let unknown = try Scenario.explain { $0.token = Array(#"{"wallet":{"blob":\#($0.tokenText)}}"#.utf8) }
    #expect(unknown.subject == "wallet.blob")
  }

  @Test func `what is wrong with a request is told with its place`() throws {
    let subjects: [(Diagnosis, String)] = [
      (.ambiguousEnvelope, "mpgs, bambora"), (.noTokenInRequest, "token.paymentData, paymentData"),
      (.severalTokensInRequest, "token.paymentData, paymentData"), (.contradictingField, "order.walletProvider"),
      (.wrongTypeInRequest, "sourceOfFunds.provided.card.devicePayment.paymentToken"),
      (.invalidBase64InRequest, "apple_pay.payment_token"), (.otherTransaction, "transactionIdentifier"),
    ]
    for (diagnosis, subject) in subjects {
      let prepared = try #require(PreparedScenario.envelopes.first { $0.diagnosis == diagnosis })
      #expect(try Scenario.explain(prepared.prepare).subject == subject)
    }
    let others = PreparedScenario.envelopes.filter { $0.diagnosis == .otherEnvelope }
    #expect(try others.map { try Scenario.explain($0.prepare).subject } == ["mpgs", "apple"])
    let repeated = PreparedScenario.envelopes.filter { $0.diagnosis == .repeatedNameInRequest }
    #expect(
      try repeated.map { try Scenario.explain($0.prepare).subject }
        == ["sourceOfFunds", "mobilePaymentMethodSpecificInput.publicKeyHash"])
  }

  @Test func `a part under two names is named with both, be they other strings or no strings`() throws {
    let path = "mobilePaymentMethodSpecificInput."
    for value in [JSONValue.string("x"), .raw("1")] {
      let explanation = try Scenario.explain { try $0.sendParts { $0["ephemeralKey"] = value } }
      #expect(explanation.diagnosis == .contradictingParts)
      #expect(explanation.subject == "\(path)ephemeralPublicKey, \(path)ephemeralKey")
    }
    let product = try Scenario.explain { try $0.sendParts { $0["paymentProductId"] = .string("302") } }
    #expect(product.diagnosis == .contradictingField && product.subject == path + "paymentProductId")
    #expect(product.sentence.contains("a string for a number"))
    #expect(try findings(product, at: .envelope).last?.expected == "the number 302")
  }

  /// These tokens are signed: the signature is in the token that the part holds.
  @Test func `a part with a whole token is named, and unsigned tokens are not suggested`() throws {
    for prepared in PreparedScenario.heldTokens {
      let explanation = try Scenario.explain(prepared.prepare)
      #expect(explanation.subject.map { prepared.name.contains(" as \($0),") } ?? false, "\(prepared.name)")
      #expect(!explanation.sentence.contains("--unsigned"))
      #expect(explanation.command != nil)
    }
    let members = try PreparedScenario.tokensInTokens.map { try Scenario.explain($0.prepare).subject }
    #expect(members == ["data", "signature", "header.transactionId", "header"])
  }

  @Test func `a signature in another place is named, and unsigned tokens are not suggested`() throws {
    let layers = try ScenarioTests.minter.get().layers()
    let signature = Base64.encode(layers.signature)
    let sealed = #"{"data":"\#(Base64.encode(layers.data))","signature":"\#(signature)"}"#
    let part = "mobilePaymentMethodSpecificInput"
    let places: [(String, String, JSONValue)] = [
      ("Signature", "\(part).Signature", .string(signature)),
      ("header", "\(part).header.signature", .raw(#"{"signature":"\#(signature)"}"#)),
      ("encryptedPaymentData", "\(part).encryptedPaymentData", .string(sealed)),
      ("encryptedPaymentData", "\(part).encryptedPaymentData", .string(Base64.encode(Array(sealed.utf8)))),
    ]
    func explain(_ name: String, _ value: JSONValue) throws -> Explanation {
      try Scenario.explain {
        try $0.sendParts { $0[name] = value }
        $0.allowsUnsigned = false
      }
    }
    for (name, path, value) in places {
      let explanation = try explain(name, value)
      #expect(explanation.diagnosis == .missingSignature && explanation.subject == path)
      #expect(!explanation.sentence.contains("--unsigned"))
    }
    // A value that is no signature.
    #expect(try explain("Signature", .string(Base64.encode(layers.data))).diagnosis == .unsignedNotAllowed)
  }

  @Test func `nothing of a request is quoted`() throws {
    var request = ""
    let explanation = try Scenario.explain {
      let order = #""order":{"walletProvider":"a secret of the client"},"#
      $0.send(Scenario.mpgs($0.quotedToken, beside: order), from: .automatic)
      request = String(decoding: $0.token, as: UTF8.self)
    }
    let search = try SecretSearch(for: ["a secret"], from: request)
    #expect(try search.findings(in: explanation.everything, marked: "the string APPLE_PAY") == [])
    #expect(try findings(explanation, at: .envelope).last?.expected == "the string APPLE_PAY")
  }

  @Test func `an unsigned token is accepted loudly`() throws {
    var plaintext = ""
    let explanation = try Scenario.explain {
      try $0.sendParts()
      plaintext = String(decoding: try $0.minter.layers().plaintext, as: UTF8.self)
    }
    #expect(explanation.accepted)
    #expect(explanation.isSigned == false)
    #expect(explanation.sentence.contains("IS UNSIGNED"))
    let omitted = explanation.checks.filter { $0.outcome == .omitted }
    #expect(omitted.map(\.stage.rawValue) == [5, 6, 7, 8, 9])
    #expect(omitted.first?.findings.first?.found.contains("origin of the token is unknown") == true)
    let search = try SecretSearch(for: ["4111111111111111"], from: plaintext)
    #expect(try search.findings(in: explanation.everything, marked: "origin of the token is unknown") == [])
  }
}

extension Explanation {
  /// All that it says, and whatever else it holds.
  var everything: String {
    var text = ""
    dump(self, to: &text)
    return text
  }
}

import Explanation
import Gateways
import Minting
import PaymentToken

extension Scenario {
  /// The token's JSON.
  var tokenText: String { String(decoding: token, as: UTF8.self) }

  /// The token's JSON as a JSON string.
  var quotedToken: String { String(decoding: JSONText.quoted(tokenText), as: UTF8.self) }

  /// Puts a request in the token's place, to be read by an envelope.
  mutating func send(_ request: String, from selection: EnvelopeSelection) {
    token = Array(request.utf8)
    policy = VerificationPolicy(envelope: selection)
  }

  /// Worldline's request without a signature, its parts changed.
  mutating func sendParts(_ changes: (inout JSONObject) -> Void = { _ in }) throws {
    let layers = try minter.layers()
    var parts = JSONObject()
    parts["paymentProductId"] = .raw("302")
    parts["encryptedPaymentData"] = .string(Base64.encode(layers.data))
    parts["ephemeralPublicKey"] = .string(Base64.encode(layers.ephemeralPublicKey))
    parts["publicKeyHash"] = .string(Base64.encode(layers.publicKeyHash))
    parts["transactionId"] = .string(Hex.encode(layers.transactionId))
    changes(&parts)
    let request = JSONObject([.init("mobilePaymentMethodSpecificInput", .object(parts))])
    send(String(decoding: JSONValue.object(request).text(), as: UTF8.self), from: .named(.worldline))
    allowsUnsigned = true
  }

  static func mpgs(_ paymentToken: String, beside: String = "") -> String {
    """
    {\(beside)"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":\(paymentToken)}}}}}
    """
  }
}

extension PreparedScenario {
  // MARK: A whole token in the place of one of its members

  private static let wholeTokens: [(name: String, write: @Sendable (Scenario) -> JSONValue)] = [
    ("the token's JSON", { .string($0.tokenText) }),
    ("its base64", { .string(Base64.encode($0.token)) }),
    ("its hexadecimal", { .string(Hex.encode($0.token)) }),
    ("the token object", { .raw($0.tokenText) }),
    ("the JSON of a payment", { .string(#"{"paymentData":\#($0.tokenText)}"#) }),
  ]

  /// In each of three parts, with and without --unsigned.
  static let heldTokens = wholeTokens.flatMap { name, write in
    ["encryptedPaymentData", "signature", "publicKeyHash"].flatMap { part in
      [true, false].map { allowsUnsigned in
        PreparedScenario(.tokenInMember, "\(name) as \(part), \(allowsUnsigned ? "unsigned" : "signed")") {
          let value = write($0)
          let signature = Base64.encode(try $0.minter.layers().signature)
          try $0.sendParts {
            if !allowsUnsigned, part != "encryptedPaymentData" { $0["signature"] = .string(signature) }
            $0[part] = value
          }
          $0.allowsUnsigned = allowsUnsigned
        }
      }
    }
  }

  static let tokensInTokens = [
    PreparedScenario(.tokenInMember, "base64 of the token as its data, beside the signature") {
      let token = $0.token
      try $0.convert(.data) { _ in Base64.encode(token) }
    },
    PreparedScenario(.tokenInMember, "the token's JSON as its signature") {
      let token = $0.tokenText
      try $0.convert(.signature) { _ in token }
    },
    PreparedScenario(.tokenInMember, "the token's JSON as its transactionId") {
      let token = $0.tokenText
      try $0.header { $0["transactionId"] = .string(token) }
    },
    PreparedScenario(.tokenInMember, "the token as its header") {
      let token = $0.tokenText
      try $0.json { $0["header"] = .raw(token) }
    },
  ]

  // MARK: The request

  static let envelopes: [PreparedScenario] = [
    PreparedScenario(.sound, "the request of a page, found out") {
      $0.send(#"{"token":{"paymentData":\#($0.tokenText)}}"#, from: .automatic)
    },
    PreparedScenario(.sound, "a gateway's request, named") {
      $0.send(Scenario.mpgs($0.quotedToken), from: .named(.mpgs))
    },
    PreparedScenario(.requestTooLarge, "a picture, and a gateway named") {
      $0.send(String(repeating: "A", count: 65_537), from: .named(.mpgs))
    },
    PreparedScenario(.requestNotJSON, "a cut request") {
      $0.send(String(Scenario.mpgs($0.quotedToken).dropLast(3)), from: .named(.mpgs))
    },
    PreparedScenario(.ambiguousEnvelope, "two gateways' members in one request") {
      $0.send(Scenario.mpgs("1", beside: #""apple_pay":{"payment_token":""},"#), from: .automatic)
    },
    PreparedScenario(.otherEnvelope, "one gateway's request, another named") {
      $0.send(Scenario.mpgs($0.quotedToken), from: .named(.bambora))
    },
    PreparedScenario(.otherEnvelope, "the token itself, a gateway named") {
      $0.send($0.tokenText, from: .named(.mpgs))
    },
    PreparedScenario(.noTokenInRequest, "a request of no gateway") {
      $0.send(#"{"payment":{"token":1}}"#, from: .named(.applepayjs))
    },
    PreparedScenario(.severalTokensInRequest, "the token at both places") {
      let token = $0.tokenText
      $0.send(#"{"token":{"paymentData":\#(token)},"paymentData":\#(token)}"#, from: .named(.applepayjs))
    },
    PreparedScenario(.repeatedNameInRequest, "sourceOfFunds twice") {
      $0.send(Scenario.mpgs("1", beside: #""sourceOfFunds":{},"#), from: .named(.mpgs))
    },
    PreparedScenario(.repeatedNameInRequest, "a part twice") {
      try $0.sendParts { $0.append("publicKeyHash", .raw("1")) }
    },
    PreparedScenario(.wrongTypeInRequest, "the token as an object where a string is documented") {
      $0.send(Scenario.mpgs($0.tokenText), from: .named(.mpgs))
    },
    PreparedScenario(.invalidBase64InRequest, "the token's JSON where base64 is documented") {
      $0.send(#"{"apple_pay":{"payment_token":\#($0.quotedToken)}}"#, from: .named(.bambora))
    },
    PreparedScenario(.contradictingField, "a request for another wallet") {
      let order = #""order":{"walletProvider":"GOOGLE_PAY"},"#
      $0.send(Scenario.mpgs($0.quotedToken, beside: order), from: .automatic)
    },
    PreparedScenario(.contradictingField, "a string where a number is documented") {
      try $0.sendParts { $0["paymentProductId"] = .string("302") }
    },
    PreparedScenario(.contradictingParts, "a key under both of its names, and not the same") {
      try $0.sendParts { $0["ephemeralKey"] = .string("x") }
    },
    PreparedScenario(.otherTransaction, "an identifier of another payment") {
      let identifier = #","transactionIdentifier":"\#(String(repeating: "0", count: 64))""#
      $0.send(#"{"paymentData":\#($0.tokenText)\#(identifier)}"#, from: .automatic)
    },
    PreparedScenario(.wrappedInEnvelope, "an envelope in an envelope") {
      $0.send(#"{"paymentData":{"paymentData":\#($0.tokenText)}}"#, from: .named(.applepayjs))
    },
    PreparedScenario(.doubleEncodedJSON, "JSON.stringify twice, within a request") {
      let text = String(decoding: JSONText.quoted($0.quotedToken), as: UTF8.self)
      $0.send(Scenario.mpgs(text), from: .named(.mpgs))
    },
    PreparedScenario(.hexInsteadOfBase64, "a part as hexadecimal") {
      let hash = Hex.encode(try $0.minter.layers().publicKeyHash)
      try $0.sendParts { $0["publicKeyHash"] = .string(hash) }
    },
    PreparedScenario(.signedMemberAltered, "parts with another transactionId") {
      let signature = Base64.encode(try $0.minter.layers().signature)
      try $0.sendParts {
        $0["signature"] = .string(signature)
        $0["transactionId"] = .string(String(repeating: "0", count: 64))
      }
    },
    PreparedScenario(.printedTextLostBytes, "a part that JavaScript printed") {
      try $0.sendParts { $0["encryptedPaymentData"] = .string("[object Object]") }
      $0.allowsUnsigned = false
    },
    PreparedScenario(.unsignedToken, "Worldline's request, taken unsigned") { try $0.sendParts() },
    PreparedScenario(.unsignedNotAllowed, "Worldline's request, and --unsigned not given") {
      try $0.sendParts()
      $0.allowsUnsigned = false
    },
    PreparedScenario(.unsignedReplay, "an unsigned request, and replays to be detected") {
      try $0.sendParts()
      let store = MemoryReplayStore(capacity: 8)
      $0.policy = VerificationPolicy(
        envelope: .named(.worldline), freshness: .window(seconds: 300, replay: store))
    },
    PreparedScenario(.noKeyLoaded, "an unsigned request, and no key") {
      try $0.sendParts()
      $0.files = []
    },
    PreparedScenario(.merchantIDFound, "an unsigned request, and the merchant ID wrong") {
      try $0.sendParts()
      $0.files.removeLast()
      $0.merchantIDs = ["merchant.other"]
      $0.candidates = ["merchant.test.assay.one"]
    },
    PreparedScenario(.otherOrder, "an unsigned request of another amount") {
      try $0.sendParts()
      $0.policy = VerificationPolicy(
        envelope: .named(.worldline), expectations: Expectations(transactionAmount: 1))
    },
  ]
}

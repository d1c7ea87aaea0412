import Foundation
import Gateways
import HostIO
import PaymentToken
import TestSupport
import Testing
import TokenScanning

/// The builders of requests and the styles they are written in.
@Suite struct RequestTests {
  static let token =
    Array(
      #"{"data":"AA\/+","signature":"BB==","header":{"publicKeyHash":"CC==","ephemeralPublicKey":"DD==","#.utf8)
    + Array(#""transactionId":"00ff","unknown":{"a":[1,"} \" {"]}},"version":"EC_v1"}"#.utf8)

  private func document(_ request: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request)) as? [String: Any])
  }

  private func value(_ object: Any?, _ path: String...) -> Any? {
    path.reduce(object) { ($0 as? [String: Any])?[$1] }
  }

  private func form(_ gateway: Gateway, _ index: Int = 0) throws -> [String: Any] {
    try document(gateway.forms[index].request(around: Self.token))
  }

  @Test func `each gateway is found by its name, its envelope's, and has requests whose names are unique`() {
    #expect(Gateway.all.map(\.envelope) == Envelope.all.filter { $0 != .apple })
    for gateway in Gateway.all {
      #expect(Gateway.named(gateway.name)?.title == gateway.title)
      #expect(Set(gateway.forms.map(\.name)).count == gateway.forms.count)
      #expect(!gateway.signedForms.isEmpty)
    }
    #expect(Gateway.named("apple") == nil)
  }

  @Test func `Apple Pay JS encloses the token object, in a payment or alone`() throws {
    let payment = try form(.applepayjs)
    #expect(value(payment, "token", "paymentData", "version") as? String == "EC_v1")
    #expect(value(payment, "token", "transactionIdentifier") as? String == "00ff")
    #expect(value(payment, "token", "paymentMethod", "network") as? String == "Visa")
    let alone = try form(.applepayjs, 1)
    #expect(value(alone, "paymentData", "header", "publicKeyHash") as? String == "CC==")
    #expect(value(alone, "transactionIdentifier") as? String == "00ff")
  }

  @Test func `contacts stand beside the token with their empty members left out`() throws {
    let token = EnclosedToken(Self.token)
    var order = OrderFields()
    var contact = PaymentContact()
    contact.givenName = "Zoë"
    contact.addressLines = ["1 Main St", "Suite \"2\""]
    order.billingContact = contact
    let document = try document(ApplePayJSRequest.json(for: order, around: token).text())
    #expect(value(document, "billingContact", "givenName") as? String == "Zoë")
    #expect(value(document, "billingContact", "addressLines") as? [String] == ["1 Main St", "Suite \"2\""])
    #expect(value(document, "billingContact", "familyName") == nil)
    #expect(value(document, "shippingContact") == nil)
  }

  @Test func `Worldline has the parts, and the signature only where it is asked for`() throws {
    let unsigned = try form(.worldline)
    #expect(value(unsigned, "order", "amountOfMoney", "amount") as? Int == 1_250)
    #expect(value(unsigned, "order", "amountOfMoney", "currencyCode") as? String == "EUR")
    let parts = try #require(value(unsigned, "mobilePaymentMethodSpecificInput") as? [String: Any])
    #expect(parts["paymentProductId"] as? Int == 302)
    #expect(parts["encryptedPaymentData"] as? String == "AA/+")
    #expect(parts["authorizationMode"] as? String == "FINAL_AUTHORIZATION")
    #expect(parts["signature"] == nil && parts["transactionId"] == nil)
    let signed = try form(.worldline, 1)
    #expect(value(signed, "mobilePaymentMethodSpecificInput", "signature") as? String == "BB==")
    #expect(value(signed, "mobilePaymentMethodSpecificInput", "transactionId") as? String == "00ff")
  }

  @Test func `AlphaPay has the payment's identifiers beside the token object`() throws {
    let request = try form(.alphapay)
    #expect(request["paymentId"] as? String == "order-1")
    #expect(request["customerId"] as? String == "customer-1")
    #expect(value(request, "token", "paymentData", "data") as? String == "AA/+")
  }

  @Test func `Mastercard Gateway has the token's text in a string, and names the operation but for UPDATE SESSION`()
    throws
  {
    let names = try (0..<3).map { try form(.mpgs, $0)["apiOperation"] as? String }
    #expect(names == ["AUTHORIZE", "PAY", nil])
    let request = try form(.mpgs)
    let text = value(request, "sourceOfFunds", "provided", "card", "devicePayment", "paymentToken") as? String
    #expect(text.map { Array($0.utf8) } == Self.token)
    #expect(value(request, "order", "amount") as? String == "12.50")
    #expect(value(request, "order", "walletProvider") as? String == "APPLE_PAY")
    #expect(value(request, "sourceOfFunds", "type") as? String == "CARD")
  }

  @Test func `Bambora has base64 of the token`() throws {
    let request = try form(.bambora)
    let text = try #require(value(request, "apple_pay", "payment_token") as? String)
    #expect(Data(base64Encoded: text).map { [UInt8]($0) } == Self.token)
    #expect(request["payment_method"] as? String == "apple_pay")
    #expect(value(request, "apple_pay", "complete") == nil)
    #expect(value(try form(.bambora, 1), "apple_pay", "complete") as? Bool == false)
  }

  @Test func `an indented token breaks lines outside of strings alone, as carriage return, line feed and tab`() throws {
    let indented = EnclosedToken(Self.token).indented
    #expect(indented.text.starts(with: Array("{\r\n\t\"data\": \"AA".utf8)))
    #expect(indented.members[.data] == Array(#""AA\/+""#.utf8))
    var style = RequestStyle()
    style.indentsToken = true
    var random = SplitMix64(seed: 1)
    let request = Gateway.mpgs.forms[0].request(around: Self.token, in: style, using: &random)
    #expect(String(decoding: request, as: UTF8.self).contains(#"paymentToken":"{\r\n\t\"data\": \"AA\\/+\",\r\n\t\"#))
  }

  @Test func `a thousand styled requests are strict JSON, and one seed gives one request`() throws {
    var changed = 0
    for seed in UInt64(0)..<1_000 {
      let gateway = Gateway.all[Int(seed) % Gateway.all.count]
      let form = gateway.forms[Int(seed / 5) % gateway.forms.count]
      func requests() -> (styled: [UInt8], plain: [UInt8]) {
        var random = SplitMix64(seed: seed)
        let (details, style) = (RequestDetails.random(using: &random), RequestStyle.random(using: &random))
        let styled = form.request(around: Self.token, details, in: style, using: &random)
        return (styled, form.request(around: Self.token, details))
      }
      let (bytes, plainBytes) = requests()
      #expect(bytes == requests().styled)
      var scanner = JSONScanner(bytes.span)
      #expect(throws: Never.self, "seed \(seed), \(gateway.name)") {
        scanner.skipWhitespace()
        try scanner.skipValue(depth: 0)
        try scanner.expectEnd()
      }
      let plain = try document(plainBytes)
      let styled = try document(bytes)
      #expect(Set(plain.keys).isSubset(of: styled.keys))
      if bytes != plainBytes { changed += 1 }
    }
    #expect(changed > 900, "\(changed)")
  }
}

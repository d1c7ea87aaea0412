import Explanation
import Foundation
import Gateways
import Minting
import PaymentToken

/// A way in which the text of a token is spoilt or wrapped before it is explained, and the diagnosis.
struct Wrapping: Sendable {
  let diagnosis: Diagnosis
  /// What happened, in the user's words.
  let name: String
  /// Whether a command that takes it off has to be named.
  let hasCommand: Bool
  let wrap: @Sendable (String) throws -> String

  init(
    _ diagnosis: Diagnosis, _ name: String, hasCommand: Bool = true,
    _ wrap: @escaping @Sendable (String) throws -> String
  ) {
    self.diagnosis = diagnosis
    self.name = name
    self.hasCommand = hasCommand
    self.wrap = wrap
  }

  static let all =
    quoted + encoded + printed + damaged + requests + simulated + otherWallets + others + nested
    + printers + nearMisses

  // MARK: JSON around JSON

  private static let quoted = [
    Wrapping(.tokenInArray, "an array of one token") { "[\($0)]" },
    Wrapping(.doubleEncodedJSON, "the token in quotes") { quote($0) },
    Wrapping(.doubleEncodedJSON, "the token in quotes twice") { quote(quote($0)) },
    Wrapping(.base64EncodedToken, "base64 in quotes") { "\"\(base64($0))\"" },
    Wrapping(.paymentDataAsString, "Apple Pay JS with paymentData as a string") {
      #"{"token":{"paymentData":\#(quote($0)),"paymentMethod":{"network":"visa"}}}"#
    },
    Wrapping(.paymentDataAsString, "the token object with paymentData as base64") {
      #"{"paymentData":"\#(base64($0))"}"#
    },
    Wrapping(.wrappedInEnvelope, "an array of payments") { #"[{"payment":{"data":\#($0)}}]"# },
    Wrapping(.severalDocuments, "a line for each token") { "\($0)\n\($0)\n" },
  ]

  // MARK: Other encodings

  private static let encoded = [
    Wrapping(.base64EncodedToken, "base64 in lines") { lines(of: base64($0), count: 76) },
    Wrapping(.base64EncodedToken, "base64 of the URL alphabet without padding") {
      base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    },
    Wrapping(.percentEncodedToken, "percent-encoded from the first character to the last") { percent($0) },
    Wrapping(.formBody, "a form with the token") { "id=1&paymentData=\(percent($0))&x=" },
    Wrapping(.formBody, "a form with base64 of the token") { "token[data]=\(percent(base64($0)))" },
    Wrapping(.otherGatewayRequest, "Stripe's form") { "pk_token=\(percent($0))&pk_token_payment_network=Visa" },
    Wrapping(.hexEncodedToken, "hexadecimal in lines") { lines(of: Hex.encode($0.utf8), count: 60) },
    Wrapping(.pemArmour, "PEM armour") {
      "-----BEGIN APPLE PAY TOKEN-----\n\(lines(of: base64($0), count: 64))\n-----END APPLE PAY TOKEN-----\n"
    },
    Wrapping(.keyFileAsToken, "the certificate's file", hasCommand: false) { _ in
      "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    },
  ]

  // MARK: As programs print it

  private static let printed = [
    Wrapping(.phpVarDump, "var_dump of the decoded token", hasCommand: false) {
      "array(4) {\n"
        + (try strings(of: $0).map { "  [\"\($0)\"]=>\n  string(\($1.utf8.count)) \"\($1)\"\n" }.joined()) + "}\n"
    },
    Wrapping(.phpVarDump, "var_dump of the token's text") { "string(\($0.utf8.count)) \"\($0)\"\n" },
    Wrapping(.phpPrintR, "print_r of the decoded token", hasCommand: false) {
      "Array\n(\n" + (try strings(of: $0).map { "    [\($0)] => \($1)\n" }.joined()) + ")\n"
    },
    Wrapping(.rubyHash, "a Ruby hash") { $0.replacing("\":", with: "\"=>") },
    Wrapping(.rubyHash, "a Ruby hash of symbols, with spaces") {
      $0.replacing(/"([A-Za-z]+)":/) { ":\($0.1) => " }
    },
    Wrapping(.pythonDict, "a Python dict") { $0.replacing("\"", with: "'") },
    Wrapping(.objectLiteral, "JavaScript's console") {
      $0.replacing(/"([A-Za-z]+)":/) { "\($0.1): " }.replacing("\"", with: "'")
    },
    Wrapping(.curlCommand, "a curl line") { "curl -X POST https://shop.example/pay -H 'Accept: */*' -d '\($0)'" },
    Wrapping(.surroundedByText, "a log line") { "2026-01-01T00:00:00Z INFO [pay-1] token=\($0) (accepted)" },
    Wrapping(.surroundedByText, "a log line with escaped quotation marks") { "level=info msg=\(quote($0))" },
  ]

  // MARK: Damage

  private static let damaged = [
    Wrapping(.trailingComma, "a comma before the last bracket") { "\($0.dropLast()),\n}" },
    Wrapping(.lineBreakInString, "a mail program breaks lines") { lines(of: $0, count: 70) },
    Wrapping(.spacesForPluses, "plus signs turned into spaces") { $0.replacing("+", with: " ") },
    Wrapping(.changedMemberNames, "snake_case members") {
      $0.replacing("publicKeyHash", with: "public_key_hash").replacing("transactionId", with: "transaction_id")
        .replacing("ephemeralPublicKey", with: "ephemeral_public_key").replacing("wrappedKey", with: "wrapped_key")
    },
    Wrapping(.changedMemberNames, "members in capitals") {
      $0.replacing("\"version\"", with: "\"Version\"").replacing("\"data\"", with: "\"Data\"")
        .replacing("\"signature\"", with: "\"Signature\"").replacing("\"header\"", with: "\"Header\"")
    },
    Wrapping(.changedMemberNames, "all of it in capitals", hasCommand: false) { $0.uppercased() },
    Wrapping(.changedMemberNames, "all of it in small letters", hasCommand: false) { $0.lowercased() },
    Wrapping(.tokenInArray, "an array of a token in capitals", hasCommand: false) { "[\($0.uppercased())]" },
    Wrapping(.tokenAsMemberName, "a JSON body read as a form", hasCommand: false) { "{\(quote($0)):\"\"}" },
    Wrapping(.dataAlone, "data alone", hasCommand: false) { try member("data", of: $0) },
    Wrapping(.dataAlone, "data alone in quotes", hasCommand: false) { "\"\(try member("data", of: $0))\"" },
    Wrapping(.signatureAlone, "signature alone", hasCommand: false) { try member("signature", of: $0) },
    Wrapping(.byteOrderMark, "a byte-order mark") { "\u{FEFF}\($0)" },
  ]

  // MARK: Requests of gateways

  private static let requests = [
    Wrapping(.otherGatewayRequest, "Adyen's request") {
      #"{"amount":{"value":1},"paymentMethod":{"type":"applepay","applePayToken":"\#(base64($0))"}}"#
    },
    Wrapping(.otherGatewayRequest, "Adyen's request of the Classic API") {
      #"{"additionalData":{"payment.token":\#(quote($0))}}"#
    },
    Wrapping(.otherGatewayRequest, "Braintree's request") {
      #"{"applePaymentToken":{"paymentData":"\#(base64($0))","transactionIdentifier":"1"}}"#
    },
    Wrapping(.otherGatewayRequest, "Cybersource's request") {
      #"{"paymentInformation":{"fluidData":{"value":"\#(base64($0))","encoding":"Base64"}}}"#
    },
    Wrapping(.otherGatewayRequest, "Stripe's fields as JSON") { #"{"pk_token":\#(quote($0))}"# },
  ]

  // MARK: Simulators

  private static let simulated = [
    Wrapping(.simulatorToken, "paymentData {}", hasCommand: false) { _ in #"{"token":{"paymentData":{}}}"# },
    Wrapping(.simulatorToken, "paymentData as an empty string", hasCommand: false) { _ in #"{"paymentData":""}"# },
    Wrapping(.simulatorToken, "nothing but {}", hasCommand: false) { _ in "{}" },
    Wrapping(.simulatorToken, "blank members", hasCommand: false) { _ in
      #"{"version":"EC_v1","data":"","signature":"","header":{"publicKeyHash":"","transactionId":""}}"#
    },
    Wrapping(.simulatorToken, "a Simulated Identifier", hasCommand: false) { _ in
      #"{"token":{"transactionIdentifier":"Simulated Identifier","paymentMethod":{"network":"AmEx"}}}"#
    },
  ]

  // MARK: Another wallet

  private static let googlePay =
    #"{"signature":"MEUC","protocolVersion":"ECv2","signedMessage":"{\"encryptedMessage\":\"AAAA\"}"}"#

  private static let otherWallets = [
    Wrapping(.otherWallet, "a token of Google Pay", hasCommand: false) { _ in googlePay },
    Wrapping(.otherWallet, "an array of one of Google Pay", hasCommand: false) { _ in "[\(googlePay)]" },
    Wrapping(.otherWallet, "Google Pay's PaymentData", hasCommand: false) { _ in
      #"{"apiVersion":2,"paymentMethodData":{"tokenizationData":{"token":\#(quote(googlePay))}}}"#
    },
    Wrapping(.otherWallet, "a request with a token of Google Pay", hasCommand: false) { _ in
      #"{"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":\#(quote(googlePay))}}}}}"#
    },
    Wrapping(.otherWallet, "Cybersource's field with a token of Google Pay", hasCommand: false) { _ in
      #"{"paymentInformation":{"fluidData":{"value":"\#(base64(googlePay))"}}}"#
    },
  ]

  // MARK: No token at all

  private static let others = [
    Wrapping(.otherJSON, "an array without a token", hasCommand: false) { _ in "[1, 2]" },
    Wrapping(.otherJSON, "a JSON string without a token", hasCommand: false) { _ in #""hello""# },
    Wrapping(.otherJSON, "null", hasCommand: false) { _ in "null" },
    Wrapping(.otherJSON, "an object without a token", hasCommand: false) { _ in #"{"status":"ok"}"# },
    Wrapping(.unknownText, "a sentence", hasCommand: false) { _ in "Payment not completed" },
  ]

  // MARK: Text

  private struct NoSuchMember: Error {}

  static func quote(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  static func percent(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  static func lines(of text: String, count: Int) -> String {
    let characters = Array(text)
    return stride(from: 0, to: characters.count, by: count).map { start in
      String(characters[start..<min(start + count, characters.count)])
    }.joined(separator: "\n")
  }

  /// The members of the token object that are strings, by name.
  private static func strings(of token: String) throws -> [(String, String)] {
    let object = try JSONSerialization.jsonObject(with: Data(token.utf8)) as? [String: Any] ?? [:]
    return object.compactMap { name, value in (value as? String).map { (name, $0) } }.sorted { $0.0 < $1.0 }
  }

  static func member(_ name: String, of token: String) throws -> String {
    guard let value = try strings(of: token).first(where: { $0.0 == name })?.1 else { throw NoSuchMember() }
    return value
  }
}

extension PreparedScenario {
  /// A row of the table for each wrapping of a minted token.
  static let wrappings = Wrapping.all.map { wrapping in
    PreparedScenario(wrapping.diagnosis, wrapping.name) {
      $0.send(try wrapping.wrap($0.text), from: .automatic)
    }
  }

  // MARK: The signature's CMS

  static let signatureForms = [
    PreparedScenario(.embeddedContent, "an attached signature") {
      try $0.signature { $0.encapsulated.children.append(.context(0, [.octetString([1, 2, 3])])) }
    },
    PreparedScenario(.embeddedContent, "an attached signature as OpenSSL streams it") {
      try $0.signature { tree in
        let part = ASN1Node(identifier: [0x24], length: .indefinite, body: .constructed([.octetString([1, 2, 3])]))
        tree.encapsulated.children.append(.context(0, [part]))
      }
    },
    PreparedScenario(.malformedSignature, "a signature of two signers") {
      try $0.signature { $0.signerInfos.children.append($0.signerInfo) }
    },
  ]
}

extension Scenario {
  /// Edits the tree of the CMS.
  mutating func signature(_ edit: @escaping @Sendable (inout ASN1Node) -> Void) throws {
    try signed { $0.signatureRecipe.editTree = edit }
  }
}

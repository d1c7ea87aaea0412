import Explanation
import Foundation
import PaymentToken

/// Wrappings in wrappings, and inputs that are nearly something else.
extension Wrapping {
  // MARK: With a token inside

  static let nested = layered + inDocuments + inText + repaired

  private static func payment(_ token: String) -> String {
    #"{"paymentData":\#(token),"paymentMethod":{"network":"Visa"}}"#
  }

  private static let layered = [
    Wrapping(.base64EncodedToken, "base64 of base64") { base64(base64($0)) },
    Wrapping(.base64EncodedToken, "base64 of a payment of Apple Pay JS") { base64(payment($0)) },
    Wrapping(.base64EncodedToken, "base64 in lines with CRLF") {
      lines(of: base64($0), count: 76).replacing("\n", with: "\r\n")
    },
    Wrapping(.base64EncodedToken, "base64 in indented lines") {
      "  " + lines(of: base64($0), count: 60).replacing("\n", with: "\n\t")
    },
    Wrapping(.hexEncodedToken, "hexadecimal of base64") { Hex.encode(base64($0).utf8) },
    Wrapping(.hexEncodedToken, "hexadecimal after 0x") { "0x" + Hex.encode($0.utf8) },
    Wrapping(.pemArmour, "PEM with CRLF") {
      "-----BEGIN T-----\r\n\(lines(of: base64($0), count: 64).replacing("\n", with: "\r\n"))\r\n-----END T-----\r\n"
    },
    Wrapping(.pemArmour, "indented PEM") {
      "-----BEGIN T-----\n  \(lines(of: base64($0), count: 64).replacing("\n", with: "\n  "))\n-----END T-----\n"
    },
    Wrapping(.pemArmour, "PEM on one line") { "-----BEGIN T----- \(base64($0)) -----END T-----" },
    Wrapping(.byteOrderMark, "an array after a byte-order mark") { "\u{FEFF}[\($0)]" },
    Wrapping(.formBody, "a form, encoded twice") { "token=\(percent(percent($0)))" },
    Wrapping(.formBody, "a form with base64 of the URL alphabet without padding") {
      "token=" + base64($0).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    },
    Wrapping(.formBody, "a form with the field twice, first empty") { "token=&token=\(percent($0))" },
    Wrapping(.doubleEncodedJSON, "escaped JSON over several lines") {
      String(quote($0.replacing(",", with: ",\n")).replacing("\n", with: "\\n").dropFirst().dropLast())
    },
    Wrapping(.doubleEncodedJSON, "escaped JSON with a line end of Windows") {
      quote($0).dropFirst().dropLast() + "\r\n"
    },
    Wrapping(.doubleEncodedJSON, "JSON that is escaped twice") {
      String(quote(String(quote($0).dropFirst().dropLast())).dropFirst().dropLast())
    },
  ]

  private static let inDocuments = [
    Wrapping(.surroundedByText, "a log line in JSON") { #"{"level":"info","msg":\#(quote("token: \($0)"))}"# },
    Wrapping(.byteArray, "an array of bytes") { "[\($0.utf8.map { "\($0)" }.joined(separator: ", "))]" },
    Wrapping(.byteArray, "a Buffer as Node.js writes it") {
      #"{"type":"Buffer","data":[\#($0.utf8.map { "\($0)" }.joined(separator: ","))]}"#
    },
    Wrapping(.wrappedInEnvelope, "34 objects around the token") {
      String(repeating: #"{"a":"#, count: 34) + $0 + String(repeating: "}", count: 34)
    },
    Wrapping(.wrappedInEnvelope, "beside 70 other members") {
      "{" + (0..<70).map { "\"f\($0)\":1," }.joined() + "\"token\":\($0)}"
    },
    Wrapping(.wrappedInEnvelope, "beside the empty payment of a simulator") {
      #"{"a":{"paymentData":{}},"token":{"x":\#($0)}}"#
    },
    Wrapping(.wrongTypeInRequest, "behind an empty paymentData") { #"{"paymentData":"","backup":\#($0)}"# },
    Wrapping(.tokenInArray, "an array of a token in snake_case") {
      "[\($0.replacing("publicKeyHash", with: "public_key_hash"))]"
    },
    Wrapping(.wrappedInEnvelope, "a name that is a part of data", hasCommand: false) {
      #"{"\#(try member("data", of: $0).dropLast(2).suffix(40))":\#($0)}"#
    },
    Wrapping(.wrappedInEnvelope, "an empty name", hasCommand: false) { #"{"":\#($0)}"# },
  ]

  private static let inText = [
    Wrapping(.surroundedByText, "base64 in a log line") { "INFO token=\(base64($0)) (accepted)" },
    Wrapping(.surroundedByText, "a header with base64") { "Authorization: Bearer \(base64($0))" },
    Wrapping(.surroundedByText, "a file of settings") { "TOKEN=\($0)\n" },
    Wrapping(.surroundedByText, "text with braces after the token") { "\($0) trailing {x}" },
    Wrapping(.surroundedByText, "text with braces before the token") { "request {id: 5} \($0)" },
    Wrapping(.severalDocuments, "two tokens and a comma") { "\($0),\($0)" },
    Wrapping(.severalDocuments, "two tokens in a log") { "first \($0)\nsecond \($0)\n" },
    Wrapping(.severalDocuments, "another document first") { #"{"a":1} \#($0)"# },
  ]

  private static let repaired = [
    Wrapping(.quotedPrintableToken, "quoted-printable") {
      lines(of: $0, count: 60).replacing("=", with: "=3D").replacing("\n", with: "=\n")
    },
    Wrapping(.lineBreakInString, "lines with indentation") {
      lines(of: $0, count: 70).replacing("\n", with: "\n  ")
    },
    Wrapping(.rubyHash, "a Ruby hash with nil beside the token") {
      "{\"id\"=>nil, \"token\"=>\($0.replacing("\":", with: "\"=>"))}"
    },
    Wrapping(.changedMemberNames, "members in lower case") { $0.replacing(/"[A-Za-z]+":/) { "\($0.0)".lowercased() } },
    Wrapping(.changedMemberNames, "members in upper case") { $0.replacing(/"[A-Za-z]+":/) { "\($0.0)".uppercased() } },
    Wrapping(.changedMemberNames, "members in kebab-case") {
      $0.replacing("publicKeyHash", with: "public-key-hash").replacing("transactionId", with: "transaction-id")
    },
    Wrapping(.spacesForPluses, "a payment of Apple Pay JS with spaces for plus signs") {
      payment($0).replacing("+", with: " ")
    },
  ]

  // MARK: With nothing to take off

  static let nearMisses = [
    Wrapping(.malformedJSON, "a quotation mark in a string", hasCommand: false) {
      #"\#($0.dropLast()),"note":"5" TV"}"#
    },
    Wrapping(.malformedJSON, "a closing quotation mark is lost", hasCommand: false) { _ in #"{"data":"AAAA}"# },
    Wrapping(.jsonTooDeep, "40 arrays", hasCommand: false) { _ in
      #"{"a":\#(String(repeating: "[", count: 40))\#(String(repeating: "]", count: 40))}"#
    },
    Wrapping(.tooManyValues, "3,000 zeros", hasCommand: false) { _ in
      #"{"a":[\#(String(repeating: "0,", count: 3_000))0]}"#
    },
    Wrapping(.unknownText, "a long sentence", hasCommand: false) { _ in
      "the quick brown fox jumps over the lazy dog the quick brown fox jumps over"
    },
    Wrapping(.unknownText, "an MD5", hasCommand: false) { _ in "9e107d9d372bb6826bd81d3542a419d6" },
    Wrapping(.unknownText, "PEM with nothing inside", hasCommand: false) { _ in "-----BEGIN T-----\n-----END T-----\n"
    },
    Wrapping(.unknownText, "the transactionId alone", hasCommand: false) { try header("transactionId", of: $0) },
    Wrapping(.keyFileAsToken, "a key of OpenSSH", hasCommand: false) { _ in
      "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
    },
    Wrapping(.unknownText, "a form without a token", hasCommand: false) { _ in "amount=100&currency=EUR" },
    Wrapping(.truncatedJSON, "base64 of a token that is cut off", hasCommand: false) {
      base64(String($0.dropLast(300)))
    },
    Wrapping(.otherJSON, "a name that a simulator gives", hasCommand: false) { _ in #"{"name":"Simulated Identifier"}"#
    },
    Wrapping(.alteredBase64, "lost padding beside the name of a simulator") {
      #"{"paymentData":\#($0.replacing("=", with: "")),"paymentMethod":{"displayName":"Simulated Instrument"}}"#
    },
    Wrapping(.otherJSON, "Stripe's field with another token", hasCommand: false) { _ in #"{"pk_token":"tok_visa"}"# },
    Wrapping(.otherJSON, "Cybersource's field with something else", hasCommand: false) { _ in
      #"{"paymentInformation":{"fluidData":{"value":"x"}}}"#
    },
    Wrapping(.otherJSON, "two of the names of Google Pay's token", hasCommand: false) { _ in
      #"{"protocolVersion":"ECv2","signedMessage":"{}"}"#
    },
    Wrapping(.objectLiteral, "single quotes and null") {
      "{'id': null, 'paymentData': \($0.replacing("\"", with: "'"))}"
    },
    Wrapping(.pythonDict, "a Python dict with bytes") { "{'paymentData': b'\($0)'}" },
    Wrapping(.rubyHash, "a Ruby hash with nil in the token") {
      $0.replacing("\":", with: "\"=>").replacing("\"header\"=>{", with: "\"header\"=>{\"applicationData\"=>nil, ")
    },
  ]

  private struct NoSuchHeader: Error {}

  private static func header(_ name: String, of token: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(token.utf8)) as? [String: Any]
    guard let header = object?["header"] as? [String: Any], let value = header[name] as? String else {
      throw NoSuchHeader()
    }
    return value
  }
}

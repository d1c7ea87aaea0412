import Foundation
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Stage 13 on plaintexts that differ from a sound one in one member.
struct PayloadTests {
  private static let sound = """
    {"applicationPrimaryAccountNumber":"4111111111111111","applicationExpirationDate":"301231","currencyCode":"978",\
    "transactionAmount":1250,"deviceManufacturerIdentifier":"040010030273","paymentDataType":"3DSecure",\
    "paymentData":{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"7"}}
    """

  private func payment(_ text: String) -> Payment? {
    guard let document = try? JSONDocument(WipedBytes(Array(text.utf8).span)) else { return nil }
    return try? Payload(document, version: .ecV1).payment
  }

  /// The payment with the text of one member's value replaced, or the member left out.
  private func payment(_ name: String, _ value: String?) -> Payment? {
    let members: [(String, String)] = [
      ("applicationPrimaryAccountNumber", "\"4111111111111111\""), ("applicationExpirationDate", "\"301231\""),
      ("currencyCode", "\"978\""), ("transactionAmount", "1250"), ("deviceManufacturerIdentifier", "\"040010030273\""),
      ("paymentDataType", "\"3DSecure\""), ("paymentData", #"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"7"}"#),
    ]
    var kept = members.filter { $0.0 != name }
    if let value { kept.append((name, value)) }
    return payment("{" + kept.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
  }

  @Test func `a sound payload is read`() throws {
    let payment = try #require(self.payment(PayloadTests.sound))
    #expect(payment.applicationPrimaryAccountNumber == "4111111111111111")
    #expect(payment.applicationExpirationDate == "301231")
    #expect(payment.currencyCode == "978")
    #expect(payment.transactionAmount == 1250)
    #expect(payment.deviceManufacturerIdentifier == "040010030273")
    #expect(payment.paymentData == .threeDSecure(onlinePaymentCryptogram: "Wlpa", eciIndicator: "7"))
    #expect(payment.cardholderName == nil && payment.authenticationResponses == nil)
    #expect(payment.merchantTokenIdentifier == nil && payment.merchantTokenMetadata == nil)
  }

  @Test(arguments: [
    "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
    "deviceManufacturerIdentifier", "paymentDataType", "paymentData",
  ])
  func `required members are there and of their type`(name: String) {
    for value in [nil, "null", "true", "[]", "\"\"", "-1"] as [String?] {
      #expect(payment(name, value) == nil, "\(value ?? "absent")")
    }
    #expect(payment(name, name == "paymentData" || name == "transactionAmount" ? "\"x\"" : "1") == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("1", 1), ("999999999999", 999_999_999_999), ("1e2", 100), ("1E+2", 100), ("1.0", 1), ("1.50e2", 150),
      ("0.01e2", 1), ("1.000e00000000000000000000000000002", 100), ("0e12", 0), ("0.0e0", 0), ("1e0", 1),
      ("1e11", 100_000_000_000),
      ("999999999.999e3", 999_999_999_999), ("0.000000000001e12", 1), ("0.999999999999e12", 999_999_999_999),
      ("1e+0", 1),
      ("12.3400e2", 1234), ("0.0000000000000000000000", 0), ("1.00000000000000000000000000000000000000000", 1),
    ] as [(String, Int64)])
  func `amounts are exact integers in any form`(literal: String, value: Int64) {
    #expect(payment("transactionAmount", literal)?.transactionAmount == value)
  }

  @Test(arguments: [
    "-1", "-0", "0.5", "1e-2", "100e-2", "0e-0", "1e-0", "1000000000000", "1e12", "0e13", "1e13", "0.1e13", "1.5",
    "1.05e1",
    "99999999999999999999999999", "1e99999999999999999999", "0e100", "9223372036854775808", "1e012345",
    "0.0000000000001e12",
    "\"1\"", "1e+13", "10e12", "999999999999.1", "0.00000000000000000000001",
  ])
  func `other amounts are malformed`(literal: String) { #expect(payment("transactionAmount", literal) == nil) }

  @Test func `account numbers are 12 to 19 digits`() {
    for count in 0...25 {
      let isRead = payment("applicationPrimaryAccountNumber", "\"\(String(repeating: "4", count: count))\"") != nil
      #expect(isRead == (12...19).contains(count))
    }
    #expect(payment("applicationPrimaryAccountNumber", "\"41111111111x1111\"") == nil)
    #expect(payment("applicationPrimaryAccountNumber", "\"4111 1111 1111\"") == nil)
    #expect(payment("applicationPrimaryAccountNumber", "\"\u{0664}11111111111\"") == nil)
    #expect(
      payment("applicationPrimaryAccountNumber", #""\u0034111111111111111""#)?.maskedAccountNumber == "411111******1111"
    )
  }

  @Test(arguments: [
    ("301231", true), ("280229", true), ("000229", true), ("270229", false), ("301301", false), ("300001", false),
    ("300100", false), ("300132", false), ("300431", false), ("30123", false), ("3012311", false), ("30123x", false),
    ("+01231", false),
  ])
  func `expiration dates are real`(text: String, isDate: Bool) {
    #expect((payment("applicationExpirationDate", "\"\(text)\"") != nil) == isDate)
  }

  @Test(arguments: [("840", true), ("000", true), ("84", false), ("8400", false), ("USD", false), ("84 ", false)])
  func `currencies are three digits`(text: String, isRead: Bool) {
    #expect((payment("currencyCode", "\"\(text)\"") != nil) == isRead)
  }

  @Test func `manufacturer identifiers are hexadecimal of 1 to 32 bytes`() {
    for (text, isRead) in [("00", true), ("aF", true), ("0", false), ("0g", false), ("000", false)] {
      #expect((payment("deviceManufacturerIdentifier", "\"\(text)\"") != nil) == isRead)
    }
    #expect(payment("deviceManufacturerIdentifier", "\"\(String(repeating: "ab", count: 32))\"") != nil)
    #expect(payment("deviceManufacturerIdentifier", "\"\(String(repeating: "ab", count: 33))\"") == nil)
  }

  @Test(arguments: [
    (#"{"onlinePaymentCryptogram":"Wlpa"}"#, true), (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"07"}"#, true),
    (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":null}"#, false),
    (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":7}"#, false),
    (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":""}"#, false),
    (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"123"}"#, false),
    (#"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"x"}"#, false),
    (#"{"onlinePaymentCryptogram":""}"#, false), (#"{"onlinePaymentCryptogram":"Wl"}"#, false), ("{}", false),
    (#"{"onlinePaymentCryptogram":"Wlpa","emvData":5,"encryptedPINData":null}"#, true),
    (#"{"onlinePaymentCryptogram":"Wlpa","x":1,"x":2}"#, false), (#"{"emvData":"Wlpa"}"#, false),
  ])
  func `3DSecure has a cryptogram and may have an indicator`(data: String, isRead: Bool) {
    #expect((payment("paymentData", data) != nil) == isRead)
  }

  @Test(arguments: [
    (#"{"emvData":"Wlpa"}"#, true), (#"{"emvData":""}"#, false), (#"{"emvData":"Wl"}"#, false),
    (#"{"emvData":null}"#, false),
    (#"{"emvData":"Wlpa","encryptedPINData":"00"}"#, false), (#"{"emvData":"Wlpa","encryptedPINData":null}"#, false),
    (#"{"emvData":"Wlpa","eciIndicator":7,"onlinePaymentCryptogram":[]}"#, true), ("{}", false),
  ])
  func `EMV has its data and no PIN under EC_v1`(data: String, isRead: Bool) {
    let text = PayloadTests.sound.replacingOccurrences(of: "3DSecure", with: "EMV")
      .replacingOccurrences(of: #"{"onlinePaymentCryptogram":"Wlpa","eciIndicator":"7"}"#, with: data)
    #expect(payment(text)?.paymentData == (isRead ? .emv(emvData: "Wlpa", encryptedPINData: nil) : nil))
  }

  @Test func `other types of payment data are malformed`() {
    for type in ["3dsecure", "EMV ", "", "3DSecure\\u0000"] {
      #expect(payment("paymentDataType", "\"\(type)\"") == nil)
    }
  }

  @Test func `optional members are of their type, absent or not`() {
    for name in ["cardholderName", "merchantTokenIdentifier"] {
      #expect(payment(name, "null") == nil && payment(name, "1") == nil && payment(name, "\"\"") != nil)
    }
    #expect(payment("cardholderName", #""J\u00e9 \uD83D\uDE00\u0000""#)?.cardholderName == "J\u{E9} \u{1F600}\0")
    for value in ["null", "\"x\"", "[]", "1"] { #expect(payment("merchantTokenMetadata", value) == nil) }
    let metadata = #"{ "a" : [1,{"b":"\u0041"}], "a":2 }"#
    #expect(payment("merchantTokenMetadata", metadata)?.merchantTokenMetadata == Array(metadata.utf8))
    #expect(payment("unknown", #"{"a":1,"a":null}"#) != nil)
  }

  @Test func `authentication responses are objects of three strings`() {
    let one = #"{"merchantIdentifier":"m","authenticationData":"d","transactionAmount":"1"}"#
    #expect(payment("authenticationResponses", "[]")?.authenticationResponses == [])
    let read = payment("authenticationResponses", "[\(one),\(one)]")?.authenticationResponses
    #expect(
      read
        == Array(
          repeating: AuthenticationResponse(merchantIdentifier: "m", authenticationData: "d", transactionAmount: "1"),
          count: 2))
    let bad = [
      "null", "{}", one, "[1]", "[null]", "[{}]", "[\(one),{}]",
      "[\(one.replacingOccurrences(of: "\"1\"", with: "1"))]",
      #"[{"merchantIdentifier":"m","authenticationData":"d","transactionAmount":"1","x":1,"x":2}]"#,
    ]
    for value in bad { #expect(payment("authenticationResponses", value) == nil, "\(value)") }
  }

  @Test func `names are unique and at most 64 in the objects that are read`() {
    func filler(_ count: Int) -> String { (0..<count).map { "\"x\($0)\":0" }.joined(separator: ",") }
    #expect(payment(PayloadTests.sound.dropLast() + "," + filler(57) + "}") != nil)
    #expect(payment(PayloadTests.sound.dropLast() + "," + filler(58) + "}") == nil)
    #expect(payment(PayloadTests.sound.dropLast() + #","x":1,"\u0078":1}"#) == nil)
    #expect(payment(PayloadTests.sound.dropLast() + #","currencyCode":"978"}"#) == nil)
    #expect(payment("paymentData", #"{"onlinePaymentCryptogram":"Wlpa",\#(filler(63))}"#) != nil)
    #expect(payment("paymentData", #"{"onlinePaymentCryptogram":"Wlpa",\#(filler(64))}"#) == nil)
    #expect(payment("unknown", "{\(filler(100))}") != nil)
  }

  @Test func `a malformed payload is reported after decryption, and the replay store is not called`() throws {
    let minter = try Minted.minter()
    let engine = try Minted.engine(minter)
    let bad: [[UInt8]] = [
      Array("{}".utf8), [0xFF], Array("[]".utf8), Array(PayloadTests.sound.utf8) + [0x00],
      Array(PayloadTests.sound.replacingOccurrences(of: "1250", with: "-0").utf8),
    ]
    for plaintext in bad {
      var recipe = TokenRecipe()
      recipe.plaintext = plaintext
      let token = try minter.mint(recipe).bytes
      let store = CountingStore()
      let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
      let (result, trace) = engine.decryptTraced(token.span, at: Minted.time, under: policy)
      #expect(throws: TokenFault(.malformedPayload)) { try result.get() }
      #expect(trace[.decryption]?.outcome == .passed)
      #expect(store.calls == 0)
      #expect(engine.fault(try minter.mint().bytes, at: Minted.time, policy) == nil)
      #expect(store.calls == 1, "the store does not hear of sound tokens either")
    }
  }

  @Test func `what a device could send beyond the usual opens as it was encrypted`() throws {
    let minter = try Minted.minter()
    let engine = try Minted.engine(minter)
    var recipe = TokenRecipe()
    recipe.plaintext = Array(("\n " + PayloadTests.sound + "\t\r\n").utf8)
    let opened = try engine.result(try minter.mint(recipe).bytes, at: Minted.time, VerificationPolicy()).get()
    #expect(opened.plaintext == recipe.plaintext)
    #expect(opened.verifiedAt == Minted.time)
  }
}

import PaymentToken
import Testing
import TokenScanning

/// The values of a payment: the vectors compare verdicts and plaintexts, not what is copied out of the plaintext.
@Suite struct PaymentValueTests {
  private func fields(_ text: String, _ version: TokenVersion = .ecV1) throws -> PayloadFields {
    try PayloadFields(scanning: Array(text.utf8).span, version: version)
  }

  private func payment(_ text: String, _ version: TokenVersion = .ecV1) throws -> Payment {
    try fields(text, version).payment(in: Array(text.utf8).span)
  }

  private static let common = #"""
    "applicationPrimaryAccountNumber":"411111111111\u0031111","applicationExpirationDate":"301231",
    "currencyCode":"978","transactionAmount":12.50e2,"deviceManufacturerIdentifier":"04aB",
    """#

  @Test func `every member of a 3-D Secure payload has its own place in the payment`() throws {
    let payment = try payment(
      "{" + Self.common + #"""
        "cardholderName":"Zo\u00eb \/ x","merchantTokenIdentifier":"id\n","merchantTokenMetadata": { "a" : [1, {}] } ,
        "paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"QUJD","eciIndicator":"07"},
        "authenticationResponses":[{"merchantIdentifier":"m\u0031","authenticationData":"d1","transactionAmount":"t1"}
        , {"transactionAmount":"t2","merchantIdentifier":"m2","authenticationData":"d2"}]}
        """#)
    #expect(payment.applicationPrimaryAccountNumber == "4111111111111111")
    #expect(payment.applicationExpirationDate == "301231")
    #expect(payment.currencyCode == "978")
    #expect(payment.transactionAmount == 1_250)
    #expect(payment.deviceManufacturerIdentifier == "04aB")
    #expect(payment.cardholderName == "Zo\u{EB} / x")
    #expect(payment.merchantTokenIdentifier == "id\n")
    #expect(payment.merchantTokenMetadata == Array(#"{ "a" : [1, {}] }"#.utf8))
    #expect(payment.paymentData == .threeDSecure(onlinePaymentCryptogram: "QUJD", eciIndicator: "07"))
    let responses = [("m1", "d1", "t1"), ("m2", "d2", "t2")].map {
      AuthenticationResponse(merchantIdentifier: $0.0, authenticationData: $0.1, transactionAmount: $0.2)
    }
    #expect(payment.authenticationResponses == responses)
  }

  @Test func `absent members are nil, and an empty list of responses is not`() throws {
    let data = #""paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"QUJD"}"#
    let bare = try payment("{\(Self.common)\(data)}")
    #expect(bare.cardholderName == nil && bare.authenticationResponses == nil)
    #expect(bare.merchantTokenIdentifier == nil && bare.merchantTokenMetadata == nil)
    #expect(bare.paymentData == .threeDSecure(onlinePaymentCryptogram: "QUJD", eciIndicator: nil))
    #expect(try payment("{\(Self.common)\(data),\"authenticationResponses\":[]}").authenticationResponses == [])
  }

  @Test func `EMV data and the encrypted PIN have their own places`() throws {
    let data = #""paymentDataType":"EMV","paymentData":{"encryptedPINData":"0a0b","emvData":"QUJD"}}"#
    let payment = try payment("{\(Self.common)\(data)", .rsaV1)
    #expect(payment.paymentData == .emv(emvData: "QUJD", encryptedPINData: "0a0b"))
  }

  @Test func `another text than the scanned one is a malformed payload`() throws {
    let data = #""paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"QUJD"}"#
    let text = "{\(Self.common)\(data),\"authenticationResponses\":[]}"
    let fields = try fields(text)
    let other = [UInt8](repeating: 0x20, count: text.utf8.count)
    #expect(throws: TokenFault(.malformedPayload)) { try fields.payment(in: other.span) }
  }
}

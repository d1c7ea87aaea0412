import PaymentToken

/// The values of a payment in a test, and a decrypted, signed token that holds them.
struct SentPayment {
  var number = "4111111111111111"
  /// The form is YYMMDD.
  var expiry = "291231"
  /// ISO 4217, three digits.
  var currency = "978"
  var amount: Int64 = 1_250
  var name: String?
  var data = PaymentData.threeDSecure(onlinePaymentCryptogram: "WlpaWlpaWlpaWlpaWlpaWlpaWlo=", eciIndicator: "7")
  var version = TokenVersion.ecV1

  /// Base64 of the token's hash (32 bytes) and of its key (91 bytes), as requests show them.
  static let publicKeyHash = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
  static let ephemeralKey =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWg=="

  var token: DecryptedToken {
    let bytes = Bytes32(Array(0..<32))!
    let payment = Payment(
      applicationPrimaryAccountNumber: number, applicationExpirationDate: expiry, currencyCode: currency,
      transactionAmount: amount, cardholderName: name, deviceManufacturerIdentifier: "040010030273",
      paymentData: data, authenticationResponses: nil, merchantTokenIdentifier: nil, merchantTokenMetadata: nil)
    return DecryptedToken(
      envelope: "apple", version: version, transactionId: bytes, publicKeyHash: bytes,
      ephemeralPublicKey: version == .ecV1 ? Array(0..<91) : nil, applicationData: nil,
      signedAt: UnixTime(secondsSinceEpoch: 1_772_366_400), verifiedAt: UnixTime(secondsSinceEpoch: 1_772_366_400),
      isFromSandbox: false,
      payment: payment, plaintext: [])
  }

  static let longName = String(repeating: "Wolfeschlegelsteinhausenbergerdorff ", count: 20)
}

extension String {
  /// The text without its line breaks and the spaces that indent its lines.
  var oneLine: String { split(separator: "\n").map { $0.drop { $0 == " " } }.joined() }
}

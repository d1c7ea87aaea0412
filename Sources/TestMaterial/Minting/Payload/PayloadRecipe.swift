import Gateways
import PaymentToken

/// The plaintext of a token (Apple, "Payment data keys"). Account numbers are the card schemes' published test numbers.
public struct PayloadRecipe: Hashable, Sendable {
  /// The part that depends on `paymentDataType`.
  public enum Kind: Hashable, Sendable {
    case threeDSecure(cryptogram: [UInt8], eciIndicator: String?)
    case emv(data: [UInt8], pinData: [UInt8]? = nil)
  }

  /// The DPAN, 12-19 digits.
  public var accountNumber = "4111111111111111"
  /// YYMMDD.
  public var expirationDate = "301231"
  /// ISO 4217 numeric.
  public var currencyCode = "978"
  /// The JSON number, verbatim.
  public var transactionAmount = "1250"
  /// Absent when nil.
  public var cardholderName: String?
  /// Hexadecimal of 1-32 bytes.
  public var deviceManufacturerIdentifier = "040010030273"
  /// The cryptogram or the EMV data.
  public var kind = Kind.threeDSecure(cryptogram: [UInt8](repeating: 0x5A, count: 20), eciIndicator: "7")
  /// Multi-merchant payments; absent when nil, and may be empty.
  public var authenticationResponses: [AuthenticationResponse]?
  /// Merchant tokens; absent when nil.
  public var merchantTokenIdentifier: String?
  /// Raw JSON.
  public var merchantTokenMetadata: String?

  /// A 3DSecure payment of 12.50 EUR.
  public init() {}

  /// The payload as an object whose members can still be edited.
  package var object: JSONObject {
    let (type, data): (String, JSONObject) =
      switch kind {
      case .threeDSecure(let cryptogram, let eciIndicator):
        ("3DSecure", ["onlinePaymentCryptogram": Base64.encode(cryptogram), "eciIndicator": eciIndicator])
      case .emv(let data, let pinData):
        ("EMV", ["emvData": Base64.encode(data), "encryptedPINData": pinData.map { Hex.encode($0) }])
      }
    let responses = authenticationResponses?.map { response in
      JSONObject([
        "merchantIdentifier": response.merchantIdentifier, "authenticationData": response.authenticationData,
        "transactionAmount": response.transactionAmount,
      ])
    }
    return [
      "applicationPrimaryAccountNumber": accountNumber, "applicationExpirationDate": expirationDate,
      "currencyCode": currencyCode, "transactionAmount": JSONValue.raw(transactionAmount),
      "cardholderName": cardholderName, "deviceManufacturerIdentifier": deviceManufacturerIdentifier,
      "paymentDataType": type, "paymentData": data, "authenticationResponses": responses,
      "merchantTokenIdentifier": merchantTokenIdentifier,
      "merchantTokenMetadata": merchantTokenMetadata.map { JSONValue.raw($0) },
    ]
  }

  /// The plaintext.
  public var plaintext: [UInt8] { JSONValue.object(object).text() }
}

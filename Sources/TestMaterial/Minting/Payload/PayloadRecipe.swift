import Gateways
import PaymentToken

/// What a token says once opened (Apple, "Payment data keys"). Account numbers are the card schemes' published test numbers.
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
  /// The number as it is written.
  public var transactionAmount = "1250"
  /// Absent when nil.
  public var cardholderName: String?
  /// Hexadecimal of 1-32 octets.
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
  public var object: JSONObject {
    var object = JSONObject([
      .init("applicationPrimaryAccountNumber", .string(accountNumber)),
      .init("applicationExpirationDate", .string(expirationDate)),
      .init("currencyCode", .string(currencyCode)),
      .init("transactionAmount", .raw(transactionAmount)),
    ])
    if let cardholderName { object["cardholderName"] = .string(cardholderName) }
    object["deviceManufacturerIdentifier"] = .string(deviceManufacturerIdentifier)
    switch kind {
    case .threeDSecure(let cryptogram, let eciIndicator):
      object["paymentDataType"] = .string("3DSecure")
      var data = JSONObject([.init("onlinePaymentCryptogram", .string(Base64.encode(cryptogram)))])
      if let eciIndicator { data["eciIndicator"] = .string(eciIndicator) }
      object["paymentData"] = .object(data)
    case .emv(let data, let pinData):
      object["paymentDataType"] = .string("EMV")
      var members = JSONObject([.init("emvData", .string(Base64.encode(data)))])
      if let pinData { members["encryptedPINData"] = .string(Hex.encode(pinData)) }
      object["paymentData"] = .object(members)
    }
    if let authenticationResponses {
      object["authenticationResponses"] = .raw(PayloadRecipe.list(authenticationResponses))
    }
    if let merchantTokenIdentifier { object["merchantTokenIdentifier"] = .string(merchantTokenIdentifier) }
    if let merchantTokenMetadata { object["merchantTokenMetadata"] = .raw(merchantTokenMetadata) }
    return object
  }

  /// The plaintext.
  public var plaintext: [UInt8] { JSONValue.object(object).text() }

  private static func list(_ responses: [AuthenticationResponse]) -> [UInt8] {
    let objects = responses.map { response in
      JSONValue.object(
        JSONObject([
          .init("merchantIdentifier", .string(response.merchantIdentifier)),
          .init("authenticationData", .string(response.authenticationData)),
          .init("transactionAmount", .string(response.transactionAmount)),
        ])
      ).text()
    }
    return Array("[".utf8) + Array(objects.joined(separator: Array(",".utf8))) + Array("]".utf8)
  }
}

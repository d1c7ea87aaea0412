/// The decrypted payment data (Apple, "Payment token format reference", "Payment data keys"; rules 13.1 to 13.5).
///
/// Holds the caller's copy of card data in ordinary memory. `description` masks it, and reflection shows nothing.
public struct Payment: Hashable, Sendable {
  /// The account number of the device (DPAN) or of the merchant token, 12 to 19 digits.
  public let applicationPrimaryAccountNumber: String
  /// The expiration date YYMMDD, a real date in 20YY.
  public let applicationExpirationDate: String
  /// The currency, an ISO 4217 numeric code of three digits.
  public let currencyCode: String
  /// The amount in minor units of the currency, 0...10^12-1, exact.
  public let transactionAmount: Int64
  /// The name of the cardholder; nil when absent.
  public let cardholderName: String?
  /// The identifier of the device manufacturer, hexadecimal as written, 1 to 32 bytes.
  public let deviceManufacturerIdentifier: String
  /// The cryptogram or the EMV data.
  public let paymentData: PaymentData
  /// The shares of a multi-merchant payment; nil when the member is absent.
  public let authenticationResponses: [AuthenticationResponse]?
  /// The identifier of a merchant token (MPAN); nil when absent.
  public let merchantTokenIdentifier: String?
  /// The JSON object of `merchantTokenMetadata` as written, in UTF-8; nil when absent.
  public let merchantTokenMetadata: [UInt8]?

  /// A payment from its parts; engines make them.
  package init(
    applicationPrimaryAccountNumber: String, applicationExpirationDate: String, currencyCode: String,
    transactionAmount: Int64, cardholderName: String?, deviceManufacturerIdentifier: String,
    paymentData: PaymentData, authenticationResponses: [AuthenticationResponse]?,
    merchantTokenIdentifier: String?, merchantTokenMetadata: [UInt8]?
  ) {
    self.applicationPrimaryAccountNumber = applicationPrimaryAccountNumber
    self.applicationExpirationDate = applicationExpirationDate
    self.currencyCode = currencyCode
    self.transactionAmount = transactionAmount
    self.cardholderName = cardholderName
    self.deviceManufacturerIdentifier = deviceManufacturerIdentifier
    self.paymentData = paymentData
    self.authenticationResponses = authenticationResponses
    self.merchantTokenIdentifier = merchantTokenIdentifier
    self.merchantTokenMetadata = merchantTokenMetadata
  }

  /// The account number with all but the first six and the last four digits replaced by `*`.
  public var maskedAccountNumber: String {
    let digits = applicationPrimaryAccountNumber
    guard digits.utf8.count >= 12 else { return String(repeating: "*", count: digits.utf8.count) }
    return digits.prefix(6) + String(repeating: "*", count: digits.utf8.count - 10) + digits.suffix(4)
  }
}

/// The part of a payment that depends on `paymentDataType`.
public enum PaymentData: Hashable, Sendable {
  /// `3DSecure`: a cryptogram, base64 as written, at least one byte; an ECI of one or two digits, nil when absent.
  case threeDSecure(onlinePaymentCryptogram: String, eciIndicator: String?)
  /// `EMV`: EMV data, base64 as written, at least one byte; encrypted PIN data, hexadecimal, nil when absent and for
  /// EC_v1.
  case emv(emvData: String, encryptedPINData: String?)

  /// `paymentDataType` as Apple writes it.
  package var typeName: String {
    switch self {
    case .threeDSecure: "3DSecure"
    case .emv: "EMV"
    }
  }
}

/// One merchant's share of a multi-merchant payment.
public struct AuthenticationResponse: Hashable, Sendable {
  /// The merchant ID.
  public let merchantIdentifier: String
  /// The authentication data, as written.
  public let authenticationData: String
  /// The amount, as written.
  public let transactionAmount: String

  /// A response from its parts; engines make them.
  public init(merchantIdentifier: String, authenticationData: String, transactionAmount: String) {
    self.merchantIdentifier = merchantIdentifier
    self.authenticationData = authenticationData
    self.transactionAmount = transactionAmount
  }
}

/// A value whose description contains no secrets and whose properties are hidden from reflection. Otherwise
/// interpolation, `dump` and a debugger's summary would show them.
public protocol RedactedReflection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension RedactedReflection {
  /// The description.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Payment: RedactedReflection {
  /// The masked account number, the amount and the currency.
  public var description: String { "Payment(\(maskedAccountNumber), \(transactionAmount) \(currencyCode))" }
}

extension PaymentData: RedactedReflection {
  /// The name of the type.
  public var description: String { typeName }
}

extension AuthenticationResponse: RedactedReflection {
  /// The merchant ID.
  public var description: String { "AuthenticationResponse(\(merchantIdentifier))" }
}

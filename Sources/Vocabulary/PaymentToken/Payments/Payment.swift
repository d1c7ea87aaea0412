/// What a token says once opened (Apple, "Payment token format reference", "Payment data keys").
///
/// Holds card data in ordinary memory because the caller asked for a copy; `description` and reflection show it masked.
public struct Payment: Hashable, Sendable {
  /// The device's account number (DPAN), 12-19 digits.
  public let applicationPrimaryAccountNumber: String
  /// YYMMDD, a real date in 20YY.
  public let applicationExpirationDate: String
  /// ISO 4217 numeric, three digits.
  public let currencyCode: String
  /// Minor units, 0...10^12-1, exact.
  public let transactionAmount: Int64
  public let cardholderName: String?
  /// Hexadecimal text as written, 1-32 bytes.
  public let deviceManufacturerIdentifier: String
  /// The cryptogram or the EMV data.
  public let paymentData: PaymentData
  /// Multi-merchant payments; nil when the member is absent.
  public let authenticationResponses: [AuthenticationResponse]?
  public let merchantTokenIdentifier: String?
  /// The raw JSON object of `merchantTokenMetadata`, as written.
  public let merchantTokenMetadata: [UInt8]?

  public init(
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

  /// The account number as first six and last four digits.
  public var maskedAccountNumber: String {
    let digits = applicationPrimaryAccountNumber
    guard digits.utf8.count >= 12 else { return String(repeating: "*", count: digits.utf8.count) }
    return digits.prefix(6) + String(repeating: "*", count: digits.utf8.count - 10) + digits.suffix(4)
  }
}

/// The part of a payment that depends on `paymentDataType`.
public enum PaymentData: Hashable, Sendable {
  /// `3DSecure`: base64 as written, at least one byte; one or two digits.
  case threeDSecure(onlinePaymentCryptogram: String, eciIndicator: String?)
  /// `EMV`: base64 as written, at least one byte; hexadecimal, never under EC_v1.
  case emv(emvData: String, encryptedPINData: String?)

  /// `paymentDataType` as Apple writes it.
  public var typeName: String {
    switch self {
    case .threeDSecure: "3DSecure"
    case .emv: "EMV"
    }
  }
}

/// One merchant's share of a multi-merchant payment.
public struct AuthenticationResponse: Hashable, Sendable {
  public let merchantIdentifier: String
  public let authenticationData: String
  /// A string in Apple's format, kept as written.
  public let transactionAmount: String

  public init(merchantIdentifier: String, authenticationData: String, transactionAmount: String) {
    self.merchantIdentifier = merchantIdentifier
    self.authenticationData = authenticationData
    self.transactionAmount = transactionAmount
  }
}

// Interpolation, `dump` and a debugger's summary reach secrets by reflection unless told otherwise.
extension Payment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Payment(\(maskedAccountNumber), \(transactionAmount) \(currencyCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PaymentData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { typeName }
  public var debugDescription: String { typeName }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AuthenticationResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "AuthenticationResponse(\(merchantIdentifier))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

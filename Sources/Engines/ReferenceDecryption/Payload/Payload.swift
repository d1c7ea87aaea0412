import PaymentToken

/// A payload that broke one of the rules 13.1-13.5.
package struct MalformedPayload: Error {}

/// A payload that keeps the rules, its strings still in wiped memory: a payment is made of it only when all is decided.
package struct Payload {
  let accountNumber: WipedSlice
  let expirationDate: WipedSlice
  let currencyCode: WipedSlice
  let transactionAmount: Int64
  let cardholderName: WipedSlice?
  let deviceManufacturerIdentifier: WipedSlice
  let paymentData: PayloadPaymentData
  let authenticationResponses: [PayloadAuthenticationResponse]?
  let merchantTokenIdentifier: WipedSlice?
  /// As written.
  let merchantTokenMetadata: WipedSlice?
}

/// What `paymentDataType` selects (13.4).
enum PayloadPaymentData {
  case threeDSecure(onlinePaymentCryptogram: WipedSlice, eciIndicator: WipedSlice?)
  case emv(emvData: WipedSlice, encryptedPINData: WipedSlice?)
}

/// One of `authenticationResponses` (13.5).
struct PayloadAuthenticationResponse {
  let merchantIdentifier: WipedSlice
  let authenticationData: WipedSlice
  let transactionAmount: WipedSlice
}

extension Payload {
  /// The payment, in ordinary memory from here on.
  package var payment: Payment {
    Payment(
      applicationPrimaryAccountNumber: accountNumber.copiedText,
      applicationExpirationDate: expirationDate.copiedText,
      currencyCode: currencyCode.copiedText,
      transactionAmount: transactionAmount,
      cardholderName: cardholderName?.copiedText,
      deviceManufacturerIdentifier: deviceManufacturerIdentifier.copiedText,
      paymentData: paymentData.copied,
      authenticationResponses: authenticationResponses?.map(\.copied),
      merchantTokenIdentifier: merchantTokenIdentifier?.copiedText,
      merchantTokenMetadata: merchantTokenMetadata.map(Array.init))
  }
}

extension PayloadPaymentData {
  fileprivate var copied: PaymentData {
    switch self {
    case .threeDSecure(let cryptogram, let indicator):
      .threeDSecure(onlinePaymentCryptogram: cryptogram.copiedText, eciIndicator: indicator?.copiedText)
    case .emv(let data, let pinData):
      .emv(emvData: data.copiedText, encryptedPINData: pinData?.copiedText)
    }
  }
}

extension PayloadAuthenticationResponse {
  fileprivate var copied: AuthenticationResponse {
    AuthenticationResponse(
      merchantIdentifier: merchantIdentifier.copiedText, authenticationData: authenticationData.copiedText,
      transactionAmount: transactionAmount.copiedText)
  }
}

extension WipedSlice {
  /// A copy as a string; the reader has proved that it is UTF-8.
  fileprivate var copiedText: String { String(decoding: self, as: UTF8.self) }
}

import PaymentToken

/// The payload breaks one of rules 13.1 to 13.5.
package struct MalformedPayload: Error {}

/// A valid payload whose strings are still in wiped memory. It becomes a `Payment` only when every stage has passed.
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

/// The members that `paymentDataType` selects (13.4).
enum PayloadPaymentData {
  case threeDSecure(onlinePaymentCryptogram: WipedSlice, eciIndicator: WipedSlice?)
  case emv(emvData: WipedSlice, encryptedPINData: WipedSlice?)
}

/// An element of `authenticationResponses` (13.5).
struct PayloadAuthenticationResponse {
  let merchantIdentifier: WipedSlice
  let authenticationData: WipedSlice
  let transactionAmount: WipedSlice
}

extension Payload {
  /// A copy in ordinary memory, for the caller.
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
  /// A copy as a string. The reader has checked that the bytes are UTF-8.
  var copiedText: String { String(decoding: self, as: UTF8.self) }
}

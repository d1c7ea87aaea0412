import PaymentToken

/// The first rule of stage 13 that a payload breaks. It has the form of the member that breaks it, never the value.
package struct PayloadProblem: Error, Hashable, Sendable {
  /// The form of a member that breaks a rule, in words.
  package enum Form: String, Hashable, Sendable {
    case absent
    case present
    /// Not strict JSON.
    case notJSON = "not strict JSON"
    case tooManyMembers = "an object of more than 64 members"
    case repeatedName = "an object with a name twice"
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case otherString = "a string of another form"
    case number = "a number"
    case otherNumber = "a number of another form"
    case boolean = "a boolean"
    case null
  }

  /// The number of the rule in Docs/Verification.md, such as `13.2`.
  package let rule: String
  /// The path of the member, such as `paymentData.eciIndicator`; nil for the payload itself.
  package let member: String?
  /// What the member is.
  package let form: Form
}

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

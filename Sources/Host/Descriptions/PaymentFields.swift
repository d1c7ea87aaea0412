import Gateways
import PaymentToken
import Reports
import StrictJSON

extension Payment {
  /// The replacement of a masked value; independent of its length.
  fileprivate static let mask = "***"

  /// The payment as answers show it: unless it is revealed, what identifies the card, its holder or the transaction is
  /// masked.
  fileprivate func shown(reveal: Bool) -> Payment {
    if reveal { return self }
    func masked(_ text: String?) -> String? { text.map { _ in Payment.mask } }
    let data: PaymentData =
      switch paymentData {
      case .threeDSecure(_, let eciIndicator):
        .threeDSecure(onlinePaymentCryptogram: Payment.mask, eciIndicator: eciIndicator)
      case .emv(_, let encryptedPINData): .emv(emvData: Payment.mask, encryptedPINData: masked(encryptedPINData))
      }
    let responses = authenticationResponses?.map { response in
      AuthenticationResponse(
        merchantIdentifier: response.merchantIdentifier, authenticationData: Payment.mask,
        transactionAmount: response.transactionAmount)
    }
    return Payment(
      applicationPrimaryAccountNumber: maskedAccountNumber, applicationExpirationDate: applicationExpirationDate,
      currencyCode: currencyCode, transactionAmount: transactionAmount, cardholderName: masked(cardholderName),
      deviceManufacturerIdentifier: deviceManufacturerIdentifier, paymentData: data, authenticationResponses: responses,
      merchantTokenIdentifier: masked(merchantTokenIdentifier),
      merchantTokenMetadata: merchantTokenMetadata.map { _ in Array(Payment.mask.utf8) })
  }
}

/// A payment as it is shown, under Apple's member names.
struct PaymentFields {
  /// The existing members, in Apple's order.
  let json: JSON

  init(_ payment: Payment, reveal: Bool) {
    let payment = payment.shown(reveal: reveal)
    let data: JSON =
      switch payment.paymentData {
      case .threeDSecure(let cryptogram, let eciIndicator):
        ["onlinePaymentCryptogram": cryptogram, "eciIndicator": eciIndicator]
      case .emv(let emvData, let encryptedPINData):
        ["emvData": emvData, "encryptedPINData": encryptedPINData]
      }
    let responses = payment.authenticationResponses?.map { response in
      JSON([
        "merchantIdentifier": response.merchantIdentifier, "authenticationData": response.authenticationData,
        "transactionAmount": response.transactionAmount,
      ])
    }
    // The engine has checked that the metadata is JSON. As written it may have several lines.
    let metadata = payment.merchantTokenMetadata.map { bytes in
      reveal ? JSON.verbatim(String(decoding: JSONText.printable(bytes), as: UTF8.self)) : .string(Payment.mask)
    }
    let document: JSON = [
      "applicationPrimaryAccountNumber": payment.applicationPrimaryAccountNumber,
      "applicationExpirationDate": payment.applicationExpirationDate,
      "currencyCode": payment.currencyCode, "transactionAmount": payment.transactionAmount,
      "cardholderName": payment.cardholderName,
      "deviceManufacturerIdentifier": payment.deviceManufacturerIdentifier,
      "paymentDataType": payment.paymentData.typeName, "paymentData": data.withoutNulls,
      "authenticationResponses": responses, "merchantTokenIdentifier": payment.merchantTokenIdentifier,
      "merchantTokenMetadata": metadata,
    ]
    json = document.withoutNulls
    let currency = Currency.numeric(payment.currencyCode)
    self.currency = currency
    amount = currency.flatMap { currency in
      (try? currency.decimalText(ofMinorUnits: payment.transactionAmount)).map { "\($0) \(currency.alphabeticCode)" }
    }
  }

  /// Names and values for people, one line each; nested names are joined by full stops. Currency, amount and date are
  /// followed by the token's own spelling.
  var rows: [(name: String, value: String)] {
    PaymentFields.rows(json, named: "").map { name, value in
      switch name {
      case "currencyCode": (name, currency.map { "\($0.alphabeticCode) (\(value))" } ?? value)
      case "transactionAmount": (name, amount.map { "\($0) (\(value))" } ?? value)
      case "applicationExpirationDate": (name, "\(PaymentFields.date(value)) (\(value))")
      default: (name, value)
      }
    }
  }

  private let currency: Currency?
  /// The amount with the currency's letters; nil without a currency that has a minor unit.
  private let amount: String?

  /// A date without time, from YYMMDD.
  private static func date(_ digits: String) -> String {
    "20\(digits.prefix(2))-\(digits.dropFirst(2).prefix(2))-\(digits.suffix(2))"
  }

  private static func rows(_ value: JSON, named name: String) -> [(name: String, value: String)] {
    switch value {
    case .object(let members):
      members.flatMap { rows($0.value, named: name.isEmpty ? $0.name : "\(name).\($0.name)") }
    case .array(let elements): elements.enumerated().flatMap { rows($1, named: "\(name)[\($0)]") }
    case .string(let text), .number(let text), .verbatim(let text): [(name, Text.harmless(text))]
    case .null, .boolean: []
    }
  }
}

extension JSON {
  fileprivate var withoutNulls: JSON { .object((members ?? []).filter { $0.value != .null }) }
}

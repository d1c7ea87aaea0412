import Gateways
import PaymentToken
import Reports
import StrictJSON

/// A payment as it is shown, under Apple's member names. Unless it is revealed, what identifies the card, its holder or
/// the transaction is masked.
struct PaymentFields {
  /// The existing members, in Apple's order.
  let json: JSON
  private let currencyCode: String
  private let transactionAmount: Int64
  /// The replacement of a masked value; independent of its length.
  private static let mask = "***"

  init(_ payment: Payment, reveal: Bool) {
    func secret(_ text: String?) -> String? { reveal ? text : text.map { _ in Self.mask } }
    let data: JSON =
      switch payment.paymentData {
      case .threeDSecure(let cryptogram, let eciIndicator):
        ["onlinePaymentCryptogram": secret(cryptogram), "eciIndicator": eciIndicator]
      case .emv(let emvData, let encryptedPINData):
        ["emvData": secret(emvData), "encryptedPINData": secret(encryptedPINData)]
      }
    let responses = payment.authenticationResponses?.map { response in
      JSON([
        "merchantIdentifier": response.merchantIdentifier, "authenticationData": secret(response.authenticationData),
        "transactionAmount": response.transactionAmount,
      ])
    }
    // The engine has checked that the metadata is JSON. As written it may have several lines.
    let metadata = payment.merchantTokenMetadata.map { bytes in
      reveal ? JSON.verbatim(String(decoding: JSONText.printable(bytes), as: UTF8.self)) : .string(Self.mask)
    }
    let document: JSON = [
      "applicationPrimaryAccountNumber":
        reveal ? payment.applicationPrimaryAccountNumber : payment.maskedAccountNumber,
      "applicationExpirationDate": payment.applicationExpirationDate,
      "currencyCode": payment.currencyCode, "transactionAmount": payment.transactionAmount,
      "cardholderName": secret(payment.cardholderName),
      "deviceManufacturerIdentifier": payment.deviceManufacturerIdentifier,
      "paymentDataType": payment.paymentData.typeName, "paymentData": data.withoutNulls,
      "authenticationResponses": responses, "merchantTokenIdentifier": secret(payment.merchantTokenIdentifier),
      "merchantTokenMetadata": metadata,
    ]
    json = document.withoutNulls
    (currencyCode, transactionAmount) = (payment.currencyCode, payment.transactionAmount)
  }

  /// Names and values for people, one line each; nested names are joined by full stops. Currency, amount and date are
  /// followed by the token's own spelling.
  var rows: [(name: String, value: String)] {
    let currency = Currency.numeric(currencyCode)
    // Nil without a currency that has a minor unit.
    let amount = currency.flatMap { currency in
      (try? currency.decimalText(ofMinorUnits: transactionAmount)).map { "\($0) \(currency.alphabeticCode)" }
    }
    return PaymentFields.rows(json, named: "").map { name, value in
      switch name {
      case "currencyCode": (name, currency.map { "\($0.alphabeticCode) (\(value))" } ?? value)
      case "transactionAmount": (name, amount.map { "\($0) (\(value))" } ?? value)
      case "applicationExpirationDate": (name, "\(PaymentFields.date(value)) (\(value))")
      default: (name, value)
      }
    }
  }

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

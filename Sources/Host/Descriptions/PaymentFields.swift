import PaymentToken
import Reports
import StrictJSON

/// A payment under Apple's member names; what identifies the card, its holder or the transaction is masked unless revealed.
struct PaymentFields {
  private enum Value {
    case text(String)
    case number(Int64)
    /// Raw JSON, read and checked by the engine.
    case document(String)
    case list([[(name: String, value: Value)]])
    case group([(name: String, value: Value)])
  }

  /// What stands for a masked value; it says nothing of the length.
  static let mask = "***"

  private let fields: [(name: String, value: Value)]

  init(_ payment: Payment, reveal: Bool) {
    func secret(_ text: String) -> Value { .text(reveal ? text : PaymentFields.mask) }
    var fields: [(name: String, value: Value)] = [
      (
        "applicationPrimaryAccountNumber",
        .text(reveal ? payment.applicationPrimaryAccountNumber : payment.maskedAccountNumber)
      ),
      ("applicationExpirationDate", .text(payment.applicationExpirationDate)),
      ("currencyCode", .text(payment.currencyCode)),
      ("transactionAmount", .number(payment.transactionAmount)),
    ]
    if let name = payment.cardholderName { fields.append(("cardholderName", secret(name))) }
    fields.append(("deviceManufacturerIdentifier", .text(payment.deviceManufacturerIdentifier)))
    fields.append(("paymentDataType", .text(payment.paymentData.typeName)))
    var data: [(name: String, value: Value)] = []
    switch payment.paymentData {
    case .threeDSecure(let cryptogram, let eciIndicator):
      data.append(("onlinePaymentCryptogram", secret(cryptogram)))
      if let eciIndicator { data.append(("eciIndicator", .text(eciIndicator))) }
    case .emv(let emvData, let encryptedPINData):
      data.append(("emvData", secret(emvData)))
      if let encryptedPINData { data.append(("encryptedPINData", secret(encryptedPINData))) }
    }
    fields.append(("paymentData", .group(data)))
    if let responses = payment.authenticationResponses {
      fields.append(
        (
          "authenticationResponses",
          .list(
            responses.map {
              [
                ("merchantIdentifier", .text($0.merchantIdentifier)),
                ("authenticationData", secret($0.authenticationData)),
                ("transactionAmount", .text($0.transactionAmount)),
              ]
            })
        ))
    }
    if let identifier = payment.merchantTokenIdentifier {
      fields.append(("merchantTokenIdentifier", secret(identifier)))
    }
    if let metadata = payment.merchantTokenMetadata {
      let value = reveal ? Value.document(String(decoding: metadata, as: UTF8.self)) : .text(PaymentFields.mask)
      fields.append(("merchantTokenMetadata", value))
    }
    self.fields = fields
  }

  var json: JSON { PaymentFields.json(fields) }

  /// Names and values of one line each; nested names are joined by a full stop.
  var rows: [(name: String, value: String)] { PaymentFields.rows(fields, under: "") }

  private static func json(_ fields: [(name: String, value: Value)]) -> JSON {
    .object(
      fields.map { name, value in
        switch value {
        case .text(let text): JSON.Member(name, .string(text))
        case .number(let number): JSON.Member(name, .integer(number))
        case .document(let text): JSON.Member(name, .verbatim(text))
        case .list(let entries): JSON.Member(name, .array(entries.map(json)))
        case .group(let members): JSON.Member(name, json(members))
        }
      })
  }

  private static func rows(
    _ fields: [(name: String, value: Value)], under prefix: String
  ) -> [(name: String, value: String)] {
    fields.flatMap { name, value in
      switch value {
      case .text(let text), .document(let text): [(prefix + name, Text.harmless(text))]
      case .number(let number): [(prefix + name, String(number))]
      case .list(let entries):
        entries.enumerated().flatMap { rows($1, under: "\(prefix)\(name)[\($0)].") }
      case .group(let members): rows(members, under: "\(prefix)\(name).")
      }
    }
  }
}

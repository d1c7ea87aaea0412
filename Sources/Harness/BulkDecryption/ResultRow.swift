import Reports
import StrictJSON

/// A column of results as CSV: a member of the document of `assay decrypt --json`, or the end of the account number.
package enum ResultColumn: String, CaseIterable, Sendable {
  case line, file, accepted, engine
  case code, stage, member, message
  case envelope, version, signed, transactionId, applicationData, signedAt, verifiedAt, archival, sandbox,
    publicKeyHash, keyFile
  case applicationPrimaryAccountNumber
  case panLast4 = "pan-last4"
  case applicationExpirationDate, currencyCode, transactionAmount, cardholderName, deviceManufacturerIdentifier
  case paymentDataType, onlinePaymentCryptogram, eciIndicator, emvData, encryptedPINData
  case merchantTokenIdentifier, merchantTokenMetadata

  /// The columns that follow the place unless the user names others.
  package static let defaults: [ResultColumn] = [
    .accepted, .signed, .code, .stage, .member, .transactionId, .signedAt, .applicationPrimaryAccountNumber,
    .currencyCode, .transactionAmount,
  ]
}

/// One result as cells of CSV: the members of its document, by name. A cell is empty if the document lacks the member,
/// or has null there.
struct ResultRow {
  private var texts: [String: String] = [:]

  /// - Parameter document: that of `assay decrypt --json`.
  init(_ document: JSON, at place: ResultPlace) {
    add(document, as: "")
    switch place {
    case .line(let number): texts[ResultColumn.line.rawValue] = String(number)
    case .file(let name): texts[ResultColumn.file.rawValue] = name
    }
    let account = texts[ResultColumn.applicationPrimaryAccountNumber.rawValue]
    texts[ResultColumn.panLast4.rawValue] = account.map { String($0.suffix(4)) }
  }

  func cell(_ column: ResultColumn) -> String { CSV.foreign(texts[column.rawValue] ?? "") }

  /// Adds a member, or those of an object and of the objects in it, whose names are distinct.
  private mutating func add(_ value: JSON, as name: String) {
    switch value {
    case .string(let text), .number(let text), .verbatim(let text): texts[name] = text
    case .boolean(let flag): texts[name] = flag ? "true" : "false"
    case .object(let members): for member in members { add(member.value, as: member.name) }
    case .null, .array: break
    }
  }
}

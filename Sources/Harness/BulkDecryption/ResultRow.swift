import Descriptions
import PaymentToken
import Reports

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
  package static let usual: [ResultColumn] = [
    .accepted, .signed, .code, .stage, .member, .transactionId, .signedAt, .applicationPrimaryAccountNumber,
    .currencyCode, .transactionAmount,
  ]
}

/// One result as cells of CSV. A cell is empty if the result has no such member.
struct ResultRow {
  private let outcome: DecryptOutcome
  private let engine: String
  private let place: ResultPlace
  private let reveal: Bool
  private let keyFile: (Bytes32, TokenVersion) -> String?
  /// The payment, masked unless `reveal`; nil if the token was not accepted.
  private let payment: Payment?

  init(
    _ outcome: DecryptOutcome, engine: String, place: ResultPlace, reveal: Bool,
    keyFile: @escaping (Bytes32, TokenVersion) -> String?
  ) {
    self.outcome = outcome
    self.engine = engine
    self.place = place
    self.reveal = reveal
    self.keyFile = keyFile
    payment =
      switch outcome {
      case .accepted(let token, _): token.payment.shown(reveal: reveal)
      case .unsigned(let token): token.payment.shown(reveal: reveal)
      case .rejected, .undecided: nil
      }
  }

  func cell(_ column: ResultColumn) -> String { CSV.foreign(text(column) ?? "") }

  private func text(_ column: ResultColumn) -> String? {
    switch column {
    case .line: if case .line(let number) = place { String(number) } else { nil }
    case .file: if case .file(let name) = place { name } else { nil }
    case .engine: engine
    case .accepted: outcome.isAccepted.map { $0 ? "true" : "false" }
    case .code: outcome.fault?.code.rawValue
    case .stage: (outcome.fault?.stage.rawValue).map { String($0) }
    case .member: outcome.fault?.member?.path
    case .message: outcome.message
    default: tokenText(column)
    }
  }

  private func tokenText(_ column: ResultColumn) -> String? {
    switch outcome {
    case .accepted(let token, let archival): text(column, of: token, archival: archival)
    case .unsigned(let token): text(column, of: token)
    case .rejected, .undecided: nil
    }
  }

  private func text(_ column: ResultColumn, of token: DecryptedToken, archival: Bool) -> String? {
    switch column {
    case .envelope: token.envelope
    case .version: token.version.rawValue
    case .signed: "true"
    case .transactionId: token.transactionId.hex
    case .applicationData: token.applicationData?.hex
    case .signedAt: token.signedAt.rfc3339
    case .verifiedAt: token.verifiedAt.rfc3339
    case .archival: archival ? "true" : "false"
    case .sandbox: token.isFromSandbox ? "true" : "false"
    case .publicKeyHash: Base64.encode(token.publicKeyHash.bytes)
    case .keyFile: keyFile(token.publicKeyHash, token.version)
    default: paymentText(column)
    }
  }

  private func text(_ column: ResultColumn, of token: UnsignedToken) -> String? {
    switch column {
    case .envelope: token.envelope
    case .version: TokenVersion.ecV1.rawValue
    case .signed, .archival: "false"
    case .publicKeyHash: Base64.encode(token.publicKeyHash.bytes)
    case .keyFile: keyFile(token.publicKeyHash, .ecV1)
    default: paymentText(column)
    }
  }

  private func paymentText(_ column: ResultColumn) -> String? {
    guard let payment else { return nil }
    return switch column {
    case .applicationPrimaryAccountNumber: payment.applicationPrimaryAccountNumber
    case .panLast4: String(payment.applicationPrimaryAccountNumber.suffix(4))
    case .applicationExpirationDate: payment.applicationExpirationDate
    case .currencyCode: payment.currencyCode
    case .transactionAmount: String(payment.transactionAmount)
    case .cardholderName: payment.cardholderName
    case .deviceManufacturerIdentifier: payment.deviceManufacturerIdentifier
    case .paymentDataType: payment.paymentData.typeName
    case .merchantTokenIdentifier: payment.merchantTokenIdentifier
    case .merchantTokenMetadata: payment.merchantTokenMetadata.map { String(decoding: $0, as: UTF8.self) }
    default: Self.text(column, of: payment.paymentData)
    }
  }

  private static func text(_ column: ResultColumn, of data: PaymentData) -> String? {
    switch (data, column) {
    case (.threeDSecure(let cryptogram, _), .onlinePaymentCryptogram): cryptogram
    case (.threeDSecure(_, let eciIndicator), .eciIndicator): eciIndicator
    case (.emv(let emvData, _), .emvData): emvData
    case (.emv(_, let encryptedPINData), .encryptedPINData): encryptedPINData
    default: nil
    }
  }
}

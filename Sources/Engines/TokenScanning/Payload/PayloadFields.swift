import PaymentToken

/// The members of a decrypted payload, as positions in its text, checked by all rules of Docs/Verification.md stage 13.
public struct PayloadFields: Sendable {
  /// `applicationPrimaryAccountNumber`: 12 to 19 digits.
  public let accountNumber: JSONString
  /// `applicationExpirationDate`: YYMMDD.
  public let expirationDate: JSONString
  /// `currencyCode`: three digits (ISO 4217).
  public let currencyCode: JSONString
  /// `transactionAmount`, in minor units of the currency.
  public let transactionAmount: Int64
  /// `cardholderName`.
  public let cardholderName: JSONString?
  /// `deviceManufacturerIdentifier`: hexadecimal.
  public let deviceManufacturerIdentifier: JSONString
  /// `paymentData`, by `paymentDataType`.
  public let paymentData: Kind
  /// The text of the array, with its brackets.
  package let authenticationResponses: Range<Int>?
  /// `merchantTokenIdentifier`.
  public let merchantTokenIdentifier: JSONString?
  /// The text of the object, with its braces.
  public let merchantTokenMetadata: Range<Int>?

  /// The payment data of each `paymentDataType`.
  public enum Kind: Sendable {
    /// `3DSecure`: a cryptogram in base64.
    case threeDSecure(onlinePaymentCryptogram: JSONString, eciIndicator: JSONString?)
    /// `EMV`: data in base64. EC_v1 does not allow `encryptedPINData`.
    case emv(emvData: JSONString, encryptedPINData: JSONString?)
  }

  /// Decides stage 13 for the plaintext of a token of `version`.
  ///
  /// - Throws: `malformedPayload`.
  public init(scanning plaintext: Span<UInt8>, version: TokenVersion) throws(TokenFault) {
    do {
      var members = PayloadMembers()
      try members.scan(plaintext)
      try self.init(members, in: plaintext, version)
    } catch {
      throw TokenFault(.malformedPayload)
    }
  }

  private init(
    _ members: PayloadMembers, in text: Span<UInt8>, _ version: TokenVersion
  ) throws(MalformedJSON) {
    guard let accountNumber = members.accountNumber, accountNumber.isDigits(12...19, in: text),
      let expirationDate = members.expirationDate, expirationDate.isDate(in: text),
      let currencyCode = members.currencyCode, currencyCode.isDigits(3...3, in: text),
      let identifier = members.deviceManufacturerIdentifier, identifier.isHex(1...32, in: text),
      let number = members.transactionAmount, let amount = AmountText.value(number, in: text)
    else { throw MalformedJSON() }
    self.accountNumber = accountNumber
    self.expirationDate = expirationDate
    self.currencyCode = currencyCode
    deviceManufacturerIdentifier = identifier
    transactionAmount = amount
    cardholderName = members.cardholderName
    merchantTokenIdentifier = members.merchantTokenIdentifier
    merchantTokenMetadata = members.merchantTokenMetadata
    authenticationResponses = members.authenticationResponses
    paymentData = try Self.kind(members, in: text, version)
  }

  private static func kind(
    _ members: PayloadMembers, in text: Span<UInt8>, _ version: TokenVersion
  ) throws(MalformedJSON) -> Kind {
    guard let fields = members.paymentData, let type = members.paymentDataType else { throw MalformedJSON() }
    if type.equals("3DSecure", in: text) {
      let cryptogram = try fields.onlinePaymentCryptogram.required()
      let eciIndicator = try fields.eciIndicator.optional()
      guard cryptogram.isNonEmptyBase64(in: text), eciIndicator?.isDigits(1...2, in: text) ?? true else {
        throw MalformedJSON()
      }
      return .threeDSecure(onlinePaymentCryptogram: cryptogram, eciIndicator: eciIndicator)
    }
    guard type.equals("EMV", in: text) else { throw MalformedJSON() }
    let emvData = try fields.emvData.required()
    guard emvData.isNonEmptyBase64(in: text) else { throw MalformedJSON() }
    if !version.traits.allowsPINData {
      guard case .absent = fields.encryptedPINData else { throw MalformedJSON() }
    }
    let pinData = try fields.encryptedPINData.optional()
    guard pinData?.isHex(1...Int.max, in: text) ?? true else { throw MalformedJSON() }
    return .emv(emvData: emvData, encryptedPINData: pinData)
  }

  /// Copies the payment out of the plaintext that was scanned.
  ///
  /// - Throws: `malformedPayload`, if `text` is not that plaintext.
  public func payment(in text: Span<UInt8>) throws(TokenFault) -> Payment {
    var responses: [AuthenticationResponse]?
    if let authenticationResponses {
      do {
        responses = try AuthenticationResponses.values(authenticationResponses, in: text)
      } catch {
        throw TokenFault(.malformedPayload)
      }
    }
    let kind: PaymentData =
      switch paymentData {
      case .threeDSecure(let cryptogram, let eciIndicator):
        .threeDSecure(
          onlinePaymentCryptogram: cryptogram.text(in: text), eciIndicator: eciIndicator?.text(in: text))
      case .emv(let emvData, let pinData):
        .emv(emvData: emvData.text(in: text), encryptedPINData: pinData?.text(in: text))
      }
    return Payment(
      applicationPrimaryAccountNumber: accountNumber.text(in: text),
      applicationExpirationDate: expirationDate.text(in: text),
      currencyCode: currencyCode.text(in: text),
      transactionAmount: transactionAmount,
      cardholderName: cardholderName?.text(in: text),
      deviceManufacturerIdentifier: deviceManufacturerIdentifier.text(in: text),
      paymentData: kind,
      authenticationResponses: responses,
      merchantTokenIdentifier: merchantTokenIdentifier?.text(in: text),
      merchantTokenMetadata: merchantTokenMetadata.map { range in
        text.extracting(range).withUnsafeBufferPointer { [UInt8]($0) }
      })
  }
}

import PaymentToken

/// Where the members of a decrypted payload lie in its text, every rule of Docs/Verification.md stage 13 checked.
public struct PayloadFields: Sendable {
  public let accountNumber: JSONString
  public let expirationDate: JSONString
  public let currencyCode: JSONString
  /// Minor units.
  public let transactionAmount: Int64
  public let cardholderName: JSONString?
  public let deviceManufacturerIdentifier: JSONString
  public let paymentData: Kind
  /// The array's text with its brackets.
  let authenticationResponses: Range<Int>?
  public let merchantTokenIdentifier: JSONString?
  /// The object's text with its braces.
  public let merchantTokenMetadata: Range<Int>?

  /// What depends on `paymentDataType`.
  public enum Kind: Sendable {
    case threeDSecure(onlinePaymentCryptogram: JSONString, eciIndicator: JSONString?)
    /// `encryptedPINData` has no place under EC_v1.
    case emv(emvData: JSONString, encryptedPINData: JSONString?)
  }

  /// Decides stage 13 for the plaintext of a token of `version`.
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
    accountNumber = try members.accountNumber.required()
    expirationDate = try members.expirationDate.required()
    currencyCode = try members.currencyCode.required()
    deviceManufacturerIdentifier = try members.deviceManufacturerIdentifier.required()
    guard accountNumber.isDigits(12...19, in: text), expirationDate.isDate(in: text),
      currencyCode.isDigits(3...3, in: text), deviceManufacturerIdentifier.isHex(1...32, in: text),
      let number = members.transactionAmount, let amount = AmountText.value(number, in: text)
    else { throw MalformedJSON() }
    transactionAmount = amount
    cardholderName = try members.cardholderName.optional()
    merchantTokenIdentifier = try members.merchantTokenIdentifier.optional()
    merchantTokenMetadata = members.merchantTokenMetadata
    authenticationResponses = members.authenticationResponses
    paymentData = try Self.kind(members, in: text, version)
  }

  private static func kind(
    _ members: PayloadMembers, in text: Span<UInt8>, _ version: TokenVersion
  ) throws(MalformedJSON) -> Kind {
    guard let fields = members.paymentData else { throw MalformedJSON() }
    let type = try members.paymentDataType.required()
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

  /// Copies everything out of the plaintext it was scanned from; throws `malformedPayload` for another text.
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

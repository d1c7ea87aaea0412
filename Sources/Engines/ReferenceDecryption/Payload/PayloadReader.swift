import PaymentToken

extension Payload {
  /// Reads the payload by rules 13.1 to 13.5.
  ///
  /// - Throws: `MalformedPayload`.
  package init(_ document: JSONDocument, version: TokenVersion) throws(MalformedPayload) {
    let payload = document.members
    try payload.requireUniqueNames()
    // 13.2
    accountNumber = try payload.string("applicationPrimaryAccountNumber") {
      (12...19).contains($0.count) && $0.allSatisfy(\.isASCIIDigit)
    }
    expirationDate = try payload.string("applicationExpirationDate", where: PayloadRules.isDate)
    currencyCode = try payload.string("currencyCode") { $0.count == 3 && $0.allSatisfy(\.isASCIIDigit) }
    guard let amount = payload.value(of: "transactionAmount"), case .number = amount.kind,
      let value = PayloadRules.amount(amount.text)
    else { throw MalformedPayload() }
    transactionAmount = value
    deviceManufacturerIdentifier = try payload.string("deviceManufacturerIdentifier") {
      StrictHex.decodedCount($0).map { (1...32).contains($0) } ?? false
    }
    let type = try payload.string("paymentDataType")
    guard let members = payload.value(of: "paymentData")?.members else { throw MalformedPayload() }
    paymentData = try PayloadPaymentData(type: type, members: members, version: version)
    // 13.5
    cardholderName = try payload.optionalString("cardholderName")
    merchantTokenIdentifier = try payload.optionalString("merchantTokenIdentifier")
    authenticationResponses = try payload.value(of: "authenticationResponses").map(PayloadAuthenticationResponse.read)
    let metadata = payload.value(of: "merchantTokenMetadata")
    guard metadata == nil || metadata?.members != nil else { throw MalformedPayload() }
    merchantTokenMetadata = metadata?.text
  }
}

extension PayloadPaymentData {
  /// 13.4.
  fileprivate init(type: WipedSlice, members: [JSONMember], version: TokenVersion) throws(MalformedPayload) {
    try members.requireUniqueNames()
    if type.isText("3DSecure") {
      self = .threeDSecure(
        onlinePaymentCryptogram: try members.string("onlinePaymentCryptogram", where: PayloadRules.isNonEmptyBase64),
        eciIndicator: try members.optionalString("eciIndicator") {
          (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit)
        })
    } else if type.isText("EMV") {
      guard version.rules.allowsPINData || members.value(of: "encryptedPINData") == nil else {
        throw MalformedPayload()
      }
      self = .emv(
        emvData: try members.string("emvData", where: PayloadRules.isNonEmptyBase64),
        encryptedPINData: try members.optionalString("encryptedPINData") {
          (StrictHex.decodedCount($0) ?? 0) >= 1
        })
    } else {
      throw MalformedPayload()
    }
  }
}

extension PayloadAuthenticationResponse {
  /// 13.5: an array of objects, empty or not.
  fileprivate static func read(_ value: JSONValue) throws(MalformedPayload) -> [PayloadAuthenticationResponse] {
    guard case .array(let elements) = value.kind else { throw MalformedPayload() }
    var responses: [PayloadAuthenticationResponse] = []
    for element in elements {
      guard let members = element.members else { throw MalformedPayload() }
      try members.requireUniqueNames()
      responses.append(
        PayloadAuthenticationResponse(
          merchantIdentifier: try members.string("merchantIdentifier"),
          authenticationData: try members.string("authenticationData"),
          transactionAmount: try members.string("transactionAmount")))
    }
    return responses
  }
}

extension [JSONMember] {
  /// 13.1: at most 64 members, no name twice.
  fileprivate func requireUniqueNames() throws(MalformedPayload) {
    guard count <= ReferenceDecryptor.maximumMemberCount, repetitions.isEmpty else { throw MalformedPayload() }
  }

  fileprivate func string(
    _ name: String, where isValid: (WipedSlice) -> Bool = { _ in true }
  ) throws(MalformedPayload) -> WipedSlice {
    guard let text = value(of: name)?.string, isValid(text) else { throw MalformedPayload() }
    return text
  }

  /// Nil when the member is absent. A null is malformed.
  fileprivate func optionalString(
    _ name: String, where isValid: (WipedSlice) -> Bool = { _ in true }
  ) throws(MalformedPayload) -> WipedSlice? {
    guard value(of: name) != nil else { return nil }
    return try string(name, where: isValid)
  }
}

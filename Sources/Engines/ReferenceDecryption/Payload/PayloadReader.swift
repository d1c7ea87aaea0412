import PaymentToken

extension Payload {
  /// Reads the payload by rules 13.1 to 13.5.
  ///
  /// - Throws: `PayloadProblem`.
  package init(_ document: JSONDocument, version: TokenVersion) throws(PayloadProblem) {
    let payload = PayloadObject(members: document.members, path: nil, rule: "13.2")
    try payload.requireUniqueNames()
    // 13.2
    accountNumber = try payload.string("applicationPrimaryAccountNumber") {
      (12...19).contains($0.count) && $0.allSatisfy(\.isASCIIDigit)
    }
    expirationDate = try payload.string("applicationExpirationDate", where: PayloadRules.isDate)
    currencyCode = try payload.string("currencyCode") { $0.count == 3 && $0.allSatisfy(\.isASCIIDigit) }
    let amount = payload["transactionAmount"]
    guard let number = amount?.number else { throw payload.problem("transactionAmount", amount?.form, by: "13.3") }
    guard let value = PayloadRules.amount(number) else {
      throw payload.problem("transactionAmount", .otherNumber, by: "13.3")
    }
    transactionAmount = value
    deviceManufacturerIdentifier = try payload.string("deviceManufacturerIdentifier") {
      StrictHex.decodedCount($0).map { (1...32).contains($0) } ?? false
    }
    let type = try payload.string("paymentDataType") { $0.isText("3DSecure") || $0.isText("EMV") }
    let data = try payload.object("paymentData", membersBy: "13.4")
    paymentData = try PayloadPaymentData(isEMV: type.isText("EMV"), data, version: version)
    // 13.5
    let optional = PayloadObject(members: document.members, path: nil, rule: "13.5")
    cardholderName = try optional.optionalString("cardholderName")
    merchantTokenIdentifier = try optional.optionalString("merchantTokenIdentifier")
    authenticationResponses = try optional["authenticationResponses"].map(PayloadAuthenticationResponse.read)
    let metadata = optional["merchantTokenMetadata"]
    if metadata != nil { _ = try optional.object("merchantTokenMetadata", membersBy: "13.5") }
    merchantTokenMetadata = metadata?.text
  }
}

extension PayloadPaymentData {
  /// 13.4.
  fileprivate init(isEMV: Bool, _ data: PayloadObject, version: TokenVersion) throws(PayloadProblem) {
    try data.requireUniqueNames()
    guard isEMV else {
      self = .threeDSecure(
        onlinePaymentCryptogram: try data.string("onlinePaymentCryptogram", where: PayloadRules.isNonEmptyBase64),
        eciIndicator: try data.optionalString("eciIndicator") {
          (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit)
        })
      return
    }
    guard version.rules.allowsPINData || data["encryptedPINData"] == nil else {
      throw data.problem("encryptedPINData", .present)
    }
    self = .emv(
      emvData: try data.string("emvData", where: PayloadRules.isNonEmptyBase64),
      encryptedPINData: try data.optionalString("encryptedPINData") {
        (StrictHex.decodedCount($0) ?? 0) >= 1
      })
  }
}

extension PayloadAuthenticationResponse {
  /// 13.5: an array of objects, empty or not.
  fileprivate static func read(_ value: JSONValue) throws(PayloadProblem) -> [PayloadAuthenticationResponse] {
    let path = "authenticationResponses"
    guard case .array(let elements) = value.kind else {
      throw PayloadProblem(rule: "13.5", member: path, form: value.form)
    }
    var responses: [PayloadAuthenticationResponse] = []
    for element in elements {
      guard let members = element.members else {
        throw PayloadProblem(rule: "13.5", member: "\(path)[]", form: element.form)
      }
      let response = PayloadObject(members: members, path: "\(path)[]", rule: "13.5")
      try response.requireUniqueNames()
      responses.append(
        PayloadAuthenticationResponse(
          merchantIdentifier: try response.string("merchantIdentifier"),
          authenticationData: try response.string("authenticationData"),
          transactionAmount: try response.string("transactionAmount")))
    }
    return responses
  }
}

/// An object of the payload, and the rule by which its members are read.
private struct PayloadObject {
  let members: [JSONMember]
  /// The path of the object; nil for the payload itself.
  let path: String?
  /// The number of the rule for its members.
  let rule: String

  subscript(name: String) -> JSONValue? { members.value(of: name) }

  /// A problem with a member. A `form` of nil means that the member is absent.
  func problem(_ name: String, _ form: PayloadProblem.Form?, by rule: String? = nil) -> PayloadProblem {
    PayloadProblem(
      rule: rule ?? self.rule, member: path.map { "\($0).\(name)" } ?? name, form: form ?? .absent)
  }

  /// 13.1: at most 64 members, no name twice.
  func requireUniqueNames() throws(PayloadProblem) {
    guard members.count <= ReferenceDecryptor.maximumMemberCount else {
      throw PayloadProblem(rule: "13.1", member: path, form: .tooManyMembers)
    }
    guard members.repetitions.isEmpty else { throw PayloadProblem(rule: "13.1", member: path, form: .repeatedName) }
  }

  func string(
    _ name: String, where isValid: (WipedSlice) -> Bool = { _ in true }
  ) throws(PayloadProblem) -> WipedSlice {
    guard let text = self[name]?.string else { throw problem(name, self[name]?.form) }
    guard isValid(text) else { throw problem(name, .otherString) }
    return text
  }

  /// Nil when the member is absent. A null is malformed.
  func optionalString(
    _ name: String, where isValid: (WipedSlice) -> Bool = { _ in true }
  ) throws(PayloadProblem) -> WipedSlice? {
    guard self[name] != nil else { return nil }
    return try string(name, where: isValid)
  }

  func object(_ name: String, membersBy rule: String) throws(PayloadProblem) -> PayloadObject {
    guard let members = self[name]?.members else { throw problem(name, self[name]?.form) }
    return PayloadObject(members: members, path: name, rule: rule)
  }
}

extension JSONValue {
  /// The JSON type.
  package var form: PayloadProblem.Form {
    switch kind {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .null: .null
    }
  }
}

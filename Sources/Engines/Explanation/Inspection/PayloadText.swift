import ReferenceDecryption

/// The rule of stage 13 that a payload breaks, in words: the name and the form of a member, never its value.
extension PayloadProblem {
  private var name: String { member ?? "payload" }

  var finding: Finding { Finding(name, form.rawValue, expected: "\(demand) (rule \(rule))") }

  /// `transactionAmount, rule 13.3: it is a string, but must be an integer in minor units: …`
  var verdict: Verdict {
    let diagnosis = Diagnosis.unexpectedPayload
    return Verdict(
      diagnosis, "\(name), rule \(rule)", remedy: "it is \(form.rawValue), but must be \(demand): \(diagnosis.sentence)"
    )
  }

  private var demand: String {
    guard rule != "13.1" else {
      return "strict JSON in UTF-8, an object of at most 64 members with no name twice, without a byte-order mark and "
        + "with nothing after it"
    }
    return PayloadProblem.demands[name] ?? "a string"
  }

  private static let demands = [
    "applicationPrimaryAccountNumber": "a string of 12 to 19 digits",
    "applicationExpirationDate": "a string YYMMDD, a real date from 2000 to 2099",
    "currencyCode": "a string of three digits (ISO 4217 numeric)",
    "transactionAmount": "a number without quotation marks, an integer in minor units from 0, below 10^12",
    "deviceManufacturerIdentifier": "a string of 1 to 32 bytes in hexadecimal",
    "paymentDataType": "the string 3DSecure or EMV",
    "paymentData": "an object",
    "paymentData.onlinePaymentCryptogram": "a string of base64, not empty",
    "paymentData.eciIndicator": "a string of one or two digits, or absent",
    "paymentData.emvData": "a string of base64, not empty",
    "paymentData.encryptedPINData": "absent in EC_v1, and in RSA_v1 absent or a string of hexadecimal, not empty",
    "cardholderName": "a string or absent, not null",
    "merchantTokenIdentifier": "a string or absent, not null",
    "merchantTokenMetadata": "an object or absent, not null",
    "authenticationResponses": "an array of objects, or absent, not null",
    "authenticationResponses[]": "an object",
  ]
}

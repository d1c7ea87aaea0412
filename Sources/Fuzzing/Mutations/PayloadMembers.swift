extension Mutation {
  static let payloadMembers = Mutation(
    "payload-members", .payload, hunts: "payload members lost, doubled, renamed, retyped, too many or too deep"
  ) { draft, random in
    guard let payload = draft.payload, var tree = JSONPiece(payload) else { return false }
    for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&tree, names: PayloadNames.all, using: &random) }
    draft.replacePayload(with: random.chance(8) ? JSONEdits.spaced(tree.text, using: &random) : tree.text)
    return true
  }
}

/// The names that payloads know (Docs/Verification.md stage 13).
enum PayloadNames {
  static let all = [
    "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
    "deviceManufacturerIdentifier", "paymentDataType", "paymentData", "onlinePaymentCryptogram", "eciIndicator",
    "emvData", "encryptedPINData", "cardholderName", "authenticationResponses", "merchantIdentifier",
    "authenticationData", "merchantTokenIdentifier", "merchantTokenMetadata", "unknown", "", "😀",
  ]
}

extension Mutation {
  static let payloadOctets = Mutation(
    "payload-octets", .payload, hunts: "payload readers that differ behind all the cryptography, octet by octet"
  ) { draft, random in
    guard let payload = draft.payload else { return false }
    draft.replacePayload(with: OctetEdits.changed(payload, using: &random))
    return true
  }
}

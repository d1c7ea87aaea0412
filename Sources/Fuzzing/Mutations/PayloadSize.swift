extension Mutation {
  static let payloadSize = Mutation(
    "payload-size", .payload, hunts: "buffers for the largest ciphertext there can be in a token of 65,536 octets"
  ) { draft, random in
    guard var payload = draft.payload, !draft.tokenText.isEmpty else { return false }
    // What base64 makes of it, to the octet or a little off.
    let room = 65_536 - draft.tokenText.count
    let missing = room / 4 * 3 + random.pick([-12, -6, -3, 0, 0, 0, 3, 6, -random.below(400)])
    guard missing > 0 else { return false }
    payload += [UInt8](repeating: 0x20, count: missing)
    draft.replacePayload(with: payload)
    if random.chance(2) {
      draft.fields.applicationData = random.octets(32)
      draft.touch(.content)
    }
    return true
  }
}

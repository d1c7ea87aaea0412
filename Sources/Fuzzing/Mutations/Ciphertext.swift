extension Mutation {
  static let ciphertext = Mutation(
    "ciphertext", .content, hunts: "tags compared in part, data too short for one, ciphertext taken unauthenticated"
  ) { draft, random in
    guard var data = draft.fields.data, data.count >= 17 else { return false }
    switch random.below(8) {
    case 0, 1, 2: data[data.count - 1 - random.below(16)] ^= 1 << UInt8(random.below(8))
    case 3: data[random.below(data.count - 16)] ^= 1 << UInt8(random.below(8))
    case 4: data = Array(data.prefix(random.pick([0, 1, 15, 16, 17, 18, 32])))
    case 5: data = OctetEdits.resized(data, using: &random)
    case 6: data = Array(data.suffix(16))
    default: data.replaceSubrange((data.count - 16)..., with: [UInt8](repeating: 0, count: 16))
    }
    draft.fields.data = data
    draft.openPayload()
    draft.touch(.content)
    return true
  }
}

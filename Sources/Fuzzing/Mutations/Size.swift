extension Mutation {
  static let size = Mutation(
    "size", .tokenText, hunts: "the bounds of 65,536 and 262,144 octets, and buffers sized for less"
  ) { draft, random in
    guard !draft.tokenText.isEmpty, let brace = draft.tokenText.firstIndex(of: UInt8(ascii: "{")) else { return false }
    let size = random.near(random.pick([65_536, 65_536, 65_536, 4_096, 32_768, 131_072, 262_144]))
    let missing = size - draft.tokenText.count
    guard missing > 0 else { return false }
    let filler: UInt8 = random.pick([0x20, 0x0A, 0x20])
    switch random.below(3) {
    case 0: draft.tokenText += [UInt8](repeating: filler, count: missing)
    case 1: draft.tokenText.insert(contentsOf: [UInt8](repeating: filler, count: missing), at: brace + 1)
    default:
      guard missing > 12 else { return false }
      let member = Array("\"unknown\":\"".utf8) + [UInt8](repeating: 0x78, count: missing - 13) + Array("\",".utf8)
      draft.tokenText.insert(contentsOf: member, at: brace + 1)
    }
    draft.touch(.tokenText)
    return true
  }
}

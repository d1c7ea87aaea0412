extension Mutation {
  static let tokenOctets = Mutation(
    "token-octets", .tokenText, hunts: "JSON readers that differ: syntax, names, trailing octets"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    let place = Frame.place(in: draft.tokenText, using: &random)
    let range = max(0, place - 4)..<min(draft.tokenText.count, place + 5)
    draft.tokenText = OctetEdits.changed(draft.tokenText, within: range, using: &random)
    if random.chance(8) {
      draft.tokenText += random.pick([[0], [0x20], [0x7D], [0x7B, 0x7D], [0x2C], [0xEF, 0xBB, 0xBF]])
    }
    draft.token = nil
    draft.touch(.tokenText)
    return true
  }
}

/// Where the frame of a JSON document is: far from long runs of base64 and hexadecimal digits.
enum Frame {
  /// Three of four in the frame, one anywhere.
  static func place(in text: [UInt8], using random: inout QuickGenerator) -> Int {
    let index = random.below(text.count)
    if random.chance(4) { return index }
    var run = 0
    for offset in text.indices {
      let place = (index + offset) % text.count
      run = isRun(text[place]) ? run + 1 : 0
      if offset >= 24, run < 24 { return place }
    }
    return index
  }

  private static func isRun(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

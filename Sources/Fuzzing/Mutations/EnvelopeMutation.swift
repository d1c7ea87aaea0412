extension Mutation {
  /// Anywhere in a request, mostly around the token. Hunts readers that find the token, or miss it, in another place:
  /// names, nesting, repeated members, escapes, base64 of base64.
  static let envelope = Mutation(name: "envelope") { sample, random in
    let index = Int.random(in: sample.token.indices, using: &random)
    // Three of four in the frame: where no long run of base64 or hexadecimal digits is near.
    let isAnywhere = Int.random(in: 0..<4, using: &random) == 0
    let place = isAnywhere ? index : frame(of: sample.token, near: index)
    let range = max(0, place - 4)..<min(sample.token.count, place + 5)
    let mutated = OctetChange.apply(to: sample.token, within: range, using: &random)
    return MutatedToken(token: mutated, plaintext: sample.layers?.plaintext)
  }

  /// The first place from `index` on, and then from the start, that ends no run of 24 letters and digits.
  private static func frame(of request: [UInt8], near index: Int) -> Int {
    var run = 0
    for offset in request.indices {
      let place = (index + offset) % request.count
      run = isTokenText(request[place]) ? run + 1 : 0
      if offset >= 24, run < 24 { return place }
    }
    return index
  }

  private static func isTokenText(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

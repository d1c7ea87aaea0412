import Minting

extension Mutation {
  static let ephemeralKey = Mutation(
    "ephemeral-key", .content,
    hunts: "points off the curve, at infinity, compressed, of other curves, coordinates beyond p"
  ) { draft, random throws(MintingError) in
    guard draft.version == .ecV1, var key = draft.fields.key, key.count >= 65 else { return false }
    let point = key.count - 65
    switch random.below(12) {
    case 0: key[point] = random.pick([0, 1, 2, 3, 5, 6 + (key[key.count - 1] & 1), 7 - (key[key.count - 1] & 1), 0xFF])
    case 1: key[point + 1 + random.below(64)] ^= 1 << UInt8(random.below(8))
    case 2: if point > 0 { key[random.below(point)] ^= 1 << UInt8(random.below(8)) }
    case 3: key.replaceSubrange((point + 1)..., with: [UInt8](repeating: 0, count: 64))
    case 4:
      let field = PointEdges.prime
      key.replaceSubrange((point + 1)..<(point + 33), with: PointEdges.nearly(field, using: &random))
      // The point of x = 0 is on the curve: its x + p is the same beyond the field.
      if random.chance(2) { key.replaceSubrange((point + 33)..., with: PointEdges.rootOfB) }
    case 5: key = key.prefix(point) + PointEdges.xZero(odd: random.chance(2))
    // y and p − y, the other point of that x: another signature content, the same secret.
    case 6: key.replaceSubrange((point + 33)..., with: PointEdges.negated(Array(key[(point + 33)...])))
    case 7: key = try KeyPair(.p384, wideScalar: random.octets(64)).publicKeyInfo.encoded
    case 8: key = key.prefix(point) + (try KeyPair(.secp256k1, wideScalar: random.octets(48)).point)
    case 9: key = OctetEdits.resized(key, using: &random)
    case 10: key = [0x30, 0x81, 0x59] + key[2..<(key.count - 1)]
    default:
      try draft.takeFreshKey(using: &random)
      return true
    }
    draft.fields.key = key
    draft.openPayload()
    draft.touch(.content)
    return true
  }
}

/// Numbers at the edges of the field of P-256 (SEC 2, 2.4.2).
enum PointEdges {
  static let prime: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0xFF, count: 12)

  /// A square root of the curve's b: the y of the points whose x is 0.
  static let rootOfB: [UInt8] = [
    0x66, 0x48, 0x5C, 0x78, 0x0E, 0x2F, 0x83, 0xD7, 0x24, 0x33, 0xBD, 0x5D, 0x84, 0xA0, 0x6B, 0xB6, 0x54, 0x1C, 0x2A,
    0xF3, 0x1D, 0xAE, 0x87, 0x17, 0x28, 0xBF, 0x85, 0x6A, 0x17, 0x4F, 0x93, 0xF4,
  ]

  /// 04 ‖ 0 ‖ y.
  static func xZero(odd: Bool) -> [UInt8] {
    [4] + [UInt8](repeating: 0, count: 32) + (odd ? negated(rootOfB) : rootOfB)
  }

  /// p − y.
  static func negated(_ number: [UInt8]) -> [UInt8] {
    guard number.count == prime.count else { return number }
    var result = prime
    var borrow = 0
    for index in result.indices.reversed() {
      let difference = Int(prime[index]) - Int(number[index]) - borrow
      borrow = difference < 0 ? 1 : 0
      result[index] = UInt8(truncatingIfNeeded: difference)
    }
    return result
  }

  /// The number, or one or two more or less.
  static func nearly(_ number: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    var result = number
    result[result.count - 1] = result[result.count - 1] &+ random.pick([0, 0, 1, 2, 0xFF])
    if random.chance(4) { return [UInt8](repeating: 0xFF, count: number.count) }
    return result
  }
}

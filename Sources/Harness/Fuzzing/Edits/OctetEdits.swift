/// Changes of octets that know nothing of what they stand for.
package enum OctetEdits {
  /// Octets at which readers tend to differ: JSON's and base64's syntax, DER's tags and lengths, the ends of ranges.
  private static let telling: [UInt8] =
    Array("\"\\/{}[]:,+-=0AEeu \t\n".utf8) + [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31, 0x7F, 0x80, 0x81]
    + [0x82, 0x84, 0xA0, 0xA1, 0xA3, 0xBF, 0xC0, 0xED, 0xEF, 0xF4, 0xFE, 0xFF]

  /// The octets with one or two changes within `range`.
  package static func changed(
    _ octets: [UInt8], within range: Range<Int>? = nil, using random: inout QuickGenerator
  ) -> [UInt8] {
    var changed = octets
    var range = range ?? 0..<octets.count
    for _ in 0..<random.pick([1, 1, 2]) {
      guard !range.isEmpty else { return changed }
      let before = changed.count
      change(&changed, within: range, using: &random)
      range = range.lowerBound..<max(range.lowerBound, range.upperBound + changed.count - before)
    }
    return changed
  }

  private static func change(_ octets: inout [UInt8], within range: Range<Int>, using random: inout QuickGenerator) {
    let index = range.lowerBound + random.below(range.count)
    switch random.below(12) {
    case 0, 1: octets[index] ^= 1 << UInt8(random.below(8))
    case 2: octets[index] = random.octet()
    case 3, 4, 5: octets[index] = random.pick(telling)
    case 6: octets[index] = random.chance(2) ? octets[index] &+ 1 : octets[index] &- 1
    case 7, 8: octets.insert(random.pick(telling), at: index)
    case 9: octets.remove(at: index)
    case 10: octets.removeSubrange(index..<min(range.upperBound, index + 1 + random.below(16)))
    default: octets.swapAt(index, range.lowerBound + random.below(range.count))
    }
  }

  /// A value of fixed length that is nearly the same: one octet other, most often the last or the first.
  static func nearly(_ octets: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard !octets.isEmpty else { return octets }
    var changed = octets
    let index = random.pick([
      octets.count - 1, octets.count - 1, 0, random.below(octets.count), random.below(octets.count),
    ])
    changed[index] ^= random.pick([0x01, 0x80, 0xFF, 0x10])
    return changed
  }

  /// Longer or shorter by a little, or empty.
  static func resized(_ octets: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    switch random.below(6) {
    case 0: Array(octets.dropLast())
    case 1: Array(octets.dropFirst())
    case 2: octets + [random.pick([0x00, 0x00, 0x01, 0xFF])]
    case 3: [random.pick([0x00, 0x00, 0x01])] + octets
    case 4: random.chance(3) ? [] : Array(octets.prefix(random.pick([1, 15, 16, 17, 31, 64])))
    default: octets + octets.prefix(random.pick([1, 16, 32]))
    }
  }
}

/// Changes one or two octets of a layer.
enum OctetChange {
  /// Octets at which readers tend to differ: JSON's and base64's syntax, DER's tags and lengths, the ends of ranges.
  private static let telling: [UInt8] =
    Array("\"\\/{}[]:,+-=0AEeu \t\n".utf8) + [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31, 0x7F, 0x80, 0x81]
    + [0x82, 0x84, 0xA0, 0xA1, 0xA3, 0xBF, 0xC0, 0xED, 0xEF, 0xF4, 0xFE, 0xFF]

  /// The octets with one or two changes within `range`.
  static func apply(
    to octets: [UInt8], within range: Range<Int>? = nil, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var changed = octets
    var range = range ?? 0..<octets.count
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      guard !range.isEmpty else { return changed }
      let before = changed.count
      change(&changed, within: range, using: &random)
      range = range.lowerBound..<max(range.lowerBound, range.upperBound + changed.count - before)
    }
    return changed
  }

  private static func change(
    _ octets: inout [UInt8], within range: Range<Int>, using random: inout some RandomNumberGenerator
  ) {
    let index = Int.random(in: range, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: octets[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2, 3: octets[index] = UInt8.random(in: .min ... .max, using: &random)
    case 4, 5: octets[index] = telling.randomElement(using: &random) ?? 0
    case 6: octets[index] = random.next() & 1 == 0 ? octets[index] &+ 1 : octets[index] &- 1
    case 7: octets.insert(telling.randomElement(using: &random) ?? 0, at: index)
    case 8: octets.remove(at: index)
    default: octets.swapAt(index, Int.random(in: range, using: &random))
    }
  }
}

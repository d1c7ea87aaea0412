/// Edits of bytes without regard to their format.
package enum ByteEdits {
  /// Bytes at which parsers tend to differ: syntax of JSON and base64, tags and lengths of DER, ends of ranges.
  private static let edgeBytes: [UInt8] =
    Array("\"\\/{}[]:,+-=0AEeu \t\n".utf8) + [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31, 0x7F, 0x80, 0x81]
    + [0x82, 0x84, 0xA0, 0xA1, 0xA3, 0xBF, 0xC0, 0xED, 0xEF, 0xF4, 0xFE, 0xFF]

  /// Returns the bytes with one or two edits within `range`.
  package static func changed(
    _ bytes: [UInt8], within range: Range<Int>? = nil, using random: inout QuickGenerator
  ) -> [UInt8] {
    var changed = bytes
    var range = range ?? 0..<bytes.count
    for _ in 0..<random.pick([1, 1, 2]) {
      guard !range.isEmpty else { return changed }
      let before = changed.count
      change(&changed, within: range, using: &random)
      range = range.lowerBound..<max(range.lowerBound, range.upperBound + changed.count - before)
    }
    return changed
  }

  private static func change(_ bytes: inout [UInt8], within range: Range<Int>, using random: inout QuickGenerator) {
    let index = range.lowerBound + random.below(range.count)
    switch random.below(12) {
    case 0, 1: bytes[index] ^= 1 << UInt8(random.below(8))
    case 2: bytes[index] = random.byte()
    case 3, 4, 5: bytes[index] = random.pick(edgeBytes)
    case 6: bytes[index] = random.chance(2) ? bytes[index] &+ 1 : bytes[index] &- 1
    case 7, 8: bytes.insert(random.pick(edgeBytes), at: index)
    case 9: bytes.remove(at: index)
    case 10: bytes.removeSubrange(index..<min(range.upperBound, index + 1 + random.below(16)))
    default: bytes.swapAt(index, range.lowerBound + random.below(range.count))
    }
  }

  /// Returns a value of the same length with one byte changed, most often the last or the first.
  static func nearly(_ bytes: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    var changed = bytes
    let index = random.pick([
      bytes.count - 1, bytes.count - 1, 0, random.below(bytes.count), random.below(bytes.count),
    ])
    changed[index] ^= random.pick([0x01, 0x80, 0xFF, 0x10])
    return changed
  }

  /// Returns a text one character longer or shorter, or with one character replaced by its neighbour or other case.
  static func offByOne(_ text: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard !text.isEmpty else { return [0x30] }
    var changed = text
    let index = random.pick([0, text.count - 1, random.below(text.count)])
    switch random.below(5) {
    case 0: changed.removeLast()
    case 1: changed.append(random.pick([0x30, 0x31, 0x20, 0x00]))
    case 2: changed[index] ^= 0x20
    case 3: changed[index] = changed[index] &+ 1
    default: changed[index] = changed[index] &- 1
    }
    return changed
  }

  /// Returns the bytes slightly longer or shorter, or empty.
  static func resized(_ bytes: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    switch random.below(6) {
    case 0: Array(bytes.dropLast())
    case 1: Array(bytes.dropFirst())
    case 2: bytes + [random.pick([0x00, 0x00, 0x01, 0xFF])]
    case 3: [random.pick([0x00, 0x00, 0x01])] + bytes
    case 4: random.chance(3) ? [] : Array(bytes.prefix(random.pick([1, 15, 16, 17, 31, 64])))
    default: bytes + bytes.prefix(random.pick([1, 16, 32]))
    }
  }
}

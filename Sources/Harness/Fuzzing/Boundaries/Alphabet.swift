/// The characters of a text format, and those just outside its ranges, which an off-by-one comparison would accept.
struct Alphabet: Sendable {
  let members: [UInt8]
  /// The characters one below and one above each range, without members of other ranges.
  let neighbours: [UInt8]
  /// Other characters that readers have accepted.
  let others: [UInt8]
  /// Whether a character is a member, by its code.
  private let bits: [Bool]

  init(_ ranges: [ClosedRange<Character>], others: [UInt8]) {
    let ranges = ranges.compactMap { range -> ClosedRange<UInt8>? in
      guard let low = range.lowerBound.asciiValue, let high = range.upperBound.asciiValue else { return nil }
      return low...high
    }
    let members = ranges.flatMap { Array($0) }
    self.members = members
    self.others = others
    bits = (0...255 as ClosedRange<UInt8>).map { members.contains($0) }
    neighbours = Set(ranges.flatMap { [$0.lowerBound - 1, $0.upperBound + 1] }).subtracting(members).sorted()
  }

  /// A character that is not one of the format, usually a neighbour.
  func stranger(using random: inout QuickGenerator) -> UInt8 {
    random.pick(random.chance(4) ? others : neighbours)
  }

  func contains(_ character: UInt8) -> Bool { bits[Int(character)] }

  static let decimal = Alphabet(["0"..."9"], others: [0x20, 0x00, 0x7F, 0x80])
  static let hexadecimal = Alphabet(["0"..."9", "A"..."F", "a"..."f"], others: Array("xXzZ \0".utf8))
  static let base64 = Alphabet(
    ["0"..."9", "A"..."Z", "a"..."z", "+"..."+", "/"..."/"], others: Array("=-_ \n\0".utf8) + [0x7F, 0x80])
}

/// Edits of base64 text.
enum Base64Edits {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Sets one of the unused trailing bits, which must be zero.
  static func setUnusedBits(_ text: inout [UInt8], using random: inout QuickGenerator) {
    guard let last = text.lastIndex(where: { $0 != UInt8(ascii: "=") }),
      let value = alphabet.firstIndex(of: text[last])
    else { return }
    let unused = text.count - 1 - last == 2 ? 4 : 2
    text[last] = alphabet[value ^ (1 << random.below(unused))]
  }
}

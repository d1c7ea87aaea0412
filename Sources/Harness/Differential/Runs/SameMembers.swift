import StrictJSON

/// Whether two plaintexts are the same JSON in other bytes, as from a library that returns parsed members: white space,
/// the order of members, escapes and the spelling of numbers do not count.
///
/// - Returns: false if either is not JSON.
func haveSameMembers(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  do {
    return try JSON(reading: left.span).means(JSON(reading: right.span))
  } catch {
    return false
  }
}

extension JSON {
  fileprivate func means(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.number(let left), .number(let right)): left == right || Numeral(left).map { $0 == Numeral(right) } ?? false
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
    case (.object(let left), .object(let right)):
      // Names are unique: the reader ensures it.
      left.count == right.count
        && left.allSatisfy { member in other[member.name].map { member.value.means($0) } ?? false }
    default: false
    }
  }
}

/// A number by its value: digits without zeros at either end, times a power of ten.
private struct Numeral: Equatable {
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Reads a number of JSON; nil if its exponent is too large.
  init?(_ text: String) {
    let parts = text.utf8.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
    let mantissa = parts[0].drop { $0 == UInt8(ascii: "-") }
    guard let shift = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0, abs(shift) < 1 << 32 else {
      return nil
    }
    let zero = UInt8(ascii: "0")
    let pair = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    var digits = Array((Array(pair[0]) + (pair.count > 1 ? Array(pair[1]) : [])).drop { $0 == zero })
    var exponent = shift - (pair.count > 1 ? pair[1].count : 0)
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    self.isNegative = text.hasPrefix("-") && !digits.isEmpty
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
  }
}

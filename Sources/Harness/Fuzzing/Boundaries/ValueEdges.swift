import Minting
import PaymentToken

/// Dates and times at the edges of the calendar (Docs/Verification.md 5.12 and 13.2).
enum CalendarEdges {
  /// Months, with days at the edges of each month or one beyond. The months 0 and 13 do not exist.
  private static let days: [(month: Int, days: [Int])] = [
    (0, [1]), (1, [0, 1, 31, 32]), (2, [28, 29, 30]), (3, [31, 32]), (4, [30, 31]), (6, [30, 31]), (7, [31]),
    (8, [31, 32]), (9, [30, 31]), (11, [30, 31]), (12, [0, 1, 31, 32]), (13, [1]),
  ]

  /// YYMMDD; sometimes with a digit more or less, or with a character that is no digit.
  static func date(using random: inout QuickGenerator) -> [UInt8] {
    let (month, days) = random.pick(Self.days)
    let year = random.pick([0, 0, 1, 4, 23, 24, 28, 30, 99])
    var text = (padded(year, 2) + padded(month, 2) + padded(random.pick(days), 2))
    switch random.below(8) {
    case 0, 1: text = random.chance(2) ? Array(text.dropLast()) : text + [random.pick(Alphabet.decimal.members)]
    case 2: text[random.below(text.count)] = Alphabet.decimal.stranger(using: &random)
    default: break
    }
    return text
  }

  /// A UTCTime or GeneralizedTime. Its date and one part of its time may be at the edge of their range, or beyond.
  static func time(using random: inout QuickGenerator) -> ASN1Node {
    let isLong = random.chance(2)
    let (month, days) = random.chance(2) ? (3, [1]) : random.pick(Self.days)
    let year =
      isLong
      ? random.pick([0, 1899, 1900, 1949, 1950, 2000, 2024, 2026, 2049, 2050, 2100, 9999])
      : random.pick([0, 0, 24, 26, 49, 50, 99])
    // One part at its limit, the others valid.
    var parts = [12, 30, 30]
    let limits = [[0, 23, 24], [0, 59, 60], [0, 59, 60, 60, 61]]
    let part = random.below(3)
    parts[part] = random.pick(limits[part])
    var text = padded(year, isLong ? 4 : 2) + padded(month, 2) + padded(random.pick(days), 2)
    for part in parts { text += padded(part, 2) }
    if random.chance(6) { text[random.below(text.count)] = random.pick(Alphabet.decimal.neighbours) }
    return ASN1Node(identifier: [isLong ? 0x18 : 0x17], body: .primitive(text + [UInt8(ascii: "Z")]))
  }

  /// A time in one of the spellings of ASN.1, or a malformed one, or another at an edge of the calendar.
  static func node(near time: UnixTime, using random: inout QuickGenerator) -> ASN1Node {
    switch random.below(7) {
    case 0: random.pick(ASN1Edits.times)
    case 1: .generalizedTime(time.generalizedTimeText)
    case 2:
      ASN1Node(identifier: [0x17], body: .primitive(ByteEdits.changed(Array(time.utcTimeText.utf8), using: &random)))
    case 3, 4: Self.time(using: &random)
    default: .time(time)
    }
  }

  private static func padded(_ number: Int, _ count: Int) -> [UInt8] {
    let digits = Array(String(number).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, count - digits.count)) + digits
  }
}

/// JSON numbers at the limits of rule 13.3: the values 0, 10^12 − 1 and 10^12, exponents near 12, and fractions.
enum AmountEdges {
  /// A value at a limit in one of its spellings.
  static func text(using random: inout QuickGenerator) -> [UInt8] {
    let value = random.pick(["0", "1", "999999999999", "1000000000000", "1000000000001", "100000000000", "1250"])
    return spelled(Array(value.utf8), using: &random)
  }

  /// Writes an integer with a fraction and an exponent. In most cases its value stays the same.
  static func spelled(_ digits: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return digits }
    // The point moves to the left by `shift` places, and the exponent moves it back.
    let shift = random.pick([0, 0, 1, 2, 11, 12, 12, 13, 13])
    let wide = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, shift + 1 - digits.count)) + digits
    var text = Array(wide.dropLast(shift))
    let fraction = Array(wide.suffix(shift))
    if shift > 0 { text += [UInt8(ascii: ".")] + fraction }
    if random.chance(4) { text += (shift == 0 ? Array(".0".utf8) : Array("0".utf8)) }
    guard shift > 0 || random.chance(2) else { return text }
    let exponent = max(0, shift + random.pick([0, 0, 0, 0, -1, 1]))
    text.append(random.pick(Array("eE".utf8)))
    text += Array(random.pick(["", "", "+", "+", "-"]).utf8)
    text += [UInt8](repeating: UInt8(ascii: "0"), count: random.pick([0, 0, 1, 2]))
    return text + Array(String(exponent).utf8)
  }
}

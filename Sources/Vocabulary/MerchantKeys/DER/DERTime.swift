package import PaymentToken

extension DERElement {
  /// The value as a time: UTCTime `YYMMDDhhmmssZ` (00-49 is 20YY, 50-99 is 19YY) or GeneralizedTime
  /// `YYYYMMDDhhmmssZ`, a real date and time of day (rule 5.12; RFC 5280 section 4.1.2.5).
  ///
  /// - Throws: `DERError.unexpectedValue` for anything else.
  package func time() throws(DERError) -> UnixTime {
    let yearDigits: Int
    switch tag {
    case .utcTime: yearDigits = 2
    case .generalizedTime: yearDigits = 4
    default: throw .unexpectedValue
    }
    guard contents.count == yearDigits + 11, contents.last == UInt8(ascii: "Z"),
      let digits = DERElement.decimalDigits(contents.dropLast())
    else { throw .unexpectedValue }
    var year = digits.prefix(yearDigits).reduce(0) { $0 * 10 + $1 }
    if yearDigits == 2 { year += year < 50 ? 2000 : 1900 }
    let fields = stride(from: yearDigits, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    guard
      let time = UnixTime(
        year: year, month: fields[0], day: fields[1], hour: fields[2], minute: fields[3], second: fields[4])
    else { throw .unexpectedValue }
    return time
  }

  private static func decimalDigits(_ text: ArraySlice<UInt8>) -> [Int]? {
    var digits: [Int] = []
    for byte in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      digits.append(Int(byte - UInt8(ascii: "0")))
    }
    return digits
  }
}

import PaymentToken

extension DERScanner {
  /// Reads a UTCTime or GeneralizedTime with seconds and Z (Docs/Verification.md 5.12; RFC 5280 4.1.2.5).
  mutating func time() throws(MalformedDER) -> UnixTime {
    let element = try element()
    let digits = element.content
    let isShort = element.tag == DERTag.utcTime && digits.count == 13
    let isLong = element.tag == DERTag.generalizedTime && digits.count == 15
    guard isShort || isLong, input[digits.upperBound - 1] == UInt8(ascii: "Z") else { throw MalformedDER() }
    var at = digits.lowerBound
    func pair() throws(MalformedDER) -> Int {
      let tens = input[at] &- UInt8(ascii: "0")
      let ones = input[at + 1] &- UInt8(ascii: "0")
      guard tens <= 9, ones <= 9 else { throw MalformedDER() }
      at += 2
      return Int(tens) * 10 + Int(ones)
    }
    var year = try pair()
    if isShort {
      year += year < 50 ? 2000 : 1900
    } else {
      year = year * 100 + (try pair())
    }
    let (month, day, hour, minute, second) = (try pair(), try pair(), try pair(), try pair(), try pair())
    guard
      let time = UnixTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { throw MalformedDER() }
    return time
  }
}

/// A point in time in whole seconds since 1970-01-01T00:00:00Z, without leap seconds (POSIX time).
@frozen
public struct UnixTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Seconds since the epoch; negative before it.
  public let secondsSinceEpoch: Int64

  /// The time `secondsSinceEpoch` seconds after the epoch.
  @inlinable
  public init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// A date and time of the proleptic Gregorian calendar in UTC; nil when there is no such date or time.
  ///
  /// - Parameters:
  ///   - year: 0...9999, all four digits.
  ///   - month: 1...12.
  ///   - day: 1...31, within the month.
  ///   - hour: 0...23.
  ///   - minute: 0...59.
  ///   - second: 0...59. Leap seconds are rejected (rule 5.12).
  @inlinable
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...UnixTime.days(inMonth: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    // Counts days in years that begin in March, so that the leap day comes last, from 1 March of the year -400.
    let years = (month <= 2 ? year - 1 : year) + 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 865_565
    secondsSinceEpoch = Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// The number of days of a month (1...12) in the Gregorian calendar.
  @inlinable
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// Whether the first time is earlier.
  @inlinable
  public static func < (left: UnixTime, right: UnixTime) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }

  /// The absolute distance to another time in seconds. It never overflows.
  @inlinable
  public func absoluteDistance(to other: UnixTime) -> UInt64 {
    let (high, low) =
      self < other
      ? (other.secondsSinceEpoch, secondsSinceEpoch) : (secondsSinceEpoch, other.secondsSinceEpoch)
    return UInt64(bitPattern: high &- low)
  }
}

// RFC 3339 text in whole seconds.
extension UnixTime {
  /// Reads RFC 3339 text: `YYYY-MM-DDThh:mm:ssZ`, or an offset `+hh:mm` or `-hh:mm` instead of `Z`. Nil for fractions
  /// of a second and anything else.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 25 else { return nil }
    let separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard separators.allSatisfy({ bytes[$0.0] == $0.1.asciiValue }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let local = UnixTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    if bytes.count == 20 {
      guard bytes[19] == UInt8(ascii: "Z") else { return nil }
      self = local
      return
    }
    guard bytes[19] == UInt8(ascii: "+") || bytes[19] == UInt8(ascii: "-"), bytes[22] == UInt8(ascii: ":"),
      let offsetHours = number(20..<22), let offsetMinutes = number(23..<25), offsetHours < 24, offsetMinutes < 60
    else { return nil }
    let offset = Int64(offsetHours * 3_600 + offsetMinutes * 60)
    let sign: Int64 = bytes[19] == UInt8(ascii: "+") ? 1 : -1
    self.init(secondsSinceEpoch: local.secondsSinceEpoch - sign * offset)
  }

  /// The calendar fields in UTC.
  public var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    let days = Int(secondsSinceEpoch.flooredQuotient(by: 86_400))
    let remainder = Int(secondsSinceEpoch % 86_400)
    let second = remainder < 0 ? remainder + 86_400 : remainder
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day, second / 3_600, second / 60 % 60, second % 60)
  }

  /// The time as RFC 3339 text, `YYYY-MM-DDThh:mm:ssZ`.
  public var rfc3339: String {
    let time = civil
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(time.year, 4) + "-" + padded(time.month, 2) + "-" + padded(time.day, 2) + "T"
      + padded(time.hour, 2) + ":" + padded(time.minute, 2) + ":" + padded(time.second, 2) + "Z"
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

import PaymentToken
import Testing

/// Compares dates and times with a calendar that counts every day and shares no formula with `UnixTime`.
@Suite struct CalendarTests {
  /// A date that can step to the next and the previous day.
  struct Date: Equatable {
    var year: Int
    var month: Int
    var day: Int

    static func length(of month: Int, in year: Int) -> Int {
      let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      return lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
    }

    mutating func advance() {
      day += 1
      guard day > Date.length(of: month, in: year) else { return }
      (month, day) = (month + 1, 1)
      if month > 12 { (year, month) = (year + 1, 1) }
    }

    mutating func retreat() {
      day -= 1
      guard day < 1 else { return }
      month -= 1
      if month < 1 { (year, month) = (year - 1, 12) }
      day = Date.length(of: month, in: year)
    }
  }

  /// Whether `UnixTime` converts a day number to a date and back, at the first and the last second of the day.
  private static func agrees(_ number: Int64, _ date: Date) -> Bool {
    let (first, last) = (number * 86_400, number * 86_400 + 86_399)
    for (seconds, clock) in [(first, (0, 0, 0)), (last, (23, 59, 59))] {
      let civil = UnixTime(secondsSinceEpoch: seconds).civil
      guard (civil.year, civil.month, civil.day) == (date.year, date.month, date.day),
        (civil.hour, civil.minute, civil.second) == clock
      else { return false }
      let time = UnixTime(
        year: date.year, month: date.month, day: date.day, hour: clock.0, minute: clock.1, second: clock.2)
      guard time?.secondsSinceEpoch == (date.year < 0 ? nil : seconds) else { return false }
    }
    return true
  }

  @Test func `every day from 1970 to 2810 is the next of the one before`() {
    var date = Date(year: 1970, month: 1, day: 1)
    var number: Int64 = 0
    while date.year <= 2810 {
      guard Self.agrees(number, date) else {
        Issue.record("day \(number) is \(date)")
        return
      }
      date.advance()
      number += 1
    }
    #expect(number == 307_169)
  }

  @Test func `every day from 1970 back to the year -810 is the one before the next`() {
    var date = Date(year: 1970, month: 1, day: 1)
    var number: Int64 = 0
    while date.year >= -810 {
      guard Self.agrees(number, date) else {
        Issue.record("day \(number) is \(date)")
        return
      }
      date.retreat()
      number -= 1
    }
    #expect(number == -1_015_375)
  }

  @Test func `every second of a day before and after the epoch has its time of day`() {
    for day in [-1, 0, 1] as [Int64] {
      var second: Int64 = 0
      for hour in 0..<24 {
        for minute in 0..<60 {
          for within in 0..<60 {
            let civil = UnixTime(secondsSinceEpoch: day * 86_400 + second).civil
            if (civil.hour, civil.minute, civil.second) != (hour, minute, within)
              || civil.day != [31, 1, 2][Int(day + 1)]
            {
              Issue.record("second \(second) of day \(day) is \(civil)")
              return
            }
            second += 1
          }
        }
      }
    }
  }

  @Test(arguments: [0, 4, 100, 400, 1899, 1900, 1970, 2000, 2023, 2024, 2026, 2100, 9999])
  func `a date and time exist within their limits only`(year: Int) {
    for month in -1...14 {
      let days = (1...12).contains(month) ? Date.length(of: month, in: year) : 0
      if days > 0 { #expect(UnixTime.days(inMonth: month, of: year) == days) }
      for day in -1...33 {
        let exists = UnixTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) != nil
        #expect(exists == (day >= 1 && day <= days), "\(year)-\(month)-\(day)")
      }
    }
    for value in -2...62 {
      #expect((UnixTime(year: year, month: 1, day: 1, hour: value, minute: 0, second: 0) != nil) == (0..<24 ~= value))
      #expect((UnixTime(year: year, month: 1, day: 1, hour: 0, minute: value, second: 0) != nil) == (0..<60 ~= value))
      #expect((UnixTime(year: year, month: 1, day: 1, hour: 0, minute: 0, second: value) != nil) == (0..<60 ~= value))
    }
  }

  @Test func `years have zero to four digits`() {
    for (year, exists) in [(-1, false), (0, true), (1, true), (9999, true), (10_000, false)] {
      #expect((UnixTime(year: year, month: 3, day: 1, hour: 0, minute: 0, second: 0) != nil) == exists, "\(year)")
    }
  }

  @Test(
    arguments: [
      (Int64.min, Int64.min, 0), (.min, .max, .max), (0, .max, UInt64(Int64.max)), (-1, 0, 1), (-1, 1, 2), (5, 3, 2),
      (7, 7, 0),
    ] as [(Int64, Int64, UInt64)])
  func `the distance is the same both ways`(_ left: Int64, _ right: Int64, _ expected: UInt64) {
    let (left, right) = (UnixTime(secondsSinceEpoch: left), UnixTime(secondsSinceEpoch: right))
    #expect(left.absoluteDistance(to: right) == expected && right.absoluteDistance(to: left) == expected)
    #expect((left < right) == (left.secondsSinceEpoch < right.secondsSinceEpoch))
    #expect((right < left) == (right.secondsSinceEpoch < left.secondsSinceEpoch))
  }
}

/// Compares the reader of RFC 3339 text with one that reads one character after the other.
@Suite struct RFC3339Tests {
  /// The seconds since 1970 that a text means, by the grammar and by counting days; nil if it is no time.
  private static func seconds(_ text: [UInt8]) -> Int64? {
    let pattern = Array("dddd-dd-ddTdd:dd:dd".utf8)
    let ends = [Array("Z".utf8), Array("+dd:dd".utf8), Array("-dd:dd".utf8)]
    func fits(_ pattern: [UInt8]) -> Bool {
      pattern.count == text.count
        && zip(pattern, text).allSatisfy { $0 == UInt8(ascii: "d") ? (0x30...0x39).contains($1) : $0 == $1 }
    }
    guard ends.contains(where: { fits(pattern + $0) }) else { return nil }
    func number(_ first: Int, _ count: Int) -> Int {
      Int(String(decoding: text[first..<first + count], as: UTF8.self)) ?? -1
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    guard (1...12).contains(month), day >= 1, day <= CalendarTests.Date.length(of: month, in: year), hour < 24,
      minute < 60, second < 60
    else { return nil }
    // From 2000-03-01, day 11,017.
    var days = 11_017
    var at = CalendarTests.Date(year: 2000, month: 3, day: 1)
    let wanted = CalendarTests.Date(year: year, month: month, day: day)
    while at.year < year { (days, at.year) = (days + length(from: at.year), at.year + 1) }
    while at.year > year { (days, at.year) = (days - length(from: at.year - 1), at.year - 1) }
    while (at.month, at.day) < (month, day) { (days, at) = (days + 1, following(at)) }
    while (at.month, at.day) > (month, day) { (days, at) = (days - 1, preceding(at)) }
    guard at == wanted else { return nil }
    let local = Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
    guard text.count == 25 else { return local }
    let (hours, minutes) = (number(20, 2), number(23, 2))
    guard hours < 24, minutes < 60 else { return nil }
    let offset = Int64(hours * 3_600 + minutes * 60)
    return text[19] == UInt8(ascii: "+") ? local - offset : local + offset
  }

  /// The days from 1 March of a year to the next.
  private static func length(from year: Int) -> Int { CalendarTests.Date.length(of: 2, in: year + 1) == 29 ? 366 : 365 }

  private static func following(_ date: CalendarTests.Date) -> CalendarTests.Date {
    var date = date
    date.advance()
    return date
  }

  private static func preceding(_ date: CalendarTests.Date) -> CalendarTests.Date {
    var date = date
    date.retreat()
    return date
  }

  private static func check(_ text: [UInt8]) {
    let read = UnixTime(rfc3339: String(decoding: text, as: UTF8.self))?.secondsSinceEpoch
    let expected = seconds(text)
    #expect(read == expected, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test(arguments: [
    "1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "2026-11-23T05:30:07+01:30", "1999-12-31T19:08:45-23:59",
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
  ])
  func `a text with any byte changed, dropped or added is read as what it says, or not`(_ text: String) {
    let bytes = Array(text.utf8)
    Self.check(bytes)
    for index in bytes.indices {
      // Only ASCII: bytes of longer characters are never part of a time.
      for byte in UInt8.min..<0x80 {
        var changed = bytes
        changed[index] = byte
        Self.check(changed)
      }
      Self.check(Array(bytes[..<index]))
      Self.check(Array(bytes[..<index] + bytes[(index + 1)...]))
      Self.check(Array(bytes[..<index] + [UInt8(ascii: "0")] + bytes[index...]))
    }
    for more in ["0", "Z", "00000", "00000Z", "+00:0", "+00:00"] { Self.check(bytes + Array(more.utf8)) }
    #expect(UnixTime(rfc3339: "é" + text.dropFirst(2)) == nil)
  }

  @Test func `every offset is subtracted`() {
    for sign in ["+", "-"] {
      for hours in 0..<30 {
        for minutes in 0..<70 {
          func two(_ value: Int) -> String { String(value / 10) + String(value % 10) }
          Self.check(Array("2026-03-01T12:00:00\(sign)\(two(hours)):\(two(minutes))".utf8))
        }
      }
    }
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (1_003_004_709, "2001-10-13T20:25:09Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_135_596_801, "0000-12-31T23:59:59Z"),
    (-59_929_098_894, "0070-12-03T04:05:06Z"),
  ])
  func `a time is written with zeros in front of each number`(_ seconds: Int64, _ expected: String) {
    #expect(UnixTime(secondsSinceEpoch: seconds).rfc3339 == expected)
  }

  @Test func `what is written is read again, for every second digit and every month`() {
    for seconds in stride(from: Int64(-62_167_219_200), to: 253_402_300_800, by: 86_400 * 97 + 3_671) {
      let time = UnixTime(secondsSinceEpoch: seconds)
      #expect(UnixTime(rfc3339: time.rfc3339) == time)
    }
  }
}

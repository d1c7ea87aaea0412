import PaymentToken
import Testing

@Suite struct UnixTimeTests {
  @Test func `the civil calendar round-trips over every day from year 0 to 9999`() {
    var failures = 0
    for day in Int64(-719_468 + 60)..<Int64(2_932_896) {
      let time = UnixTime(secondsSinceEpoch: day * 86_400 + 86_399)
      let civil = time.civil
      let again = UnixTime(
        year: civil.year, month: civil.month, day: civil.day, hour: civil.hour, minute: civil.minute,
        second: civil.second)
      if again != time { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func `every time has calendar fields`() {
    for seconds in [Int64.min, .min + 1, .max, -86_401, -86_400, -1] {
      let civil = UnixTime(secondsSinceEpoch: seconds).civil
      let second = Int64(civil.hour * 3_600 + civil.minute * 60 + civil.second)
      #expect(second == (seconds % 86_400 + 86_400) % 86_400)
      #expect((1...12).contains(civil.month) && (1...31).contains(civil.day), "\(seconds)")
    }
  }

  @Test func `dates that do not exist are rejected`() {
    #expect(UnixTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0) == nil)
    #expect(UnixTime(year: 1900, month: 2, day: 29, hour: 0, minute: 0, second: 0) == nil)
    #expect(UnixTime(year: 2000, month: 2, day: 29, hour: 0, minute: 0, second: 0) != nil)
    #expect(UnixTime(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60) == nil)
    #expect(UnixTime(year: 2024, month: 13, day: 1, hour: 0, minute: 0, second: 0) == nil)
  }

  @Test func `RFC 3339 text is read with Z or an offset and written with Z`() {
    #expect(UnixTime(rfc3339: "1970-01-01T00:00:00Z")?.secondsSinceEpoch == 0)
    #expect(UnixTime(rfc3339: "2023-09-13T15:49:38+02:00")?.rfc3339 == "2023-09-13T13:49:38Z")
    #expect(UnixTime(rfc3339: "2023-09-13T13:49:38.5Z") == nil)
    #expect(UnixTime(rfc3339: "2023-09-13 13:49:38Z") == nil)
  }

  @Test func `the distance of any two times does not overflow`() {
    let first = UnixTime(secondsSinceEpoch: .min)
    let last = UnixTime(secondsSinceEpoch: .max)
    #expect(first.absoluteDistance(to: last) == .max)
    #expect(last.absoluteDistance(to: first) == .max)
  }
}

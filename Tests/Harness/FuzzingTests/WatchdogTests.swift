import Fuzzing
import Testing

struct WatchdogTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `timely observations count in full, a late one for a second, and another input starts from zero`() {
    var watchdog = Watchdog()
    #expect(watchdog.seconds(since: 5, now: 10 * Self.second) == 0)
    #expect(watchdog.seconds(since: 5, now: 10 * Self.second + Self.second / 2) == 0.5)
    // The machine stood still for a minute.
    #expect(watchdog.seconds(since: 5, now: 70 * Self.second) == 1.5)
    for step in 1...20 as ClosedRange<UInt64> {
      #expect(watchdog.seconds(since: 5, now: (70 + step) * Self.second) == 1.5 + Double(step))
    }
    #expect(watchdog.seconds(since: 6, now: 91 * Self.second) == 0)
    #expect(watchdog.seconds(since: 6, now: 92 * Self.second) == 1)
  }
}

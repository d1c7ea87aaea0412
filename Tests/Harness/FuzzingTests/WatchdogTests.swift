import Fuzzing
import Testing

struct WatchdogTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `timely observations count in full, a late one for a second, and another input starts from zero`() {
    var watchdog = Watchdog()
    #expect(watchdog.seconds(since: 5, now: 10 * Self.second, processorTime: nil) == 0)
    #expect(watchdog.seconds(since: 5, now: 10 * Self.second + Self.second / 2, processorTime: nil) == 0.5)
    // The machine was suspended for a minute.
    #expect(watchdog.seconds(since: 5, now: 70 * Self.second, processorTime: nil) == 1.5)
    for step in 1...20 as ClosedRange<UInt64> {
      #expect(watchdog.seconds(since: 5, now: (70 + step) * Self.second, processorTime: nil) == 1.5 + Double(step))
    }
    #expect(watchdog.seconds(since: 6, now: 91 * Self.second, processorTime: nil) == 0)
    #expect(watchdog.seconds(since: 6, now: 92 * Self.second, processorTime: nil) == 1)
  }

  @Test func `a worker that gets no processor is not late, one that computes or waits forever is`() {
    var watchdog = Watchdog()
    #expect(watchdog.seconds(since: 5, now: 10 * Self.second, processorTime: 3 * Self.second) == 0)
    // Half of a processor, as beside other programs.
    #expect(watchdog.seconds(since: 5, now: 11 * Self.second, processorTime: 3 * Self.second + Self.second / 2) == 0.5)
    // None at all, as when starved by other programs or blocked.
    #expect(watchdog.seconds(since: 5, now: 12 * Self.second, processorTime: 3 * Self.second + Self.second / 2) == 0.6)
    // Several threads together count no more than the wall clock.
    #expect(watchdog.seconds(since: 5, now: 13 * Self.second, processorTime: 8 * Self.second) == 1.6)
  }
}

import CMachine
import HostIO

/// The clock that times slices: the processor's time-stamp counter if its rate is constant, else the monotonic clock.
///
/// Reading the counter takes a third of the time, which disturbs short slices less.
public struct SliceClock: Hashable, Sendable {
  /// Ticks per second; nil if the system's clock is used, whose ticks are nanoseconds.
  public let counterFrequency: Double?

  /// The clock of this machine. Calibrating the counter takes 10 ms once.
  public static let current = SliceClock()

  private static let calibration: UInt64 = 10_000_000

  private init() {
    guard assay_has_invariant_tsc() == 1 else {
      counterFrequency = nil
      return
    }
    let start = Self.simultaneousReadings()
    while MonotonicClock.nanoseconds - start.time < Self.calibration {}
    let end = Self.simultaneousReadings()
    let frequency = Double(end.ticks &- start.ticks) / Double(end.time - start.time) * 1e9
    counterFrequency = frequency > 1e6 ? frequency : nil
  }

  /// Both clocks read at one instant, within tens of nanoseconds: the closest of 16 pairs, since the thread may be
  /// preempted between two readings.
  package static func simultaneousReadings() -> (time: UInt64, ticks: UInt64) {
    var closest = (time: UInt64(0), ticks: UInt64(0), gap: UInt64.max)
    for _ in 0..<16 {
      let before = assay_read_tsc()
      let time = MonotonicClock.nanoseconds
      let gap = assay_read_tsc() &- before
      if gap < closest.gap { closest = (time, before &+ gap / 2, gap) }
    }
    return (closest.time, closest.ticks)
  }

  /// The current reading.
  @inline(__always)
  var ticks: UInt64 { counterFrequency == nil ? MonotonicClock.nanoseconds : assay_read_tsc() }

  /// Nanoseconds between two readings.
  package func nanoseconds(from start: UInt64, to end: UInt64) -> Double {
    let ticks = Double(end &- start)
    return counterFrequency.map { ticks / $0 * 1e9 } ?? ticks
  }
}

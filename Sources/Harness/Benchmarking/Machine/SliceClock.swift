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
    let start = (time: MonotonicClock.nanoseconds, ticks: assay_read_tsc())
    while MonotonicClock.nanoseconds - start.time < Self.calibration {}
    let end = (time: MonotonicClock.nanoseconds, ticks: assay_read_tsc())
    let frequency = Double(end.ticks &- start.ticks) / Double(end.time - start.time) * 1e9
    counterFrequency = frequency > 1e6 ? frequency : nil
  }

  /// The current reading.
  @inline(__always)
  var ticks: UInt64 { counterFrequency == nil ? MonotonicClock.nanoseconds : assay_read_tsc() }

  /// Nanoseconds between two readings.
  func nanoseconds(from start: UInt64, to end: UInt64) -> Double {
    let ticks = Double(end &- start)
    return counterFrequency.map { ticks / $0 * 1e9 } ?? ticks
  }
}

import CMachine
import Reports

/// Shows the progress of a long task: a redrawn line on a terminal, one line per minute elsewhere, nothing if quiet.
package final class ProgressLine {
  private let enabled: Bool
  private let terminal = Console.errorIsTerminal
  private let interval: Double
  /// When the last update was shown, or the task began.
  private var start = MonotonicClock.nanoseconds
  /// The seconds from `start` until the next update is due.
  private var wait: Double
  private var drawn = false

  /// - Parameter delay: the minimum number of seconds before the first update.
  package init(enabled: Bool, after delay: Double = 0) {
    self.enabled = enabled
    interval = terminal ? 0.2 : 60
    wait = max(interval, delay)
  }

  /// Shows the phase and the remaining time, if an update is due.
  ///
  /// - Parameter remaining: in seconds.
  package func update(_ phase: String, remaining: Double) {
    show { "\(phase), \(remaining.fixed(0)) s left" }
  }

  /// Shows the phase and the completed fraction, if an update is due.
  package func show(_ phase: String, fraction: Double) {
    show { "\(phase), \((100 * fraction).fixed(0))%" }
  }

  /// Shows this text, if an update is due.
  package func show(_ state: () -> String) {
    guard enabled else { return }
    let now = MonotonicClock.nanoseconds
    guard MonotonicClock.seconds(from: start, to: now) >= wait else { return }
    (start, wait) = (now, interval)
    let text = state()
    if terminal {
      // Cut to one row: of a longer line, only the last row would be removed.
      Console.draw("\r\u{1B}[K\(text.prefix(max(1, (Console.width(of: STDERR_FILENO) ?? .max) - 1)))")
      drawn = true
    } else {
      Console.remark(text)
    }
  }

  /// Removes the line.
  package func finish() {
    if drawn { Console.draw("\r\u{1B}[K") }
    drawn = false
  }
}

/// The clock that times benchmarks and runs.
package enum MonotonicClock {
  /// Nanoseconds since an arbitrary point; never decreases.
  package static var nanoseconds: UInt64 { assay_monotonic_nanoseconds() }

  /// Seconds between two readings.
  package static func seconds(from start: UInt64, to end: UInt64) -> Double {
    Double(end &- start) / 1e9
  }
}

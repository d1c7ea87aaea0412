import Reports

/// Shows how far something long has come: a redrawn line on a terminal, a line a minute elsewhere, nothing when quiet.
package final class ProgressLine {
  private let enabled: Bool
  private let terminal = Console.errorIsTerminal
  private let start = MonotonicClock.nanoseconds
  private var shown: UInt64
  private var drawn = false

  package init(enabled: Bool) {
    self.enabled = enabled
    shown = start
  }

  /// Shows a state when it is time to.
  ///
  /// - Parameter remaining: seconds still to come.
  package func update(_ phase: String, remaining: Double) {
    show { "\(phase), \(remaining.fixed(0)) s left" }
  }

  /// Shows what is being done, and which fraction of it is, when it is time to.
  package func show(_ phase: String, fraction: Double) {
    show { "\(phase), \((100 * fraction).fixed(0))%" }
  }

  private func show(_ state: () -> String) {
    guard enabled else { return }
    let now = MonotonicClock.nanoseconds
    let interval = terminal ? 0.2 : 60
    guard MonotonicClock.seconds(from: shown, to: now) >= interval else { return }
    shown = now
    let text = state()
    if terminal {
      Console.draw("\r\u{1B}[K\(text)")
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

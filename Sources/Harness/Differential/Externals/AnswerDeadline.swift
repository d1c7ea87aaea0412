import HostIO

/// The time limit of an answer, measured by the processor time of the program that must give it. So a program on a
/// busy machine is not late because other programs run.
///
/// Each time that the limit has passed on the clock, the answer is late in three cases: the program used less than a
/// hundredth of the limit in that time, so it only waited; it has used nine tenths of the limit in processor time since
/// the first look (some use is not measured); or ten times the limit has passed since the request. If the system does
/// not report processor times, the clock alone counts.
package struct AnswerDeadline {
  private let limit: Int
  private let start = MonotonicClock.nanoseconds
  /// When the current period began, in milliseconds since the request, and the processor time used until then.
  private var period: (start: Int, processor: Int?)?
  /// The processor time used until the first look.
  private var earlier: Int?

  /// The first look at the processor time is this many milliseconds after the request, or at the limit if that is less.
  private static let firstLook = 50
  private static let clockFactor = 10

  /// - Parameter milliseconds: the limit.
  package init(milliseconds: Int) { limit = milliseconds }

  /// Whether the answer is late now.
  ///
  /// - Parameter processor: reads the processor time of the program, in milliseconds.
  mutating func isOver(_ processor: () -> Int?) -> Bool {
    isOver(after: Int((MonotonicClock.nanoseconds - start) / 1_000_000), processor)
  }

  /// Whether the answer is late `elapsed` milliseconds after the request.
  package mutating func isOver(after elapsed: Int, _ processor: () -> Int?) -> Bool {
    guard let period else {
      guard elapsed >= min(Self.firstLook, limit) else { return false }
      earlier = processor()
      period = (elapsed, earlier)
      return false
    }
    guard elapsed - period.start >= limit else { return false }
    let used = processor()
    self.period = (elapsed, used)
    guard let used, let before = period.processor, let earlier else { return true }
    // The processor time can fall when a process of the program ends. Then the program did more than wait.
    let waited = used >= before && (used - before) * 100 < limit
    return waited || (used - earlier) * 10 >= limit * 9 || elapsed >= limit * Self.clockFactor
  }
}

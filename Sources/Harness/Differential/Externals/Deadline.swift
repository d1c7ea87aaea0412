/// A moment not far from now, by a clock that never goes back.
struct Deadline {
  private let clock = ContinuousClock()
  private let moment: ContinuousClock.Instant

  init(milliseconds: Int) {
    moment = clock.now.advanced(by: .milliseconds(milliseconds))
  }

  var isOver: Bool { clock.now >= moment }

  /// Milliseconds still to come, at least 1 and at most so many.
  func remaining(atMost limit: Int) -> Int {
    let left = clock.now.duration(to: moment).components
    let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
    return max(1, min(limit, Int(milliseconds) + 1))
  }
}

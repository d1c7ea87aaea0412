/// Waiting requests, oldest first: a ring buffer bounded in requests and in bytes.
struct SubmissionQueue {
  private let capacity: Int
  private var slots: [Submission?]
  private var first = 0
  private(set) var count = 0
  /// The total size of the waiting requests, in bytes.
  private(set) var bytes = 0
  private let byteCapacity: Int

  /// - Parameter reserve: slots beyond the capacity, for requests that return from the slow path.
  init(capacity: Int, byteCapacity: Int, reserve: Int = 0) {
    self.capacity = capacity
    slots = [Submission?](repeating: nil, count: capacity + reserve)
    self.byteCapacity = byteCapacity
  }

  /// The number of requests that were cancelled and refused while they waited here, including those that have left the
  /// queue since. It never falls.
  var cancelledCount: Int {
    movedCancelled + (0..<count).count { slots[(first + $0) % slots.count].map(Self.isToBeCounted) ?? false }
  }
  private var movedCancelled = 0

  var oldest: Submission? { count == 0 ? nil : slots[first] }

  /// Whether a request of `size` bytes has room. An empty queue takes a request of any size.
  func hasRoom(for size: Int) -> Bool { count < capacity && (count == 0 || bytes + size <= byteCapacity) }

  /// Adds a request that has room, or for which a slot is reserved.
  mutating func append(_ submission: Submission) {
    precondition(count < slots.count)
    slots[(first + count) % slots.count] = submission
    count += 1
    bytes += submission.bytes.count
  }

  /// Moves up to `number` of the oldest requests to the end of a list.
  mutating func move(_ number: Int, to list: inout [Submission]) {
    for _ in 0..<min(number, count) {
      guard let submission = slots[first].take() else { return }
      bytes -= submission.bytes.count
      first = first + 1 == slots.count ? 0 : first + 1
      count -= 1
      if Self.isToBeCounted(submission) {
        submission.isCountedAsCancelled = true
        movedCancelled += 1
      }
      list.append(submission)
    }
  }

  private static func isToBeCounted(_ submission: Submission) -> Bool {
    submission.isAnswered && !submission.isCountedAsCancelled
  }

  /// How many of the `count` oldest requests make a timely batch (`DecryptionPool.Configuration.timelySize`).
  func timelyCount(_ count: Int, each time: Duration, at now: ContinuousClock.Instant) -> Int {
    DecryptionPool.Configuration.timelySize(of: count, each: time, at: now) {
      slots[(first + $0) % slots.count]?.deadline
    }
  }
}

/// Waiting requests, oldest first: a ring buffer bounded in requests and in bytes.
struct SubmissionQueue {
  private let capacity: Int
  private var places: [Submission?]
  private var first = 0
  private(set) var count = 0
  /// The bytes of all waiting requests.
  private(set) var bytes = 0
  let byteCapacity: Int

  /// - Parameter reserve: places beyond the capacity, for requests that return from the slow path.
  init(capacity: Int, byteCapacity: Int, reserve: Int = 0) {
    self.capacity = capacity
    places = [Submission?](repeating: nil, count: capacity + reserve)
    self.byteCapacity = byteCapacity
  }

  var oldest: Submission? { count == 0 ? nil : places[first] }

  /// Whether a request of `size` bytes has room. An empty queue takes a request of any size.
  func hasRoom(for size: Int) -> Bool { count < capacity && (count == 0 || bytes + size <= byteCapacity) }

  /// Adds a request that has room, or for which a place is reserved.
  mutating func append(_ submission: Submission) {
    precondition(count < places.count)
    places[(first + count) % places.count] = submission
    count += 1
    bytes += submission.bytes.count
  }

  /// Adds a request; false if it has no room.
  mutating func appendIfRoom(_ submission: Submission) -> Bool {
    guard hasRoom(for: submission.bytes.count) else { return false }
    append(submission)
    return true
  }

  /// Moves up to `number` of the oldest requests to the end of a list.
  mutating func move(_ number: Int, to list: inout [Submission]) {
    for _ in 0..<min(number, count) {
      if let submission = removeOldest() { list.append(submission) }
    }
  }

  /// Moves up to `number` of the oldest requests to another queue, which has places for them.
  mutating func move(_ number: Int, to queue: inout SubmissionQueue) {
    for _ in 0..<min(number, count) {
      if let submission = removeOldest() { queue.append(submission) }
    }
  }

  private mutating func removeOldest() -> Submission? {
    guard let submission = places[first].take() else { return nil }
    bytes -= submission.bytes.count
    first = first + 1 == places.count ? 0 : first + 1
    count -= 1
    return submission
  }

  /// How many of the `count` oldest requests make a timely batch (`DecryptionPool.Configuration.timelySize`).
  func timelyCount(_ count: Int, each time: Duration, at now: ContinuousClock.Instant) -> Int {
    DecryptionPool.Configuration.timelySize(of: count, each: time, at: now) {
      places[(first + $0) % places.count]?.deadline
    }
  }
}

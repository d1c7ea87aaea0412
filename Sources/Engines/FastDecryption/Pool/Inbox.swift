import Synchronization

/// The requests that wait for one worker while it decides others, within its share of the pool's bounds.
///
/// An inbox is open while its worker is busy. Callers add requests without the lock of the `WorkerQueue`, which all
/// threads share. A worker closes its inbox, which succeeds only if it is empty, before it looks for requests
/// elsewhere: no request is left behind. Others take requests from it only if they find nothing else to do, or if the
/// worker is held up (`InboxWatch`).
final class Inbox: Sendable {
  /// What became of a request.
  enum Addition {
    case added
    /// The inbox is full, or its worker is not busy.
    case noRoom
    /// The caller has cancelled the request before.
    case cancelled
  }

  private struct State {
    var queue: SubmissionQueue
    var isOpen = false
    var added: UInt64 = 0
  }

  private let state: Guarded<State>
  private let length = Atomic(0)
  private let size = Atomic(0)
  private let moves = Atomic(0)

  /// An inbox that is closed.
  init(capacity: Int, byteCapacity: Int, _ schedule: (any PoolSchedule)?) {
    state = Guarded(State(queue: SubmissionQueue(capacity: capacity, byteCapacity: byteCapacity)), schedule)
  }

  /// The number of requests. Takes no lock.
  ///
  /// A caller that has added a request, and then finds all workers busy, knows that each will see it here before it
  /// waits: these two are in one order for all threads.
  var count: Int { length.load(ordering: .sequentiallyConsistent) }

  /// The bytes of all requests. Takes no lock.
  var bytes: Int { size.load(ordering: .acquiring) }

  /// How many requests were ever added. Takes the lock: a request that is cancelled as it is added is counted first.
  var added: UInt64 { state.withLock { $0.added } }

  /// How often requests were taken. Takes no lock.
  var takes: Int { moves.load(ordering: .acquiring) }

  /// Adds a request and marks it as waiting.
  func add(_ submission: Submission) -> Addition {
    state.withLock { state in
      // Unlike a queue, an empty inbox takes no request of any size: that is one of the whole pool's.
      guard state.isOpen, submission.bytes.count <= state.queue.byteCapacity,
        state.queue.hasRoom(for: submission.bytes.count)
      else { return .noRoom }
      guard submission.enqueue() else { return .cancelled }
      state.queue.append(submission)
      state.added += 1
      publish(state.queue)
      return .added
    }
  }

  /// Moves the oldest requests to the end of a list, as many as `size` returns for the queue.
  func move(to list: inout [Submission], _ size: (SubmissionQueue) -> Int) {
    state.withLock { state in
      state.queue.move(size(state.queue), to: &list)
      moves.store(moves.load(ordering: .relaxed) + 1, ordering: .releasing)
      publish(state.queue)
    }
  }

  /// Moves up to `number` of the oldest requests to another queue, which has places for them.
  func move(_ number: Int, to queue: inout SubmissionQueue) {
    state.withLock { state in
      state.queue.move(number, to: &queue)
      publish(state.queue)
    }
  }

  func open() {
    state.withLock { $0.isOpen = true }
  }

  /// Takes no more requests.
  func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Closes the inbox if no request is in it; false otherwise.
  func closeIfEmpty() -> Bool {
    state.withLock { state in
      guard state.queue.count == 0 else { return false }
      state.isOpen = false
      return true
    }
  }

  private func publish(_ queue: SubmissionQueue) {
    length.store(queue.count, ordering: .sequentiallyConsistent)
    size.store(queue.bytes, ordering: .releasing)
  }
}

/// What a worker notes of the batches that it takes: where the last was from, and whether others are held up, by a
/// replay store, an external key or a closure of a caller.
///
/// After every 512 requests the worker looks at the inboxes of the others, without a lock. One that has requests, and
/// from which none were taken since the last look, belongs to a worker that is held up.
struct InboxWatch {
  enum Source {
    case inbox, queue, others
  }

  private static var interval: Int { 8 * DecryptionPool.Configuration.largestBatch }

  /// Where the last batch was taken from.
  private(set) var source: Source?
  /// The worker that was held up when this one last looked.
  private(set) var lastHeldUp = 0
  private var requests = 0
  /// `Inbox.takes` of each inbox at the last look; nil before.
  private var takes: [Int?]

  init(inboxes: Int) {
    takes = Array(repeating: nil, count: inboxes)
  }

  /// Notes a batch of `count` requests.
  mutating func note(_ count: Int, from source: Source) {
    self.source = source
    requests += count
  }

  /// Whether the worker must look at the inboxes, which it then does.
  mutating func isDue() -> Bool {
    guard requests >= Self.interval else { return false }
    requests = 0
    return true
  }

  /// Whether the worker of an inbox is held up.
  mutating func isHeldUp(_ index: Int, _ inbox: Inbox) -> Bool {
    let now = inbox.takes
    defer { takes[index] = now }
    return inbox.count > 0 && takes[index] == now
  }

  /// Notes that requests of a worker that is held up were taken. The worker looks again after one batch of others.
  mutating func noteHeldUp(_ index: Int, _ inbox: Inbox) {
    takes[index] = inbox.takes
    lastHeldUp = index
    requests = Self.interval - 1
  }
}

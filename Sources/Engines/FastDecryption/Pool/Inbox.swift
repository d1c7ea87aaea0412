import Synchronization

/// The requests that wait for one worker while it decides its batch, one batch at most.
///
/// Callers add requests under the lock of the `WorkerQueue`, and only to a busy worker's inbox. So a worker that finds
/// its inbox empty under that lock, and is then no longer busy, has no requests there until it is busy again. Others
/// take requests from it only if they find nothing else to do, or if the worker is held up (`InboxWatch`).
final class Inbox: Sendable {
  private let queue = Guarded(
    SubmissionQueue(capacity: DecryptionPool.Configuration.largestBatch, byteCapacity: .max))
  private let length = Atomic(0)
  private let size = Atomic(0)
  private let moves = Atomic(0)

  /// The number of requests. Takes no lock.
  var count: Int { length.load(ordering: .acquiring) }

  /// The bytes of all requests. Takes no lock.
  var bytes: Int { size.load(ordering: .acquiring) }

  /// How often requests were taken. Takes no lock.
  var takes: Int { moves.load(ordering: .acquiring) }

  /// Adds a request; false if the inbox is full.
  func append(_ submission: Submission) -> Bool {
    queue.withLock { queue in
      defer { publish(queue) }
      return queue.appendIfRoom(submission)
    }
  }

  /// Moves the oldest requests to the end of a list, as many as `size` returns for the queue.
  func move(to list: inout [Submission], _ size: (SubmissionQueue) -> Int) {
    queue.withLock { queue in
      queue.move(size(queue), to: &list)
      moves.store(moves.load(ordering: .relaxed) + 1, ordering: .releasing)
      publish(queue)
    }
  }

  private func publish(_ queue: SubmissionQueue) {
    length.store(queue.count, ordering: .releasing)
    size.store(queue.bytes, ordering: .releasing)
  }
}

/// Finds workers that are held up while one worker goes on: by a replay store, an external key or a closure of a caller.
///
/// After every eighth batch the worker looks at the inboxes of the others, without a lock. One that has requests, and from
/// which none were taken since the last look, belongs to a worker that is held up.
///
/// `@unchecked Sendable`: only one worker uses it.
final class InboxWatch: @unchecked Sendable {
  private static var interval: Int { 8 }

  private var batches = 0
  /// `Inbox.takes` of each inbox at the last look; nil before.
  private var takes: [Int?]

  init(inboxes: Int) {
    takes = Array(repeating: nil, count: inboxes)
  }

  /// Counts a batch, and returns whether the worker must look at the inboxes.
  func isDue() -> Bool {
    batches = (batches + 1) % Self.interval
    return batches == 0
  }

  /// Whether the worker of an inbox is held up.
  func isHeldUp(_ index: Int, _ inbox: Inbox) -> Bool {
    let now = inbox.takes
    defer { takes[index] = now }
    return inbox.count > 0 && takes[index] == now
  }
}

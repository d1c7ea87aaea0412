import Synchronization

/// The requests that wait for one worker while it decides its batch, one batch at most.
///
/// Callers add requests under the lock of the `WorkerQueue`, and only to a busy worker's inbox. So a worker that finds
/// its inbox empty under that lock, and is then no longer busy, has no requests there until it is busy again. Others
/// take requests from it only if they find nothing else to do.
final class Inbox: Sendable {
  private let queue = Guarded(
    SubmissionQueue(capacity: DecryptionPool.Configuration.largestBatch, byteCapacity: .max))
  private let length = Atomic(0)

  /// The number of requests. Takes no lock.
  var count: Int { length.load(ordering: .acquiring) }

  /// The bytes of all requests.
  var bytes: Int { queue.withLock(\.bytes) }

  /// Adds a request; false if the inbox is full.
  func append(_ submission: Submission) -> Bool {
    queue.withLock { queue in
      defer { length.store(queue.count, ordering: .releasing) }
      return queue.appendIfRoom(submission)
    }
  }

  /// Moves the oldest requests to the end of a list, as many as `size` returns for the queue.
  func move(to list: inout [Submission], _ size: (SubmissionQueue) -> Int) {
    queue.withLock { queue in
      queue.move(size(queue), to: &list)
      length.store(queue.count, ordering: .releasing)
    }
  }
}

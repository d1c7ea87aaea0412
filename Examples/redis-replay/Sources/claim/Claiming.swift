import PaymentToken
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// claim SERVER COUNT FIRST FILE: asks about the transactions 0..<COUNT, beginning with FIRST and wrapping around.
/// Writes a byte for each to FILE: 1 if it was fresh to this process, otherwise 0. Several processes at once show that
/// each transaction is fresh to one of them. Exits with 2 if the store did not answer.
struct ClaimArguments {
  let server: String
  private let count: Int
  private let first: Int
  private let file: Int32

  init() throws {
    let words = CommandLine.arguments
    guard words.count == 5, let count = Int(words[2]), let first = Int(words[3]), count > 0 else {
      print("usage: claim SERVER COUNT FIRST FILE")
      exit(64)
    }
    (server, self.count, self.first) = (words[1], count, first)
    file = open(words[4], O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0, ftruncate(file, off_t(count)) == 0 else { exit(70) }
  }

  /// A transaction's identifier.
  private static func identifier(_ number: Int) -> Bytes32? {
    Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
  }

  /// The verdicts of a batch.
  private final class Batch: Sendable {
    let verdicts: Mutex<[ReplayVerdict?]>
    let left: Atomic<Int>

    init(count: Int) {
      verdicts = Mutex(Array(repeating: nil, count: count))
      left = Atomic(count)
    }
  }

  private func finish(_ batch: Batch, _ numbers: [Int]) {
    while batch.left.load(ordering: .acquiring) > 0 { usleep(50) }
    batch.verdicts.withLock { verdicts in
      for (index, verdict) in verdicts.enumerated() {
        switch verdict {
        case .fresh?:
          // Write at once, because the process may be killed.
          var one: UInt8 = 1
          guard pwrite(file, &one, 1, off_t(numbers[index])) == 1 else { exit(70) }
        case .replayed?: break
        case .full?, .unavailable?, nil: exit(2)
        }
      }
    }
  }

  func claim(_ store: any AsynchronousReplayStore) throws {
    let batchSize = 512
    var number = 0
    // A few batches are under way at a time.
    var pending: [(batch: Batch, numbers: [Int])] = []
    while number < count {
      let numbers = (number..<min(number + batchSize, count)).map { ($0 + first) % count }
      number += numbers.count
      let now = UnixTime(secondsSinceEpoch: Int64(time(nil)))
      let deadline = ContinuousClock.now.advanced(by: .seconds(60))
      let questions = numbers.compactMap(Self.identifier).map {
        ReplayQuestion($0, at: now, window: 300, deadline: deadline)
      }
      let batch = Batch(count: questions.count)
      store.insert(questions) { index, verdict in
        batch.verdicts.withLock { $0[index] = verdict }
        batch.left.subtract(1, ordering: .releasing)
      }
      pending.append((batch, numbers))
      if pending.count == 4 {
        let first = pending.removeFirst()
        finish(first.batch, first.numbers)
      }
    }
    for (batch, numbers) in pending { finish(batch, numbers) }
  }
}

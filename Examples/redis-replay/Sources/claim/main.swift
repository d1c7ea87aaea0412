import PaymentToken
import RedisReplayStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// claim SERVER COUNT FIRST FILE: asks about the transactions 0..<COUNT, from FIRST on and around, and writes a byte for
// each to FILE: 1 if it was fresh to this process, 0 if it was replayed. Several at once show that each transaction is
// fresh to one of them. Exits with 2 if the store did not answer.
let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[2]), let first = Int(arguments[3]), count > 0 else {
  print("usage: claim SERVER COUNT FIRST FILE")
  exit(64)
}
var configuration = RedisReplayStore.Configuration(server: try RedisServer(arguments[1]))
configuration.allowances = .restartWithoutLog
let store = try RedisReplayStore(configuration)
guard store.waitUntilReady(for: .seconds(10)) else { exit(2) }

/// A transaction's identifier.
func identifier(_ number: Int) -> Bytes32? {
  Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
}

/// The verdicts of a batch.
final class Batch: Sendable {
  let verdicts: Mutex<[ReplayVerdict?]>
  let left: Atomic<Int>

  init(count: Int) {
    verdicts = Mutex(Array(repeating: nil, count: count))
    left = Atomic(count)
  }
}

let batchSize = 512
var isFresh = [UInt8](repeating: 0, count: count)
var number = 0
// Two batches are under way at a time.
var pending: [(batch: Batch, numbers: [Int])] = []

@MainActor func finishFirst() {
  let (batch, numbers) = pending.removeFirst()
  while batch.left.load(ordering: .acquiring) > 0 { sched_yield() }
  batch.verdicts.withLock { verdicts in
    for (index, verdict) in verdicts.enumerated() {
      switch verdict {
      case .fresh?: isFresh[numbers[index]] = 1
      case .replayed?: break
      case .full?, .unavailable?, nil: exit(2)
      }
    }
  }
}

while number < count {
  let numbers = (number..<min(number + batchSize, count)).map { ($0 + first) % count }
  number += numbers.count
  let now = UnixTime(secondsSinceEpoch: Int64(time(nil)))
  let deadline = ContinuousClock.now.advanced(by: .seconds(60))
  let questions = numbers.compactMap(identifier).map { ReplayQuestion($0, at: now, window: 300, deadline: deadline) }
  let batch = Batch(count: questions.count)
  store.insert(questions) { index, verdict in
    batch.verdicts.withLock { $0[index] = verdict }
    batch.left.subtract(1, ordering: .releasing)
  }
  pending.append((batch, numbers))
  if pending.count == 2 { finishFirst() }
}
while !pending.isEmpty { finishFirst() }
guard let file = fopen(arguments[4], "wb"), fwrite(isFresh, 1, count, file) == count, fclose(file) == 0 else {
  exit(70)
}

import Foundation
import PaymentToken
import Synchronization
import Testing

/// Two stores, each asked by several threads about the same transactions at about the same time, while something goes
/// wrong.
final class Campaign: Sendable {
  /// The verdicts on all questions.
  struct Outcome {
    /// How often each transaction was fresh.
    var fresh: [Int: Int] = [:]
    var (replayed, unavailable) = (0, 0)
    var longestWait = Duration.zero

    var acceptedTwice: Int { fresh.values.count { $0 > 1 } }
  }

  private let outcome = Locked(Outcome())
  private let isOver = Atomic(false)
  private let asked = Atomic(0)
  private let running: DispatchGroup
  private let stores: [any TestedStore]
  private static let threads = 4

  init(_ stores: [any TestedStore]) {
    (self.stores, running) = (stores, DispatchGroup())
  }

  /// Begins to ask.
  func start() {
    for (index, store) in stores.enumerated() {
      for thread in 0..<Self.threads {
        running.enter()
        Foundation.Thread { [self] in
          var generator = Generator(state: UInt64(index * Self.threads + thread + 1))
          while !isOver.load(ordering: .relaxed) {
            // Both stores are asked about each transaction, eight times on average within a short time.
            let newest = asked.add(1, ordering: .relaxed).newValue / 8
            record(store, max(0, newest - Int.random(in: 0..<64, using: &generator)))
          }
          running.leave()
        }.start()
      }
    }
  }

  private func record(_ store: any TestedStore, _ number: Int) {
    let start = ContinuousClock.now
    let verdict = store.insert(id(number), at: now, window: 300)
    let wait = start.duration(to: .now)
    record([(number, verdict)])
    outcome.withLock { $0.longestWait = max($0.longestWait, wait) }
    // Without a connection the answer comes at once.
    if verdict == .unavailable { usleep(200) }
  }

  private func record(_ verdicts: [(Int, ReplayVerdict)]) {
    outcome.withLock { outcome in
      for (number, verdict) in verdicts {
        switch verdict {
        case .fresh: outcome.fresh[number, default: 0] += 1
        case .replayed: outcome.replayed += 1
        case .full, .unavailable: outcome.unavailable += 1
        }
      }
    }
  }

  /// Ends the threads, asks `store` about every transaction once more, and prints the verdicts on all questions.
  func finish(_ title: String, by store: any TestedStore) throws -> Outcome {
    isOver.store(true, ordering: .relaxed)
    running.wait()
    try #require(store.waitUntilReady(for: .seconds(10)))
    let numbers = Array(0...(asked.load(ordering: .relaxed) / 8))
    let before = outcome.withLock { $0 }
    for part in stride(from: 0, to: numbers.count, by: 10_000) {
      var part = Array(numbers[part..<min(part + 10_000, numbers.count)])
      // The fault may have ended a connection that still seems ready.
      let isAnswered = becomesTrue {
        let verdicts = Array(zip(part, ask(store, part)))
        record(verdicts)
        part = verdicts.filter { $0.1 != .fresh && $0.1 != .replayed }.map(\.0)
        return part.isEmpty
      }
      #expect(isAnswered)
    }
    let after = outcome.withLock { $0 }
    print(
      """
      fault: \(title): transactions \(numbers.count), accepted during the fault \(before.fresh.count), \
      unavailable \(before.unavailable), accepted twice \(after.acceptedTwice), \
      longest answer \(before.longestWait)
      """)
    return after
  }
}

/// xorshift64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

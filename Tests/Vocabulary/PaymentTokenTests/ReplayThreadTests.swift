import Foundation
import PaymentToken
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct ReplayThreadTests {
  private static let count = 1_000_000
  private static let noon = UnixTime(secondsSinceEpoch: 1_795_000_000)

  @Test func `each of a million transactions, inserted by two threads, is fresh once`() {
    let store = MemoryReplayStore(capacity: Self.count)
    let empty = store.allocatedBytes
    let offers = Offers(to: store)
    let done = [Gate(), Gate()]
    for thread in 0..<2 {
      Thread {
        offers.make(upwards: thread == 0)
        done[thread].open()
      }.start()
    }
    for gate in done { gate.wait() }
    let outcomes = offers.outcomes.withLock { $0 }
    #expect(outcomes.map(\.wrong) == [0, 0])
    #expect(outcomes.allSatisfy { !$0.fresh.isEmpty })
    let fresh = outcomes.flatMap(\.fresh)
    #expect(fresh.count == Self.count)
    #expect(Set(fresh).count == Self.count)
    #expect(store.allocatedBytes == empty)
    // An entry takes at most 56 bytes, and one more for what the allocation is rounded up by.
    #expect(empty <= store.entryLimit * 56 + store.entryLimit)
    // An identifier and a time take 40 bytes, so a smaller count would be wrong.
    #expect(empty >= store.entryLimit * 40)
  }

  /// Offers all transactions to a store, in threads that begin together.
  private final class Offers: Sendable {
    struct Outcome {
      var fresh: [UInt32] = []
      var wrong = 0
    }

    let outcomes = Mutex<[Outcome]>([])
    private let store: MemoryReplayStore
    private let started = Atomic(0)

    init(to store: MemoryReplayStore) {
      self.store = store
    }

    /// Offers all transactions once, and every fourth again at the last second at which it is remembered.
    func make(upwards: Bool) {
      var outcome = Outcome()
      for step in 0..<count {
        // Waits after the first insertion until each thread has made one.
        if step == 1 {
          started.add(1, ordering: .relaxed)
          while started.load(ordering: .relaxed) < 2 { Thread.block(forSeconds: 0.001) }
        }
        let number = UInt64(upwards ? step : count - 1 - step)
        let id = MemoryReplayStoreTests.id(number)
        switch store.insert(id, at: noon, window: 300) {
        case .fresh: outcome.fresh.append(UInt32(number))
        case .replayed: break
        case .full, .unavailable: outcome.wrong += 1
        }
        guard number.isMultiple(of: 4) else { continue }
        let later = UnixTime(secondsSinceEpoch: noon.secondsSinceEpoch + 600)
        if store.insert(id, at: later, window: 300) != .replayed { outcome.wrong += 1 }
      }
      outcomes.withLock { $0.append(outcome) }
    }
  }
}

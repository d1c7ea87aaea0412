import Benchmarking
import PaymentToken
import Synchronization
import TestSupport
import Testing
import Workloads

#if os(Linux) && arch(x86_64)
  /// Sanitizers add atomic instructions of their own.
  @Suite(.disabled(if: Sanitizer.isPresent)) struct SharedWritesTests {
    /// Unoptimized test code retains what it uses, so writes are told apart by the function that makes them.
    private final class Counter: Sendable {
      let value = Atomic(0)

      @inline(never) func add() { value.wrappingAdd(1, ordering: .relaxed) }
      @inline(never) func load() -> Int { value.load(ordering: .sequentiallyConsistent) }
    }

    /// Writes of each operation to memory that both threads write, by functions of `Counter`, and by `swift_retain`.
    private func count(
      _ work: @escaping @Sendable (_ own: Counter) -> Void
    ) throws -> (counter: Double, retain: Double) {
      let counts = try SharedWrites.count(operations: 3, by: .init()) { _ in
        let own = Counter()
        return { count in
          for _ in 0..<count { work(own) }
          return true
        }
      }
      let places = try #require(counts).places
      func sum(_ isIncluded: (SharedWrites.Place) -> Bool) -> Double {
        places.filter(isIncluded).reduce(0) { $0 + $1.count }
      }
      return (
        sum { place in ["add()", "load()"].contains { place.function.contains($0) } },
        sum { $0.function == "swift_retain" }
      )
    }

    @Test func `an addition to a counter that two threads share is one write`() throws {
      let shared = Counter()
      #expect(try count { _ in shared.add() }.counter == 1)
    }

    @Test func `what workers of a pool write together is counted, and what one writes alone is not`() throws {
      let writes = WorkerWrites(by: .init())
      writes.begin()
      // Far enough apart not to share a line.
      let counters = (0..<24).map { _ in Counter() }
      let (shared, own) = (counters[0], [counters[8], counters[16]])
      let team = try ThreadTeam(count: 2) { thread in
        { count in
          for _ in 0..<count {
            writes.answered()
            shared.add()
            own[thread].add()
          }
          return true
        }
      }
      try team.run(operationsEach: 100)
      let counts = try #require(writes.shared)
      let added = counts.places.filter { $0.function.contains("add()") }.reduce(0) { $0 + $1.count }
      #expect(added == 1)
    }

    @Test(.deep(.counts)) func `callers of a busy pool write nothing together but its queue`() throws {
      let counts = try #require(try PoolUnderLoad(workers: 2, seed: 1).callerWrites(by: .init()))
      #expect(counts.count >= 2)
      let others = counts.places.filter { !"\($0.function) \($0.caller)".contains("WorkerQueue") }
      #expect(others.isEmpty)
    }

    @Test(.deep(.counts)) func `a batch asks a replay store and counts no reference of it for a token`() throws {
      let tokens = try TokenSet.minted(count: 64, version: .ecV1, seed: 1)
      let benchmarks = try Catalogue.make(["decrypt/fast/ec_v1/replay/batch64"], tokens: tokens, seed: 1)
      let count = try #require(benchmarks.first?.countSharedWrites)
      let writes = try #require(try count(.besideKernels))
      // A batch copies its policy, and with it the store: two or three writes for 64 tokens. A copy a token would be two.
      #expect(writes.count <= 0.1)
    }

    /// A replay store that knows no transaction, and counts a reference of itself if asked to.
    private final class Store: ReplayStore {
      private let countsReferences: Bool

      init(countingReferences: Bool) { countsReferences = countingReferences }

      func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
        guard countsReferences else { return .fresh }
        Unmanaged.passUnretained(self).retain().release()
        return .fresh
      }
    }

    /// Only writes to the store: workers also write to the queue that they take requests from.
    @Test(.deep(.counts), arguments: [false, true])
    func `workers of a pool ask a replay store and count no reference of it`(countsReferences: Bool) throws {
      // Far enough apart not to share a line.
      let stores = (0..<16).map { _ in Store(countingReferences: countsReferences) }
      let pool = try PoolUnderLoad(workers: 2, store: stores[8], seed: 1)
      let writes = try #require(try pool.sharedWrites(by: .besideKernels))
      let count = writes.count(onLineOf: stores[8])
      #expect(countsReferences ? count >= 2 : count == 0)
      withExtendedLifetime(stores) {}
    }

    @Test func `an addition to a counter of a thread's own is none`() throws {
      #expect(try count { own in own.add() }.counter == 0)
    }

    @Test func `a load of a shared counter is none`() throws {
      let shared = Counter()
      #expect(try count { _ in _ = shared.load() }.counter == 0)
    }

    @Test func `a planted retain of a shared object is noticed`() throws {
      let shared = Unmanaged.passRetained(Counter())
      defer { shared.release() }
      let without = try count { _ in _ = shared.toOpaque() }.retain
      let with = try count { _ in
        _ = shared.retain()
        shared.release()
      }.retain
      // Closures, which threads share, are retained in both.
      #expect(with > without + 0.9)
    }
  }
#endif

#if os(Linux) && arch(x86_64)
  import Benchmarking
  import CAtomicWrites
  import CP256
  import FastDecryption
  import Foundation
  import PaymentToken
  import Synchronization
  import TestSupport
  import Testing
  import Workloads

  /// Counts what threads write to the same cache lines as they open tokens whose certificates are cached: one token at
  /// a time, in batches and in a pool. Disabled under sanitizers, which add atomic instructions of their own.
  @Suite(.disabled(if: Sanitizer.isPresent), .blocking, .serialized) struct SharedWritesTests {
    /// Runs a team's work, and records its writes while `isOn`.
    private final class Recorder: Sendable {
      let isOn = Atomic(false)
      let writes = Mutex<[[assay_atomic_write]]>([])

      func run(_ work: ThreadTeam.Work, _ count: Int) -> Bool {
        guard isOn.load(ordering: .acquiring) else { return work(count) }
        guard let trace = WriteTrace(pthread_self()) else { return false }
        let isRight = work(count)
        guard let recorded = trace.end() else { return false }
        writes.withLock { $0.append(recorded) }
        return isRight
      }
    }

    /// The writes of two threads that do the same work with warm caches.
    ///
    /// - Parameter prepare: runs once in each thread, and returns its work.
    private func writes(
      operations: Int, prepare: @escaping @Sendable (_ thread: Int) -> ThreadTeam.Work?
    ) throws -> SharedWrites {
      let recorder = Recorder()
      let team = try ThreadTeam(count: 2, operationsAtOnce: operations) { thread in
        prepare(thread).map { work in { count in recorder.run(work, count) } }
      }
      // Fills caches.
      for _ in 0..<16 { try team.run(operationsEach: operations) }
      recorder.isOn.store(true, ordering: .releasing)
      try team.run(operationsEach: operations)
      return SharedWrites(of: recorder.writes.withLock(\.self))
    }

    // MARK: What is counted

    /// Four counters, each on its own cache line, which no reference count shares.
    private final class Counters: @unchecked Sendable {
      private let start = UnsafeMutableRawPointer.allocate(byteCount: 4 * 64, alignment: 64)

      init() { for index in 0..<4 { self[index].initialize(to: Atomic(0)) } }
      deinit { start.deallocate() }
      subscript(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (start + 64 * index).assumingMemoryBound(to: Atomic<Int>.self)
      }
    }

    @Test func `an addition to a counter that two threads share is one write, and one to a thread's own is none`()
      throws
    {
      let counters = Counters()
      let writes = try writes(operations: 3) { thread in
        let (own, shared) = (counters[thread], counters[2])
        return { count in
          for _ in 0..<count {
            own.pointee.wrappingAdd(1, ordering: .relaxed)
            shared.pointee.wrappingAdd(1, ordering: .relaxed)
          }
          return true
        }
      }
      #expect(
        writes.count(at: UInt(bitPattern: counters[0])) == 3 && writes.count(at: UInt(bitPattern: counters[1])) == 3)
      #expect(
        writes.count(at: UInt(bitPattern: counters[2])) == 6 && writes.count == 6 && writes.lines == 1, "\(writes)")
    }

    /// `retain` and `release` are separate functions that are not inlined: an optimizer would remove a pair of them.
    @inline(never) private static func retain<Object>(_ object: Unmanaged<Object>) { _ = object.retain() }
    @inline(never) private static func release<Object>(_ object: Unmanaged<Object>) { object.release() }

    @Test func `a load of a shared counter is none, and a reference of a shared object is two`() throws {
      // Far enough apart not to share a line with anything else.
      let objects = (0..<16).map { _ in Counters() }
      let loads = try writes(operations: 3) { _ in
        let shared = objects[8][0]
        return { count in (0..<count).allSatisfy { _ in shared.pointee.load(ordering: .sequentiallyConsistent) == 0 } }
      }
      #expect(loads.count(at: UInt(bitPattern: objects[8][0])) == 0, "\(loads)")
      let object = Unmanaged.passUnretained(objects[8])
      let references = try writes(operations: 3) { _ in
        { count in
          for _ in 0..<count {
            Self.retain(object)
            Self.release(object)
          }
          return true
        }
      }
      // Two threads write twice in each of three operations. A thread whose write loses against the other's repeats it.
      #expect(references.count(at: UInt(bitPattern: object.toOpaque())) >= 12, "\(references)")
      withExtendedLifetime(objects) {}
    }

    // MARK: Tokens

    private static let tokens = Result { try TokenSet.minted(count: 64, version: .ecV1, seed: 1) }

    private func engine(_ set: TokenSet) throws -> FastDecryptor {
      try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: .preferred, tables: .atOnce)
    }

    /// A policy that asks a store.
    private func policy(_ store: any ReplayStore) -> VerificationPolicy {
      VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    }

    @Test(.deep(.counts)) func `a warm token writes nothing shared`() throws {
      let set = try Self.tokens.get()
      let engine = try engine(set)
      let writes = try writes(operations: 1) { thread in
        guard var workspace = Workspace() else { return nil }
        let (token, policy) = (set.entries[thread].token.map(\.self), set.policy)
        return { count in
          (0..<count).allSatisfy { _ in
            (try? engine.decrypt(token.span, at: set.now, under: policy, in: &workspace) { $0.plaintext.count }) != nil
          }
        }
      }
      #expect(writes.count == 0, "\(writes)")
    }

    /// The writes of two threads that each open their own batch, of only eight tokens, since every instruction traps.
    private func batchWrites(_ policy: VerificationPolicy) throws -> SharedWrites {
      let set = try Self.tokens.get()
      let engine = try engine(set)
      return try writes(operations: 8) { _ in
        guard var workspace = BatchWorkspace() else { return nil }
        let tokens = set.entries.prefix(8).map { $0.token.map(\.self) }
        return { _ in
          var opened = 0
          engine.decryptBatch(
            tokens, at: set.now, under: policy, in: &workspace, opened: { _, _ in opened += 1 }, refused: { _, _ in })
          return opened == tokens.count
        }
      }
    }

    @Test(.deep(.counts)) func `a batch of warm tokens writes nothing shared`() throws {
      let writes = try batchWrites(Self.tokens.get().policy)
      #expect(writes.count == 0, "\(writes)")
    }

    @Test(.deep(.counts)) func `a batch asks a replay store and counts no reference of it for a token`() throws {
      let writes = try batchWrites(policy(Store(countingReferences: false)))
      // A batch copies its policy, and with it the reference to the store: two or three writes of each thread. A copy
      // for each token would be 32 writes in all.
      #expect(writes.count <= 6, "\(writes)")
    }

    // MARK: Pools

    /// A replay store that remembers nothing. With `countsReferences` it retains and releases itself at each call.
    private final class Store: ReplayStore {
      private let countsReferences: Bool

      init(countingReferences: Bool) { countsReferences = countingReferences }

      func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
        guard countsReferences else { return .fresh }
        SharedWritesTests.retain(Unmanaged.passUnretained(self))
        SharedWritesTests.release(Unmanaged.passUnretained(self))
        return .fresh
      }
    }

    /// The threads that have called a completion handler.
    private final class Answerers: Sendable {
      let threads = Mutex<Set<pthread_t>>([])

      func add() { threads.withLock { _ = $0.insert(pthread_self()) } }
    }

    /// The functions of the P-256 kernels: most of a batch's instructions. The tests above trace them too.
    nonisolated(unsafe) private static let kernels: UnsafeMutableBufferPointer<UInt64> = {
      var functions: [UInt64] = []
      for index in 0..<assay_p256_kernel_count() {
        guard let kernel = assay_p256_kernel_at(index)?.pointee else { continue }
        if let agree = kernel.agree { functions.append(unsafeBitCast(agree, to: UInt64.self)) }
        if let verify = kernel.verify { functions.append(unsafeBitCast(verify, to: UInt64.self)) }
        if let one = kernel.verify_one { functions.append(unsafeBitCast(one, to: UInt64.self)) }
      }
      let kept = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: functions.count)
      _ = kept.initialize(fromContentsOf: functions)
      return kept
    }()

    /// Two workers that wait in the handler of an answer until the gate opens: what is submitted until then waits too.
    private func occupy(_ pool: DecryptionPool, _ set: TokenSet) throws -> (threads: Set<pthread_t>, isOver: Gate) {
      let (busy, isOver) = (Answerers(), Gate())
      for count in 1...2 {
        let wait: @Sendable (borrowing OpenedToken) -> Void = { _ in
          busy.add()
          isOver.wait()
        }
        try pool.submit(set.entries[0].token, at: set.now, under: set.policy, opened: wait, refused: { _ in })
        while busy.threads.withLock({ $0.count < count }) { Thread.block(forSeconds: 0.0001) }
      }
      return (busy.threads.withLock(\.self), isOver)
    }

    /// The writes of two workers as they open four full batches, which wait for them whatever the scheduler does.
    private func workerWrites(_ policy: VerificationPolicy) throws -> SharedWrites {
      let set = try Self.tokens.get()
      let pool = try DecryptionPool(try engine(set), configuration: .init(workers: 2))
      assay_leave_untraced(Self.kernels.baseAddress, Self.kernels.count)
      defer { assay_leave_untraced(nil, 0) }
      // All requests are kept: memory of a freed one could be reused for another, whose writes would then count as
      // writes to the same line. The closures have no context, whose reference counts would be counted too.
      var kept: [Submission] = []
      func openBatches(isTraced: Bool) throws -> SharedWrites {
        let (threads, isOver) = try occupy(pool, set)
        defer { isOver.open() }
        for _ in 0..<256 {
          kept.append(
            try pool.submit(
              set.entries[kept.count % 64].token.map(\.self), at: set.now, under: policy, opened: { _ in },
              refused: { _ in }))
        }
        let traces = isTraced ? threads.compactMap { WriteTrace($0) } : []
        isOver.open()
        let all = pool.metrics.submitted
        while pool.metrics.accepted + pool.metrics.refused < all { Thread.block(forSeconds: 0.0001) }
        #expect(pool.metrics.accepted == all && traces.count == (isTraced ? 2 : 0))
        return SharedWrites(of: traces.compactMap { $0.end() })
      }
      // Fills caches.
      for _ in 0..<4 { _ = try openBatches(isTraced: false) }
      return try openBatches(isTraced: true)
    }

    @Test(.deep(.counts)) func `busy workers of a pool write only its queue together, a few times for a batch`() throws
    {
      let writes = try workerWrites(Self.tokens.get().policy)
      // One write for each token would be 256.
      #expect(writes.count <= 64, "\(writes)")
    }

    @Test(.deep(.counts), arguments: [false, true])
    func `workers of a pool ask a replay store and count no reference of it`(countsReferences: Bool) throws {
      // Far enough apart not to share a line.
      let stores = (0..<16).map { _ in Store(countingReferences: countsReferences) }
      let count = try workerWrites(policy(stores[8])).count(at: UInt(bitPattern: ObjectIdentifier(stores[8])))
      #expect(countsReferences ? count >= 2 : count == 0)
      withExtendedLifetime(stores) {}
    }

    @Test(.deep(.counts)) func `callers of a busy pool write nothing together but its queue`() throws {
      let set = try Self.tokens.get()
      let pool = try DecryptionPool(try engine(set), configuration: .init(workers: 2))
      let (_, isOver) = try occupy(pool, set)
      defer { isOver.open() }
      let writes = try writes(operations: 8) { _ in
        let (token, policy) = (set.entries[1].token, set.policy)
        return { count in
          (0..<count).allSatisfy { _ in
            (try? pool.submit(token.map(\.self), at: set.now, under: policy, opened: { _ in }, refused: { _ in }))
              != nil
          }
        }
      }
      // Three writes for a request: the queue's lock is taken and released, and the number of waiting requests is
      // published on another line.
      #expect(writes.count > 0 && writes.count <= 2 * 8 * 3 && writes.lines <= 4, "\(writes)")
    }
  }
#endif

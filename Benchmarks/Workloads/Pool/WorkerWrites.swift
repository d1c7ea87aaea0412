import Benchmarking
import CMachine
import PaymentToken
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counts what two workers of a pool write together while they decide requests.
///
/// The closure that a worker calls with an opened token runs on the worker's thread. There a worker begins to trace itself
/// once both are warm and busy, and ends after as many tokens as two batches, so that what it does between batches is
/// counted too. Both end together: what one does without the other is not shared.
///
/// `@unchecked Sendable`: each worker has a place of its own.
package final class WorkerWrites: @unchecked Sendable {
  private struct Place: ~Copyable {
    let thread = Atomic<UInt>(0)
    let answers = Atomic(0)
    let isDone = Atomic(false)
    let trace: AtomicWritesTrace
    var recorded: AtomicWrites?
    /// The tokens that were opened while it was traced.
    var tokens = 0

    init(by tracing: SharedWrites.Tracing) { trace = AtomicWritesTrace(by: tracing) }
  }

  /// The one that the closures of requests find.
  static let active = Atomic<Unmanaged<WorkerWrites>?>(nil)
  static var current: Unmanaged<WorkerWrites>? { active.load(ordering: .acquiring) }

  private static let workers = 2
  private static let answersEach = 64
  /// In memory without references, which would be counted as the pool's.
  private let places = UnsafeMutablePointer<Place>.allocate(capacity: workers)
  private let refusalCount = Atomic(0)
  private let isOn = Atomic(false)
  /// The tokens that were opened before.
  private let answersBefore = Atomic(0)

  package init(by tracing: SharedWrites.Tracing) {
    for index in 0..<Self.workers { (places + index).initialize(to: Place(by: tracing)) }
  }

  deinit {
    // A worker that is still traced writes to its place: better to lose the memory.
    guard
      (0..<Self.workers).allSatisfy({
        places[$0].isDone.load(ordering: .acquiring) || places[$0].thread.load(ordering: .acquiring) == 0
      })
    else { return }
    places.deinitialize(count: Self.workers)
    places.deallocate()
  }

  /// Lets both workers trace themselves from their next tokens on.
  package func begin() { isOn.store(true, ordering: .releasing) }

  /// The tokens that both workers have opened.
  var answers: Int {
    answersBefore.load(ordering: .acquiring) + places[0].answers.load(ordering: .acquiring)
      + places[1].answers.load(ordering: .acquiring)
  }

  var refusals: Int { refusalCount.load(ordering: .acquiring) }

  func refused() { refusalCount.add(1, ordering: .releasing) }

  var areDone: Bool { places[0].isDone.load(ordering: .acquiring) && places[1].isDone.load(ordering: .acquiring) }

  /// The writes of both workers; nil if one was not traced.
  package var shared: SharedWrites? {
    guard areDone, let first = places[0].recorded, let second = places[1].recorded else { return nil }
    return SharedWrites(of: [first, second], operations: places[0].tokens + places[1].tokens)
  }

  /// Called by a worker for each token that it has opened.
  package func answered() {
    guard isOn.load(ordering: .acquiring) else {
      answersBefore.add(1, ordering: .releasing)
      return
    }
    let thread = Self.currentThread
    for index in 0..<Self.workers {
      let owner = places[index].thread.load(ordering: .relaxed)
      if owner == thread { return count(at: index) }
      guard owner == 0,
        places[index].thread.compareExchange(
          expected: 0, desired: thread, ordering: .relaxed
        ).exchanged
      else { continue }
      places[index].answers.store(1, ordering: .releasing)
      return places[index].trace.begin()
    }
  }

  /// Counts an answer of the worker at an index, which is traced up to its last, or that of the other.
  private func count(at index: Int) {
    // Only this thread writes it.
    let answers = places[index].answers.load(ordering: .relaxed) + 1
    places[index].answers.store(answers, ordering: .releasing)
    if places[index].isDone.load(ordering: .relaxed) {
      // Leaves the requests to the other worker, which is still traced.
      if !areDone { usleep(1_000) }
    } else if answers > Self.answersEach || places[1 - index].isDone.load(ordering: .acquiring) {
      places[index].recorded = places[index].trace.end()
      // The first began the trace.
      places[index].tokens = answers - 1
      places[index].isDone.store(true, ordering: .releasing)
    }
  }

  private static var currentThread: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}

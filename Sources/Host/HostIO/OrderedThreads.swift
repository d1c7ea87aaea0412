import Synchronization

/// One thread's share of a task whose results have an order.
package protocol OrderedWorker: AnyObject {
  /// Takes the next unit of work; false if there is none. Of all workers one takes at a time.
  func take() -> Bool
  /// Works on the unit, beside the other workers.
  func work()
  /// Delivers the result; false if nothing more can be delivered. Called in the order in which units were taken.
  func deliver() -> Bool
}

/// Threads that take units of work from one input, and deliver their results in the order of the input.
///
/// A thread takes a unit, works on it, and waits until those taken before are delivered. So at most one unit a thread
/// is in memory, however long the input is.
///
/// `@unchecked Sendable`: `taken` is only accessed under `input`, and `next` under `output`.
package final class OrderedThreads: @unchecked Sendable {
  private let input = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let output = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let delivered = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let stop: StopSignal
  private let isOver = Atomic(false)
  private var taken = 0
  private var next = 0

  private init(_ stop: StopSignal) {
    self.stop = stop
    pthread_mutex_init(input, nil)
    pthread_mutex_init(output, nil)
    pthread_cond_init(delivered, nil)
  }

  deinit {
    pthread_cond_destroy(delivered)
    pthread_mutex_destroy(output)
    pthread_mutex_destroy(input)
    delivered.deallocate()
    output.deallocate()
    input.deallocate()
  }

  /// Runs the task on the calling thread and on others, fewer than `count` in all if the system refuses some. Returns
  /// when all have ended.
  ///
  /// - Parameters:
  ///   - stop: raised when a worker cannot deliver, for those that wait for input.
  ///   - makeWorker: makes a thread's worker; nil if there is no memory for one.
  /// - Returns: false if there was no memory for the first worker.
  package static func run(
    _ count: Int, stop: StopSignal, _ makeWorker: @escaping @Sendable () -> (any OrderedWorker)?
  ) -> Bool {
    guard let first = makeWorker() else { return false }
    let shared = OrderedThreads(stop)
    let threads = (1..<max(1, count)).compactMap { _ in
      JoinedThread {
        if let worker = makeWorker() { shared.run(worker) }
      }
    }
    shared.run(first)
    for thread in threads { thread.join() }
    return true
  }

  private func run(_ worker: any OrderedWorker) {
    while let turn = take(worker) {
      worker.work()
      deliver(worker, at: turn)
    }
  }

  private func take(_ worker: any OrderedWorker) -> Int? {
    pthread_mutex_lock(input)
    defer { pthread_mutex_unlock(input) }
    guard !isOver.load(ordering: .relaxed), worker.take() else { return nil }
    taken += 1
    return taken - 1
  }

  private func deliver(_ worker: any OrderedWorker, at turn: Int) {
    pthread_mutex_lock(output)
    defer { pthread_mutex_unlock(output) }
    while next != turn { pthread_cond_wait(delivered, output) }
    if !isOver.load(ordering: .relaxed), !worker.deliver() {
      isOver.store(true, ordering: .relaxed)
      stop.raise()
    }
    next += 1
    pthread_cond_broadcast(delivered)
  }
}

/// A thread of the system that someone waits for. Not a task: it may block.
package struct JoinedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// What the main thread needs at least (`ProcessSetup`). The system's default may take eight times as much address
  /// space.
  private static let stackSize = 1 << 20

  /// Starts a thread that ends when `body` returns; nil if the system refuses one.
  package init?(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Glibc)
      var started = pthread_t()
    #else
      var started: pthread_t?
    #endif
    let argument = Unmanaged.passRetained(Body(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let status = pthread_create(
      &started, &attributes,
      { raw in
        // glibc's argument is optional, Darwin's is not.
        let pointer: UnsafeMutableRawPointer? = raw
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return nil
    }
    #if canImport(Glibc)
      thread = started
    #else
      guard let started else { return nil }
      thread = started
    #endif
  }

  /// Returns when the thread has ended.
  package func join() { pthread_join(thread, nil) }
}

import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs a function again and again, with pauses of 50 milliseconds.
final class RepeatingThread: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let thread = Guarded<pthread_t?>(nil)
  private let action: @Sendable () -> Void

  private static var interval: UInt32 { 50_000 }  // microseconds

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// Starts it; false if the system has no thread left.
  func start() -> Bool {
    var thread = pthread_t()
    let runner = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        #if canImport(Glibc)
          guard let context else { return nil }
        #endif
        let runner = Unmanaged<RepeatingThread>.fromOpaque(context).takeRetainedValue()
        while !runner.isOver.load(ordering: .acquiring) {
          usleep(RepeatingThread.interval)
          runner.action()
        }
        return nil
      }, runner.toOpaque())
    guard failure == 0 else {
      runner.release()
      return false
    }
    let started = thread
    self.thread.withLock { $0 = started }
    return true
  }

  /// Ends it, and waits for its end, unless it is the calling thread.
  func stop() {
    isOver.store(true, ordering: .releasing)
    let running = thread.withLock { thread in
      let running = thread
      thread = nil
      return running
    }
    guard let running else { return }
    if pthread_equal(running, pthread_self()) != 0 { pthread_detach(running) } else { pthread_join(running, nil) }
  }
}

/// Runs tasks on a thread that it starts before they are needed: later the process may have no thread left for Swift's
/// own executor, which waits for one then.
final class ParkedThread: TaskExecutor {
  private let jobs = Guarded<[UnownedJob]>([])
  private let thread = Guarded<RepeatingThread?>(nil)

  /// Starts it; false if the system has no thread left.
  func start() -> Bool {
    let thread = RepeatingThread { [weak self] in self?.runJobs() }
    self.thread.withLock { $0 = thread }
    return thread.start()
  }

  /// Lets it end with the job that it runs.
  func stop() { thread.withLock { $0 }?.stop() }

  func enqueue(_ job: UnownedJob) { jobs.withLock { $0.append(job) } }

  private func runJobs() {
    let waiting = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in waiting { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

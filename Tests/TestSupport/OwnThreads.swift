public import Foundation
public import Testing

/// Runs tests that block on a process, a semaphore or the clock on separate threads.
///
/// Swift's concurrency has as many threads as there are processors, and all tests share them: as many tests that block
/// would stop all others. With the trait `blocking` a test's body runs under a task executor that starts another thread
/// when all its threads are busy. At most as many of these tests as there are processors run at a time, but two on one.
public struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.turns.take()
    do {
      try await OwnThreads.$isCurrent.withValue(true) {
        try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
      }
    } catch {
      await Self.turns.giveBack()
      throw error
    }
    await Self.turns.giveBack()
  }

  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)
}

extension Trait where Self == BlockingTrait {
  /// The test may block its thread: it runs on threads of `OwnThreads`.
  public static var blocking: Self { Self() }
}

/// Runs each job of a task on a thread that is idle, or else on a new one: a job never waits for one that is blocked.
public final class OwnThreads: TaskExecutor, @unchecked Sendable {
  static let shared = OwnThreads()

  @TaskLocal static var isCurrent = false

  /// Guards all properties below.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  /// Threads that have no job: those that wait for one, that were just started, or that a job is about to wake.
  private var idle = 0
  private var started = 0

  public init() {}

  /// The number of threads that were started; none ends.
  public var count: Int { condition.withLock { started } }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    defer { condition.unlock() }
    jobs.append(job)
    guard jobs.count > idle else { return condition.signal() }
    idle += 1
    started += 1
    Thread { self.run() }.start()
  }

  private func run() {
    condition.lock()
    while true {
      while jobs.isEmpty { condition.wait() }
      idle -= 1
      let job = jobs.removeFirst()
      condition.unlock()
      job.runSynchronously(on: asUnownedTaskExecutor())
      condition.lock()
      idle += 1
    }
  }

  /// Records an issue if the caller is a test without the trait `blocking`. To be called by whatever blocks a thread.
  public static func demand(_ location: SourceLocation = #_sourceLocation) {
    guard Test.current != nil, !isCurrent else { return }
    Issue.record("blocks a thread that all tests share: the test needs the trait .blocking", sourceLocation: location)
  }
}

/// Limits concurrency; waiting tasks hold no thread and proceed in order of arrival.
private actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = max(2, count)
  }

  func take() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

/// Blocks threads until another thread opens it.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  public func open() { semaphore.signal() }

  /// Blocks the thread until the gate is open. An open gate stays open.
  public func wait(_ location: SourceLocation = #_sourceLocation) {
    OwnThreads.demand(location)
    semaphore.wait()
    semaphore.signal()
  }
}

extension Process {
  /// Blocks the thread until the process has ended.
  public func blockUntilExit(_ location: SourceLocation = #_sourceLocation) {
    OwnThreads.demand(location)
    waitUntilExit()
  }
}

extension Thread {
  /// Blocks the thread for this duration.
  public static func block(forSeconds seconds: Double, _ location: SourceLocation = #_sourceLocation) {
    OwnThreads.demand(location)
    sleep(forTimeInterval: seconds)
  }
}

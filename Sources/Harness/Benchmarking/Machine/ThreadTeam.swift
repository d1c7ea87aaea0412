import CMachine
import HostIO
import Threads

/// Threads, each pinned to a CPU of its own if there are enough, that run a number of operations on request.
///
/// The threads live as long as the team, so that their creation and preparation are not timed.
public final class ThreadTeam {
  /// Runs a number of operations on one thread. Returns false if one gave a wrong answer.
  public typealias Work = (_ count: Int) -> Bool

  /// The number of CPUs available to this process.
  public static var availableCPUs: Int { Int(assay_allowed_cpu_count()) }

  private let operationsAtOnce: Int
  private let assignment = TeamAssignment()
  private var threads: [SystemThread] = []

  /// Starts `count` threads. `prepare` runs once in each of them and returns its work, or nil on failure.
  ///
  /// - Parameter operationsAtOnce: how many operations are run and timed together.
  /// - Throws: `BenchmarkFailure` if a thread cannot be created.
  public init(
    count: Int, operationsAtOnce: Int = 1, prepare: @escaping @Sendable (_ index: Int) -> Work?
  ) throws(BenchmarkFailure) {
    self.operationsAtOnce = operationsAtOnce
    for index in 0..<count {
      let thread = SystemThread { [assignment] in
        assay_pin_thread(Int32(index))
        Self.work(prepare(index), operationsAtOnce, assignment)
      }
      guard let thread else { throw BenchmarkFailure("a thread could not be created", lacksResources: true) }
      threads.append(thread)
    }
  }

  deinit {
    assignment.stop()
    for thread in threads { thread.join() }
  }

  /// Runs `operationsEach` operations, a multiple of `operationsAtOnce`, on every thread and waits for all of them.
  ///
  /// Each thread times its own operations while the others work. So a thread that loses its CPU for a while does not
  /// slow down the others' figures.
  ///
  /// - Returns: nanoseconds per operation at the combined rate of all threads, from each thread's median.
  /// - Throws: `BenchmarkFailure` if a thread could not be prepared or gave a wrong answer.
  @discardableResult
  public func run(operationsEach: Int) throws(BenchmarkFailure) -> Double {
    precondition(operationsEach.isMultiple(of: operationsAtOnce))
    let rate = try assignment.assign(operationsEach, to: threads.count)
    return rate > 0 ? 1 / rate : 0
  }

  /// What each thread does until the team is stopped.
  private static func work(_ work: Work?, _ operationsAtOnce: Int, _ assignment: TeamAssignment) {
    var times = LogLinearHistogram(upTo: 1e10)
    var seen = 0
    while let operations = assignment.next(after: &seen) {
      guard let work else {
        assignment.finish(.failure(BenchmarkFailure("a thread could not be prepared")))
        continue
      }
      guard time(work, operations / operationsAtOnce, operationsAtOnce, into: &times) else {
        assignment.finish(.failure(BenchmarkFailure("a thread gave a wrong answer")))
        continue
      }
      let median = times.percentile(50)
      assignment.finish(.success(median > 0 ? 1 / median : 0))
    }
  }

  private static func time(
    _ work: Work, _ count: Int, _ operationsAtOnce: Int, into times: inout LogLinearHistogram
  ) -> Bool {
    times.removeAll()
    var before = MonotonicClock.nanoseconds
    for _ in 0..<count {
      guard work(operationsAtOnce) else { return false }
      let after = MonotonicClock.nanoseconds
      times.add(Double(after - before) / Double(operationsAtOnce))
      before = after
    }
    return true
  }
}

/// The work assigned to a team, and the synchronization of its threads.
private final class TeamAssignment: Sendable {
  private struct State {
    var round = 0
    var operations = 0
    var unfinished = 0
    /// The sum of the rates of the finished threads, in operations per nanosecond, or the first failure.
    var rate: Result<Double, BenchmarkFailure> = .success(0)
    var isStopped = false
  }

  private let state = Monitor(State())

  /// Assigns operations to each of `members` threads and waits. Returns operations per nanosecond.
  ///
  /// - Throws: the first failure.
  func assign(_ count: Int, to members: Int) throws(BenchmarkFailure) -> Double {
    state.withLock { state in
      state = State(round: state.round + 1, operations: count, unfinished: members, isStopped: state.isStopped)
    }
    state.wakeAll()
    let result = state.wait { state in state.unfinished == 0 ? state.rate : nil }
    return try result?.get() ?? 0
  }

  /// Waits for the round after `seen`; nil if the team is stopped.
  func next(after seen: inout Int) -> Int? {
    let next = state.wait { state -> State? in state.round == seen && !state.isStopped ? nil : state }
    guard let next, !next.isStopped else { return nil }
    seen = next.round
    return next.operations
  }

  /// Ends a thread's share of the round, with its rate.
  func finish(_ share: Result<Double, BenchmarkFailure>) {
    let isLast = state.withLock { state in
      if case .success(let sum) = state.rate { state.rate = share.map { sum + $0 } }
      state.unfinished -= 1
      return state.unfinished == 0
    }
    if isLast { state.wakeAll() }
  }

  /// Ends all threads after their current round.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.wakeAll()
  }
}

import CMachine
import HostIO
import Threads

/// A team of threads, each pinned to its own CPU, that run a number of operations on request.
///
/// The threads live as long as the team, so that their creation and preparation are not timed.
public final class ThreadTeam {
  /// Runs a number of operations on one thread. Returns false if one gave a wrong answer.
  public typealias Work = (_ count: Int) -> Bool

  /// The number of CPUs available to threads.
  public static var availableCPUs: Int { Int(assay_allowed_cpu_count()) }

  private let assignment = TeamAssignment()
  private var threads: [SystemThread] = []

  /// Starts `count` threads. `prepare` runs once in each of them and returns its work, or nil on failure.
  ///
  /// - Parameter operationsAtOnce: how many operations are run and timed together.
  /// - Throws: `BenchmarkFailure` if a thread cannot be created.
  public init(
    count: Int, operationsAtOnce: Int = 1, prepare: @escaping @Sendable (_ index: Int) -> Work?
  ) throws(BenchmarkFailure) {
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
    assignment.dismiss()
    for thread in threads { thread.join() }
  }

  /// Runs `operationsEach` operations, a multiple of `operationsAtOnce`, on every thread and waits for all of them.
  ///
  /// Each thread times its own operations while the others work. So a thread that loses its CPU for a while does not
  /// slow down the others' figures.
  ///
  /// - Returns: nanoseconds per operation at the combined rate of all threads, from each thread's median.
  /// - Throws: `BenchmarkFailure` if one gave a wrong answer.
  @discardableResult
  public func run(operationsEach: Int) throws(BenchmarkFailure) -> Double {
    guard let rate = assignment.handOut(operationsEach, to: threads.count) else {
      throw BenchmarkFailure("a thread gave a wrong answer")
    }
    return rate > 0 ? 1 / rate : 0
  }

  /// What each thread does until the team is dismissed.
  private static func work(_ work: Work?, _ operationsAtOnce: Int, _ assignment: TeamAssignment) {
    var times = LogLinearHistogram(upTo: 1e10)
    var seen = 0
    while let operations = assignment.next(after: &seen) {
      let succeeded = work.map { time($0, operations / operationsAtOnce, operationsAtOnce, into: &times) } ?? false
      let median = times.percentile(50)
      assignment.finish(succeeded: succeeded, rate: median > 0 ? 1 / median : 0)
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
    var failed = false
    /// The sum of rates of the finished threads, in operations per nanosecond.
    var rate = 0.0
    var dismissed = false
  }

  private let state = Monitor(State())

  /// Assigns operations to each of `members` threads and waits. Returns operations per nanosecond, nil if one failed.
  func handOut(_ count: Int, to members: Int) -> Double? {
    state.withLock { state in
      state = State(round: state.round + 1, operations: count, unfinished: members, dismissed: state.dismissed)
    }
    state.wakeAll()
    let result = state.wait { state in state.unfinished == 0 ? (failed: state.failed, rate: state.rate) : nil }
    return result.flatMap { $0.failed ? nil : $0.rate }
  }

  /// Waits for the round after `seen`; nil if the team is dismissed.
  func next(after seen: inout Int) -> Int? {
    let next = state.wait { state -> State? in state.round == seen && !state.dismissed ? nil : state }
    guard let next, !next.dismissed else { return nil }
    seen = next.round
    return next.operations
  }

  func finish(succeeded: Bool, rate share: Double) {
    let isLast = state.withLock { state in
      if !succeeded { state.failed = true }
      state.rate += share
      state.unfinished -= 1
      return state.unfinished == 0
    }
    if isLast { state.wakeAll() }
  }

  func dismiss() {
    state.withLock { $0.dismissed = true }
    state.wakeAll()
  }
}

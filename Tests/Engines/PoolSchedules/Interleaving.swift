import CFibers
import FastDecryption

/// Runs threads of a pool and of its callers one at a time, in an order and by a clock that follow from a seed.
///
/// The threads are fibers of the calling thread. Each runs until it blocks or yields (`PoolSchedule`); which one
/// continues is drawn from the seed in one of two ways:
///
/// - *at random*: each yield changes the thread with a probability of 1, 1/4 or 1/16;
/// - *by priorities* (PCT: Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding
///   bugs", ASPLOS 2010): the thread with the highest priority runs, and at up to three random steps it falls to the
///   lowest.
///
/// Time passes at each step, by nanoseconds or by microseconds as the seed says, and leaps to the next time-out when
/// all threads wait. If all wait and none has a time-out, or after too many steps, the run ends as `stuck`.
package final class Interleaving: PoolSchedule, @unchecked Sendable {
  /// A planted fault of threads or of the clock, which the pool's tests must find.
  package enum Fault { case lostWakeUp, lostTimeOut, staleClock }

  private final class Strand {
    let fiber: OpaquePointer
    let isOfPool: Bool
    var body: (() -> Void)?
    /// What it waits for; nil if it can run.
    var isMet: (() -> Bool)?
    var end: Int64?
    var priority: UInt64
    /// The times that it has read from the clock.
    var readings: [ContinuousClock.Instant] = []

    init(_ fiber: OpaquePointer, isOfPool: Bool, priority: UInt64) {
      (self.fiber, self.isOfPool, self.priority) = (fiber, isOfPool, priority)
    }
  }

  private var random: Randomness
  private let fault: Fault?
  private let isByPriority: Bool
  /// A thread is changed if these bits of a random number are zero.
  private let mask: UInt64
  /// A mask of low bits: a step takes a random number of nanoseconds, at most this one.
  private let pace: UInt64
  private var changes: [Int]
  private var strands: [Strand] = []
  private var current: Strand?
  private let main: OpaquePointer
  private var lowest = UInt64(1) << 32
  package private(set) var steps = 0
  package private(set) var isStuck = false
  /// A hash of the changes of thread: two runs with different hashes differ.
  package private(set) var trace: UInt64 = 0
  /// Nanoseconds since the beginning.
  private var time: Int64 = 0
  /// The decider of the pool's threads.
  package var decider: PoolDecider?
  private let fibers: FiberStock

  package init(seed: UInt64, on fibers: FiberStock, fault: Fault? = nil) {
    random = Randomness(seed)
    self.fault = fault
    self.fibers = fibers
    main = fibers.take()
    isByPriority = random.draw(2) == 0
    mask = [0, 3, 15][random.draw(3)]
    pace = [15, 1_023, 16_383][random.draw(3)]
    changes = []
    if isByPriority { changes = (0..<random.draw(4)).map { _ in random.draw(400) }.sorted(by: >) }
  }

  private static let epoch = ContinuousClock.now
  private static var longest: Int { 20_000 }

  /// The time, for the test: no thread reads it from the clock (`readings`).
  package var clock: ContinuousClock.Instant { Self.epoch.advanced(by: .nanoseconds(time)) }

  /// Whether all threads of the pool have ended.
  package var isPoolOver: Bool { !strands.contains { $0.isOfPool } }
  /// The times that the running thread has read from the clock.
  package var readings: [ContinuousClock.Instant] { current?.readings ?? [] }

  /// Draws a number below `bound`.
  package func draw(_ bound: Int) -> Int { random.draw(bound) }

  /// Adds a thread of the test.
  package func add(_ body: @escaping () -> Void) { add(isOfPool: false, body) }

  /// Runs all threads until they have ended, or none can go on.
  package func run() {
    guard let first = next() else { return }
    current = first
    fiber_switch(main, first.fiber)
    current = nil
    fibers.putBack(main)
  }

  private func add(isOfPool: Bool, _ body: @escaping () -> Void) {
    let strand = Strand(fibers.take(), isOfPool: isOfPool, priority: random.next() | 1 << 40)
    strand.body = body
    fiber_prepare(
      strand.fiber,
      { argument in
        guard let argument else { return }
        // `enter` never returns, so the call must not hold a reference.
        Unmanaged<Interleaving>.fromOpaque(argument)._withUnsafeGuaranteedRef { $0.enter() }
      }, Unmanaged.passUnretained(self).toOpaque())
    strands.append(strand)
    sortByPriority()
  }

  private func sortByPriority() {
    if isByPriority { strands.sort { $0.priority > $1.priority } }
  }

  /// The function that every fiber runs.
  private func enter() {
    current?.body?()
    current?.body = nil
    leave()
  }

  private func leave() {
    guard let over = current.map(Unmanaged.passUnretained) else { return }
    let fiber = over._withUnsafeGuaranteedRef { $0.fiber }
    strands.removeAll { $0 === current }
    fibers.putBack(fiber)
    let next = next().map(Unmanaged.passUnretained)
    isStuck = next == nil && !strands.isEmpty
    current = next?.takeUnretainedValue()
    fiber_switch(fiber, next?._withUnsafeGuaranteedRef { $0.fiber } ?? main)
  }
}

// MARK: - PoolSchedule

extension Interleaving {
  package var now: ContinuousClock.Instant {
    yield()
    guard let current else { return clock }
    if fault != .staleClock || current.readings.isEmpty || draw(4) > 0 { current.readings.append(clock) }
    return current.readings[current.readings.count - 1]
  }

  package func yield() {
    guard let current else { return }
    pass(from: current)
  }

  package func wait(for kind: PoolWait, until end: ContinuousClock.Instant?, _ isMet: @escaping () -> Bool) {
    guard let current else { return precondition(isMet(), "nothing runs that it could wait for") }
    let isLost = fault == .lostWakeUp && kind == .wake && draw(8) == 0
    current.isMet = isLost ? { false } : isMet
    current.end = fault == .lostTimeOut ? nil : end.map(nanoseconds)
    pass(from: current)
  }

  package func start(_ body: @escaping @Sendable () -> Void) { add(isOfPool: true, body) }

  private func pass(from strand: Strand) {
    steps += 1
    let bits = random.next()
    time += Int64(bits >> 40 & pace)
    if isByPriority, changes.last.map({ steps >= $0 }) ?? false {
      changes.removeLast()
      lowest -= 1
      strand.priority = lowest
      sortByPriority()
    } else if !isByPriority, strand.isMet == nil, bits & mask != 0 {
      return
    }
    let next = steps < Self.longest ? next() : nil
    guard next !== strand else { return }
    isStuck = next == nil
    trace = (trace ^ UInt64(steps) ^ (next?.priority ?? 0)) &* 0x9E37_79B9_7F4A_7C15
    current = next
    fiber_switch(strand.fiber, next?.fiber ?? main)
  }

  /// The thread to continue; nil if all have ended or none can.
  private func next() -> Strand? {
    if strands.isEmpty { return nil }
    while true {
      let first = isByPriority ? 0 : draw(strands.count)
      for offset in strands.indices {
        let strand = strands[(first + offset) % strands.count]
        guard canContinue(strand) else { continue }
        (strand.isMet, strand.end) = (nil, nil)
        return strand
      }
      guard let end = strands.compactMap(\.end).min() else { return nil }
      time = max(time, end)
    }
  }

  private func nanoseconds(_ end: ContinuousClock.Instant) -> Int64 {
    let (seconds, attoseconds) = Self.epoch.duration(to: end).components
    return Int64(seconds) * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private func canContinue(_ strand: Strand) -> Bool {
    guard let isMet = strand.isMet else { return true }
    return isMet() || strand.end.map { $0 <= time } ?? false
  }
}

/// Fibers whose stacks are used again.
package final class FiberStock {
  private var free: [OpaquePointer] = []

  package init() {}

  deinit { free.forEach(fiber_free) }

  func take() -> OpaquePointer {
    guard let fiber = free.popLast() ?? fiber_create() else { fatalError("no memory for a fiber") }
    return fiber
  }

  func putBack(_ fiber: OpaquePointer) { free.append(fiber) }
}

/// SplitMix64, a fast generator of random numbers.
package struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  package mutating func draw(_ bound: Int) -> Int { (Int(next() >> 33) * bound) >> 31 }
}

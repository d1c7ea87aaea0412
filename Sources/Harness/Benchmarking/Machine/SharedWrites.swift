import CMachine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Atomic writes of an operation to memory that several threads write: reference counts, locks and counters.
///
/// Each such write takes the cache line away from the other cores, so these writes, and not the computation, bound the
/// throughput of many cores. Every atomic read-modify-write instruction of two threads is recorded with its cache line
/// (CMachine/AtomicWrites.c), while both do the same work with their own buffers and one engine. Those to lines that
/// both threads wrote are counted. Counts do not depend on the machine's speed or load. Plain stores are not counted:
/// memory that threads share is written by plain stores only under a lock, which is counted.
public struct SharedWrites: Hashable, Sendable {
  /// A function that writes, and the function of the program that called it.
  public struct Place: Hashable, Sendable {
    /// The function with the instruction, such as `swift_retain`; empty if unknown.
    public let function: String
    /// The function of this program that led there; empty if unknown.
    public let caller: String
    /// Writes per operation.
    public let count: Double
  }

  /// How instructions are traced.
  public struct Tracing: Hashable, Sendable {
    /// The addresses of functions without atomic instructions, which take long and are not traced.
    public let untraced: [UInt64]

    /// Traces everything but these functions, which must not call others.
    public init(untraced: [UInt64] = []) {
      self.untraced = untraced
    }
  }

  /// Writes per operation.
  public let count: Double
  /// Where they happen, most first.
  public let places: [Place]
  /// Writes per operation to each line that any of the threads wrote, by the address of the line.
  private let addresses: [UInt64: Double]

  /// Creates counts per operation.
  public init(count: Double, places: [Place] = []) {
    self.init(count: count, places: places, addresses: [:])
  }

  private init(count: Double, places: [Place], addresses: [UInt64: Double]) {
    self.count = count
    self.places = places
    self.addresses = addresses
  }

  /// The writes of several threads to lines that more than one of them wrote.
  ///
  /// - Parameter operations: those of all threads together.
  public init(of threads: [AtomicWrites], operations: Int) {
    let records = threads.flatMap(\.records)
    let shared = Self.sharedLines(threads)
    let places = Dictionary(grouping: records.filter { shared.contains($0.line) }) { [$0.instruction, $0.call] }
      .map { place, records in
        Place(
          function: Self.function(at: place[0]), caller: Self.function(at: place[1]),
          count: Self.sum(records) / Double(operations))
      }
    self.init(
      count: places.reduce(0) { $0 + $1.count },
      places: places.sorted { ($1.count, $0.function, $0.caller) < ($0.count, $1.function, $1.caller) },
      addresses: Dictionary(grouping: records, by: \.line).mapValues { Self.sum($0) / Double(operations) })
  }

  /// Writes per operation, by one thread or several, to the cache line with an object's count of references. Those of a
  /// pool's callers are not among them.
  package func count(onLineOf object: AnyObject) -> Double {
    let address = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    return addresses[address - address % UInt64(assay_cache_line)] ?? 0
  }

  /// The lines that more than one thread wrote.
  private static func sharedLines(_ threads: [AtomicWrites]) -> Set<UInt64> {
    var writers: [UInt64: Int] = [:]
    for thread in threads {
      for line in Set(thread.records.map(\.line)) { writers[line, default: 0] += 1 }
    }
    return Set(writers.filter { $0.value > 1 }.keys)
  }

  private static func sum(_ records: [assay_atomic_write]) -> Double {
    Double(records.reduce(0) { $0 + $1.count })
  }

  /// Counts the writes of a benchmark's work; nil where instructions cannot be traced.
  public typealias Count = (Tracing) throws(BenchmarkFailure) -> SharedWrites?

  /// Counts the writes of two threads that do the same work.
  ///
  /// - Parameters:
  ///   - operations: those of each thread.
  ///   - prepare: runs once in each thread, and returns its work.
  public static func ofTwoThreads(
    operations: Int, prepare: @escaping @Sendable (_ thread: Int) -> ThreadTeam.Work?
  ) -> Count {
    { tracing throws(BenchmarkFailure) in try count(operations: operations, by: tracing, prepare: prepare) }
  }

  /// Counts the writes of two threads that do the same work at the same time; nil where instructions cannot be traced.
  ///
  /// - Parameters:
  ///   - operations: those of each thread.
  ///   - prepare: runs once in each thread, and returns its work.
  /// - Throws: `BenchmarkFailure` if an operation gave a wrong answer.
  package static func count(
    operations: Int, by tracing: Tracing, prepare: @escaping @Sendable (_ thread: Int) -> ThreadTeam.Work?
  ) throws(BenchmarkFailure) -> SharedWrites? {
    let recorder = AtomicWritesRecorder(tracing)
    let team = try ThreadTeam(count: 2, operationsAtOnce: operations) { thread in
      prepare(thread).map { work in { count in recorder.run(thread, work, count) } }
    }
    // Fills caches. Signers get tables after some uses, by another thread.
    for _ in 0..<2 {
      for _ in 0..<16 { try team.run(operationsEach: operations) }
      usleep(50_000)
    }
    recorder.isOn = true
    try team.run(operationsEach: operations)
    guard let threads = recorder.threads else { return nil }
    return SharedWrites(of: threads, operations: 2 * operations)
  }

  private static func function(at address: UInt64) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard address != 0, let start = buffer.baseAddress else { return "" }
      assay_function_name(address, start, buffer.count)
      return String(cString: start)
    }
  }
}

/// The atomic read-modify-write instructions that one thread has executed.
public struct AtomicWrites: Sendable {
  let records: [assay_atomic_write]

  /// Runs `body` with its instructions traced, each of which takes 1 to 20 µs. Returns nil where instructions cannot be
  /// traced.
  public static func recorded(by tracing: SharedWrites.Tracing, during body: () -> Void) -> AtomicWrites? {
    let trace = AtomicWritesTrace(by: tracing)
    trace.begin()
    body()
    return trace.end()
  }
}

/// Records the atomic read-modify-write instructions of a thread from `begin` to `end`, both of which it calls itself.
///
/// `@unchecked Sendable`: only the traced thread uses it.
public final class AtomicWritesTrace: @unchecked Sendable {
  /// More places than an operation has.
  private static let capacity = 4_096

  private let records = UnsafeMutableBufferPointer<assay_atomic_write>.allocate(capacity: capacity)
  private let functions: UnsafeMutableBufferPointer<UInt64>
  private let untraced = UnsafeMutablePointer<assay_untraced>.allocate(capacity: 1)
  private var isTraced = false

  /// A trace that has not begun.
  public init(by tracing: SharedWrites.Tracing) {
    functions = .allocate(capacity: tracing.untraced.count)
    _ = functions.initialize(fromContentsOf: tracing.untraced)
    untraced.initialize(to: assay_untraced(functions: functions.baseAddress, count: functions.count))
  }

  deinit {
    untraced.deallocate()
    functions.deallocate()
    records.deallocate()
  }

  /// Traces every instruction of this thread from here on.
  public func begin() {
    isTraced = assay_begin_atomic_writes(records.baseAddress, records.count, untraced) == 0
  }

  /// Ends, and returns what was recorded; nil where instructions cannot be traced.
  public func end() -> AtomicWrites? {
    guard isTraced else { return nil }
    isTraced = false
    let count = assay_end_atomic_writes()
    return count < 0 ? nil : AtomicWrites(records: Array(records.prefix(count)))
  }
}

/// The recorded writes of two threads.
///
/// `@unchecked Sendable`: each thread writes its own element, and the team's lock orders everything else.
private final class AtomicWritesRecorder: @unchecked Sendable {
  var isOn = false
  private let tracing: SharedWrites.Tracing
  private var first: AtomicWrites?
  private var second: AtomicWrites?

  /// Those of both threads; nil if one could not be traced.
  var threads: [AtomicWrites]? {
    guard let first, let second else { return nil }
    return [first, second]
  }

  init(_ tracing: SharedWrites.Tracing) {
    self.tracing = tracing
  }

  func run(_ thread: Int, _ work: ThreadTeam.Work, _ count: Int) -> Bool {
    guard isOn else { return work(count) }
    var isRight = false
    let recorded = AtomicWrites.recorded(by: tracing) { isRight = work(count) }
    if thread == 0 { first = recorded } else { second = recorded }
    return isRight
  }
}

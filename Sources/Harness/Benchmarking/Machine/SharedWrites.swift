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
/// (CMachine/AtomicWrites.c), while both do the same work with their own buffers and one engine. Those to lines that both
/// threads wrote are counted. Counts do not depend on the machine's speed or load. Plain stores are not counted: memory
/// that threads share is written by plain stores only under a lock, which is counted.
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

  /// Creates counts per operation.
  public init(count: Double, places: [Place] = []) {
    self.count = count
    self.places = places
  }

  /// The writes of several threads to lines that more than one of them wrote.
  ///
  /// - Parameter operations: those of all threads together.
  public init(of threads: [AtomicWrites], operations: Int) {
    var writers: [UInt64: Int] = [:]
    for thread in threads {
      for line in Set(thread.records.map(\.line)) { writers[line, default: 0] += 1 }
    }
    let shared = threads.flatMap(\.records).filter { writers[$0.line, default: 0] > 1 }
    let places = Dictionary(grouping: shared) { [$0.instruction, $0.call] }.map { place, records in
      Place(
        function: Self.function(at: place[0]), caller: Self.function(at: place[1]),
        count: Double(records.reduce(0) { $0 + $1.count }) / Double(operations))
    }
    self.init(
      count: places.reduce(0) { $0 + $1.count },
      places: places.sorted { ($1.count, $0.function, $0.caller) < ($0.count, $1.function, $1.caller) })
  }

  /// The operations that are traced, if the benchmark runs fewer at once.
  private static let operations = 2

  /// Counts the writes of a benchmark's work in two threads; nil where instructions cannot be traced, or if the work is
  /// not done by the threads that ask for it.
  static func count(_ benchmark: Benchmark, by tracing: Tracing) throws(BenchmarkFailure) -> SharedWrites? {
    guard let inThread = benchmark.inThread else { return nil }
    return try count(operations: benchmark.rounded(operations), by: tracing, prepare: inThread)
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

  /// More places than an operation has.
  private static let capacity = 4_096

  /// Runs `body` with its instructions traced, each of which takes 1 to 20 µs. Returns nil where instructions cannot be
  /// traced.
  public static func recorded(by tracing: SharedWrites.Tracing, during body: () -> Void) -> AtomicWrites? {
    var isTraced = false
    let records = [assay_atomic_write](unsafeUninitializedCapacity: capacity) { buffer, count in
      tracing.untraced.withUnsafeBufferPointer { functions in
        var untraced = assay_untraced(functions: functions.baseAddress, count: functions.count)
        guard assay_begin_atomic_writes(buffer.baseAddress, buffer.count, &untraced) == 0 else { return body() }
        body()
        let recorded = assay_end_atomic_writes()
        isTraced = recorded >= 0
        count = max(0, recorded)
      }
    }
    return isTraced ? AtomicWrites(records: records) : nil
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

import CMachine
import HostIO

/// Allocations per operation, counted if the allocation counter is loaded.
public struct AllocationCounts: Hashable, Sendable {
  /// Calls of malloc, calloc, realloc and the like, without libcrypto's.
  public let ownCalls: Double
  /// The bytes that those calls requested.
  public let ownBytes: Double
  /// libcrypto's calls.
  public let libcryptoCalls: Double
  /// The bytes that libcrypto's calls requested.
  public let libcryptoBytes: Double

  /// Creates counts per operation; they are fractions if operations differ.
  public init(ownCalls: Double, ownBytes: Double, libcryptoCalls: Double, libcryptoBytes: Double) {
    self.ownCalls = ownCalls
    self.ownBytes = ownBytes
    self.libcryptoCalls = libcryptoCalls
    self.libcryptoBytes = libcryptoBytes
  }

  /// The lesser of two counts of the same operations, number by number.
  static func least(_ one: AllocationCounts, _ other: AllocationCounts) -> AllocationCounts {
    AllocationCounts(
      ownCalls: min(one.ownCalls, other.ownCalls), ownBytes: min(one.ownBytes, other.ownBytes),
      libcryptoCalls: min(one.libcryptoCalls, other.libcryptoCalls),
      libcryptoBytes: min(one.libcryptoBytes, other.libcryptoBytes))
  }
}

/// Whether allocations can be counted in this process.
public enum AllocationCounting: Hashable, Sendable {
  case available
  case unavailable(reason: String)

  /// The current state.
  public static var state: AllocationCounting {
    let state = assay_counter_state()
    if state == ASSAY_COUNTER_READY { return .available }
    if state == ASSAY_COUNTER_WITHOUT_CRYPTO {
      return .unavailable(reason: "libcrypto is linked statically or had allocated before, so its share is unknown")
    }
    return .unavailable(reason: "libAllocationCounter.so is not in the program's folder, or could not be preloaded")
  }

  /// The lower bound of the limit. Over very few operations, an allocation that only the first ones make would look
  /// like one of every operation.
  private static let leastNanoseconds: UInt64 = 20_000_000

  /// Counts the allocations of `wanted` operations after as many for warm-up. If the warm-up and one count would take
  /// longer than `limit` nanoseconds, there are fewer. The result is the least of several counts, because a one-time
  /// allocation belongs to no operation: another thread, for example, makes a table when it gets a processor.
  ///
  /// - Returns: nil if counting is unavailable, or the work is done by another program.
  static func count(
    _ benchmark: Benchmark, operations wanted: Int, nanoseconds limit: UInt64 = .max
  ) throws(BenchmarkFailure) -> AllocationCounts? {
    guard state == .available, benchmark.program == nil else { return nil }
    let count = try operations(of: benchmark, wanted: wanted, nanoseconds: limit)
    try benchmark.run(count)
    return try least(AllocationCounts.least) { () throws(BenchmarkFailure) in try allocations(of: count, benchmark) }
  }

  /// The least value of at most six passes. They end early when a pass repeats the least value so far.
  package static func least<Value: Equatable>(
    _ lesser: (Value, Value) -> Value, _ pass: () throws(BenchmarkFailure) -> Value
  ) throws(BenchmarkFailure) -> Value {
    var least = try pass()
    for _ in 1..<6 {
      let value = try pass()
      if value == least { break }
      least = lesser(least, value)
    }
    return least
  }

  private static func allocations(
    of count: Int, _ benchmark: Benchmark
  ) throws(BenchmarkFailure) -> AllocationCounts {
    assay_counter_begin()
    do {
      try benchmark.run(count)
    } catch {
      _ = assay_counter_end()
      throw error
    }
    let counted = assay_counter_end()
    let operations = Double(count)
    return AllocationCounts(
      ownCalls: Double(counted.own_calls) / operations, ownBytes: Double(counted.own_bytes) / operations,
      libcryptoCalls: Double(counted.libcrypto_calls) / operations,
      libcryptoBytes: Double(counted.libcrypto_bytes) / operations)
  }

  /// How many operations to count: `wanted`, or fewer that take half of `limit`.
  ///
  /// The least of several samples gives the time of an operation: a sample during which the machine stands still would
  /// leave too few operations for the warm-up.
  package static func operations(
    of benchmark: Benchmark, wanted: Int, nanoseconds limit: UInt64
  ) throws(BenchmarkFailure) -> Int {
    // The first operation fills caches.
    try benchmark.run(benchmark.rounded(1))
    let sample = benchmark.rounded(2)
    var least = UInt64.max
    for _ in 0..<4 {
      let before = MonotonicClock.nanoseconds
      try benchmark.run(sample)
      least = min(least, MonotonicClock.nanoseconds - before)
    }
    let each = max(least / UInt64(sample), 1)
    return benchmark.rounded(max(1, min(wanted, Int(clamping: max(limit, leastNanoseconds) / 2 / each))))
  }
}

import CMachine

/// Allocations an operation, when the allocation counter is loaded.
public struct AllocationCounts: Hashable, Sendable {
  /// Calls of malloc and its relatives by everything but libcrypto.
  public let ownCalls: Double
  /// Bytes those calls asked for.
  public let ownBytes: Double
  /// libcrypto's own calls.
  public let libcryptoCalls: Double
  /// Bytes libcrypto's calls asked for.
  public let libcryptoBytes: Double

  /// Counts an operation, fractions where operations differ.
  public init(ownCalls: Double, ownBytes: Double, libcryptoCalls: Double, libcryptoBytes: Double) {
    self.ownCalls = ownCalls
    self.ownBytes = ownBytes
    self.libcryptoCalls = libcryptoCalls
    self.libcryptoBytes = libcryptoBytes
  }
}

/// Whether allocations can be counted in this process, and if not, why.
public enum AllocationCounting: Hashable, Sendable {
  case available
  case unavailable(reason: String)

  /// What the process offers now.
  public static var state: AllocationCounting {
    let state = assay_counter_state()
    if state == ASSAY_COUNTER_READY { return .available }
    if state == ASSAY_COUNTER_WITHOUT_CRYPTO {
      return .unavailable(reason: "libcrypto is linked statically or had allocated before, so its share is unknown")
    }
    return .unavailable(reason: "libAllocationCounter.so does not lie beside the program, or could not be preloaded")
  }

  /// Counts what `wanted` operations of a benchmark allocate, after as many uncounted ones.
  ///
  /// - Returns: nil when counting is unavailable.
  static func count(_ benchmark: Benchmark, operations wanted: Int) throws(BenchmarkFailure) -> AllocationCounts? {
    guard state == .available else { return nil }
    let count = benchmark.rounded(wanted)
    try benchmark.run(count)
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
}

import PaymentToken
import Synchronization

/// The counts of one worker. Each worker has its own, so that threads do not write to the same memory.
///
/// The worker's thread writes the counts with atomic stores, and others read them at any time. Each count is read
/// whole, but the counts that a reader sees may be of different moments.
///
/// `@unchecked Sendable`: the memory of `counts` holds atomic numbers only.
final class Tally: @unchecked Sendable {
  enum Count: Int, CaseIterable {
    case accepted, overloaded, cancelled, expired, ranOnCallerThread, sentToSlowPath, postponedUnwrapping
    case busyNanoseconds, latencySum
  }

  private let counts: UnsafeMutablePointer<Atomic<UInt64>>

  // The parts of `counts`.
  private static let codes = TokenFault.Code.allCases
  private static var firstCode: Int { Count.allCases.count }
  private static let firstSize = firstCode + codes.count
  private static let firstBucket = firstSize + DecryptionPool.Configuration.largestBatch + 1
  private static let total = firstBucket + LatencyHistogram.upperBounds.count
  private static let codeIndices = Dictionary(uniqueKeysWithValues: zip(codes, firstCode...))

  init() {
    counts = .allocate(capacity: Self.total)
    for index in 0..<Self.total { (counts + index).initialize(to: Atomic(0)) }
  }

  deinit {
    counts.deinitialize(count: Self.total)
    counts.deallocate()
  }

  func count(_ count: Count) { add(1, at: count.rawValue) }

  func countAccepted(after latency: Duration) {
    add(1, at: Count.accepted.rawValue)
    record(latency)
  }

  func countRefused(_ fault: TokenFault, after latency: Duration) {
    if let index = Self.codeIndices[fault.code] { add(1, at: index) }
    record(latency)
  }

  func countBatch(of size: Int, taking time: Duration) {
    add(1, at: Self.firstSize + size)
    add(time.wholeNanoseconds, at: Count.busyNanoseconds.rawValue)
  }

  private func record(_ latency: Duration) {
    let nanoseconds = latency.wholeNanoseconds
    add(1, at: Self.firstBucket + LatencyHistogram.bucket(of: nanoseconds))
    add(nanoseconds, at: Count.latencySum.rawValue)
  }

  /// Only one thread writes these counts, so it needs no atomic addition, only an atomic store. The store releases: a
  /// reader that counts a request as answered also counts it as submitted.
  private func add(_ number: UInt64, at index: Int) {
    counts[index].store(counts[index].load(ordering: .relaxed) &+ number, ordering: .releasing)
  }

  func add(to metrics: inout PoolMetrics) {
    metrics.accepted += read(.accepted)
    metrics.overloaded += read(.overloaded)
    metrics.cancelled += read(.cancelled)
    metrics.expired += read(.expired)
    metrics.sentToSlowPath += read(.sentToSlowPath)
    metrics.postponedUnwrapping += read(.postponedUnwrapping)
    metrics.busyNanoseconds &+= read(.busyNanoseconds)
    for (index, code) in zip(Self.firstCode..., Self.codes) {
      let count = read(index)
      if count > 0 { metrics.refusedByCode[code, default: 0] += count }
    }
    // Read after the answers, since `submitted` is computed from it.
    metrics.ranOnCallerThread += read(.ranOnCallerThread)
    for size in metrics.batchesBySize.indices { metrics.batchesBySize[size] += read(Self.firstSize + size) }
    metrics.latency.add(
      counts: LatencyHistogram.upperBounds.indices.map { read(Self.firstBucket + $0) }, sum: read(.latencySum))
  }

  private func read(_ count: Count) -> UInt64 { read(count.rawValue) }
  private func read(_ index: Int) -> UInt64 { counts[index].load(ordering: .acquiring) }
}

import FastDecryption
import Minting
import PaymentToken
import TestSupport
import Testing

/// Counts add up, and durations get into the right bucket.
@Suite(.blocking) struct PoolMetricsTests {
  @Test func `every request is counted once`() async throws {
    let fixture = try PoolFixture(.init(workers: 2))
    let answers = Answers()
    let tokens = try HostileTokens.ofEveryStage(fixture.fixture)
    for (index, (_, token)) in tokens.enumerated() { try fixture.submit(token, as: index, to: answers) }
    try fixture.submit(try fixture.token(), as: tokens.count, to: answers)
    await fixture.pool.shutDown()
    let metrics = fixture.pool.metrics
    #expect(metrics.submitted == UInt64(tokens.count + 1))
    #expect(metrics.accepted == 1)
    var expected: [TokenFault.Code: UInt64] = [:]
    for (fault, _) in tokens { expected[fault.code, default: 0] += 1 }
    #expect(metrics.refusedByCode == expected)
    #expect(metrics.latency.total == metrics.submitted)
    #expect(metrics.inFlight == 0)
    #expect(metrics.busyNanoseconds > 0)
    let inBatches = metrics.batchesBySize.enumerated().reduce(0) { $0 + UInt64($1.offset) * $1.element }
    // Requests that return from the slow path are counted in a second batch.
    #expect((metrics.submitted...metrics.submitted + metrics.sentToSlowPath).contains(inBatches))
  }

  @Test func `bounds ascend by a quarter at most, and each ends its own bucket`() {
    let bounds = LatencyHistogram.upperBounds
    #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 && $1 * 4 <= $0 * 5 })
    for (index, bound) in bounds.enumerated() {
      #expect(bucket(of: bound) == index)
      #expect(bucket(of: bound + 1) == min(index + 1, bounds.count - 1))
    }
    #expect(bucket(of: 0) == 0)
    #expect(bucket(of: UInt64(Int64.max)) == bounds.count - 1)
  }

  @Test func `percentiles are the upper bounds of their buckets`() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(99) == 0)
    for _ in 0..<99 { histogram.record(.microseconds(50)) }
    histogram.record(.milliseconds(10))
    #expect(histogram.percentile(50) >= 50_000 && histogram.percentile(50) <= 62_500)
    #expect(histogram.percentile(99) == histogram.percentile(50))
    #expect(histogram.percentile(100) >= 10_000_000)
    #expect(histogram.sum == 99 * 50_000 + 10_000_000)
  }

  @Test func `every duration and every percentage is accepted`() {
    var histogram = LatencyHistogram()
    for _ in 0..<3 { histogram.record(.seconds(Int64.max)) }
    histogram.record(.seconds(-1))
    #expect(histogram.counts.last == 3)
    #expect(histogram.counts.first == 1)
    for percent in [-5, .nan, .infinity, 0, 100, 1e300] {
      #expect(LatencyHistogram.upperBounds.contains(histogram.percentile(percent)))
    }
  }

  private func bucket(of nanoseconds: UInt64) -> Int? {
    var histogram = LatencyHistogram()
    histogram.record(.nanoseconds(Int64(nanoseconds)))
    return histogram.counts.firstIndex(of: 1)
  }
}

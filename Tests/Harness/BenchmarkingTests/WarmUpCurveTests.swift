import Benchmarking
import Testing

struct WarmUpCurveTests {
  /// A virtual machine: slow at first, fast after `compiled` requests.
  private func times(_ count: Int, compiled: Int) -> [Double] {
    (0..<count).map { $0 == 0 ? 18_000 : $0 < compiled ? 4_000 : 400 + Double($0 % 7) }
  }

  @Test func `the settled time is that after the warm-up, and where it begins is found`() throws {
    let curve = try #require(WarmUpCurve(times(4_000, compiled: 1_200)))
    #expect(curve.settled == 403)
    #expect(curve.settledAfter == 1_200)
    #expect(curve.points.map(\.request) == [1, 10, 100, 1_000])
    #expect(curve.points.map(\.nanoseconds) == [18_000, 4_000, 4_000, 4_000])
  }

  @Test func `a time that is the same from the first request on is settled at once`() throws {
    #expect(try #require(WarmUpCurve([Double](repeating: 5, count: 100))).settledAfter == 0)
  }

  @Test func `a time that still falls is not settled`() throws {
    let falling = (1...2_000).map { 1e6 / Double($0) }
    #expect(!WarmUpCurve.isSettled(falling))
    #expect(try #require(WarmUpCurve(falling)).settledAfter == nil)
  }

  @Test func `a disturbance is no warm-up`() throws {
    var steady = [Double](repeating: 100, count: 1_000)
    for index in 500..<540 { steady[index] = 5_000 }
    #expect(try #require(WarmUpCurve(steady)).settledAfter == 0)
  }

  @Test func `too few requests are not settled, and without any there is no curve`() {
    #expect(!WarmUpCurve.isSettled([1, 1, 1]))
    #expect(WarmUpCurve([]) == nil)
  }
}

import Fuzzing
import PaymentToken
import TestCases
import Testing

/// Coverage features and the map of those seen. The counters themselves exist in a coverage build only.
@Suite struct CoverageTests {
  private static func features(_ counters: [UInt8]) -> [CoverageFeature] {
    counters.withUnsafeBytes { CoverageFeature.all(in: $0) }
  }

  @Test func `every count has the bucket that AFL gives it, and zero has none`() {
    #expect(CoverageFeature.bucket(of: 0) == nil)
    let buckets: [ClosedRange<UInt8>] = [1...1, 2...2, 3...3, 4...7, 8...15, 16...31, 32...127, 128...255]
    for (bucket, counts) in buckets.enumerated() {
      for count in counts { #expect(CoverageFeature.bucket(of: count) == bucket, "\(count)") }
    }
  }

  @Test(arguments: 0..<40) func `each counter that is not zero gives one feature, wherever it stands`(_ count: Int) {
    #expect(Self.features([UInt8](repeating: 0, count: count)).isEmpty)
    for edge in 0..<count {
      var counters = [UInt8](repeating: 0, count: count)
      counters[edge] = 200
      #expect(Self.features(counters) == [CoverageFeature(edge: edge, bucket: 7)])
    }
    let all = Self.features([UInt8](repeating: 5, count: count))
    #expect(all.map(\.edge) == Array(0..<count))
    #expect(all.allSatisfy { $0.bucket == 3 })
  }

  @Test func `a map knows each edge in each bucket once`() {
    var map = CoverageMap()
    var isNew: [Bool] = []
    for bucket in [0, 3, 7] {
      let feature = CoverageFeature(edge: 12, bucket: bucket)
      #expect(!map.contains(feature))
      for _ in 0..<2 { isNew.append(map.insert(feature)) }
      #expect(map.contains(feature))
    }
    isNew.append(map.insert(CoverageFeature(edge: 0, bucket: 0)))
    // An edge beyond the highest number is ignored.
    isNew.append(map.insert(CoverageFeature(edge: 1 << 24, bucket: 0)))
    #expect(isNew == [true, false, true, false, true, false, true, false])
    #expect(map.edgeCount == 2)
    #expect(map.featureCount == 4)
  }

  @Test func `a corpus absorbs a sample for a coverage feature alone, and only once`() {
    let sample = TestInput([1], TestContext(now: UnixTime(secondsSinceEpoch: 0)))
    func kept(_ features: [UInt64], _ coverage: [CoverageFeature] = []) -> FuzzLoop.Kept {
      FuzzLoop.Kept(sample: [1], stage: .json, isAccepted: false, features: features, coverage: coverage)
    }
    var corpus = LoopCorpus()
    let edge = CoverageFeature(edge: 7, bucket: 2)
    let isNew = [kept([1, 2]), kept([2, 1]), kept([1], [edge]), kept([2], [edge])].map { corpus.absorb(sample, $0) }
    #expect(isNew == [true, false, true, false])
    #expect(corpus.entries.count == 2)
    #expect(corpus.featureCount == 3)
    #expect(corpus.coverage.edgeCount == 1)
  }

  @Test func `a loop counts edges exactly where the build does`() throws {
    let bench = try FuzzingBench()
    var loop = try bench.loop()
    for _ in 0..<50 { _ = try loop.step() }
    #expect((loop.corpus.coverage.edgeCount > 0) == (CoverageCounters.count > 0))
  }
}

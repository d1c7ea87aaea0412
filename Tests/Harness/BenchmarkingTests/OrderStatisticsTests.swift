import Benchmarking
import Testing

struct OrderStatisticsTests {
  @Test func `the median of an odd number of samples is the middle one`() {
    #expect(OrderStatistics.median([9, 1, 5]) == 5)
  }

  @Test func `the median of an even number of samples is the mean of the two middle ones`() {
    #expect(OrderStatistics.median([4, 1, 3, 2]) == 2.5)
  }

  @Test func `percentiles are samples by nearest rank`() {
    let samples = (1...100).map(Double.init)
    #expect(OrderStatistics.percentile(50, ofSorted: samples) == 50)
    #expect(OrderStatistics.percentile(99, ofSorted: samples) == 99)
    #expect(OrderStatistics.percentile(100, ofSorted: samples) == 100)
    #expect(OrderStatistics.percentile(0, ofSorted: samples) == 1)
    #expect(OrderStatistics.percentile(99, ofSorted: [7]) == 7)
  }

  @Test(arguments: [(50.0, 2, true), (99, 99, false), (99, 100, true), (99.9, 999, false), (99.9, 1_001, true)])
  func `a percentile needs enough samples to differ from the largest`(percent: Double, count: Int, carries: Bool) {
    #expect(OrderStatistics.carries(percent, count) == carries)
    let samples = (1...count).map(Double.init)
    #expect((OrderStatistics.percentile(percent, ofSorted: samples) < Double(count)) == carries)
  }

  @Test func `nothing measured gives zero`() {
    #expect(OrderStatistics.median([]) == 0)
    #expect(OrderStatistics.percentile(50, ofSorted: []) == 0)
  }
}

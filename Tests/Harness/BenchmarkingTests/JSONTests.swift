import Benchmarking
import Foundation
import Reports
import StrictJSON
import Testing

struct JSONTests {
  @Test(arguments: [
    (0.0, 1, "0.0"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (12.3456, 3, "12.346"),
    (0.0005, 3, "0.001"), (99_999.95, 1, "100000.0"), (7, 0, "7"),
  ])
  func `numbers are written with the digits asked for`(value: Double, digits: Int, text: String) {
    #expect(value.fixed(digits) == text)
  }

  @Test func `a value that is not finite is null`() {
    #expect(JSON.tenths(.nan).text == "null")
    #expect(JSON.tenths(.infinity).text == "null")
  }

  @Test func `a report is the document scripts read`() throws {
    let counts = AllocationCounts(ownCalls: 0, ownBytes: 0, libcryptoCalls: 3, libcryptoBytes: 96.5)
    let result = BenchmarkResult(
      name: "decrypt/fast/ec_v1", unit: "token", iterations: 10, operationsPerSecond: 12_345.67, p50: 81_000,
      p90: 82_000, p99: 90_000, p999: 95_000, maximum: 100_000, allocations: counts, roundMedians: [80_000, 82_000])
    let other = BenchmarkResult(
      name: "decrypt/reference/ec_v1", unit: "token", iterations: 10, operationsPerSecond: 1, p50: 1, p90: 1, p99: 1,
      p999: 1, maximum: 1, allocations: nil, roundMedians: [800_000, 820_000])
    let definition = RatioDefinition(
      name: "fast over reference", measure: .throughput, numerator: result.name, denominator: [other.name])
    let ratio = try #require(RatioResult(definition, results: [result, other], seed: 1))
    let report = BenchmarkReport(
      cpu: 1, rounds: 2, results: [result, other], ratios: [ratio],
      environment: [.init("cores", .integer(2))])
    let text = report.json.text
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(text.hasPrefix(#"{"schema":"assay.bench/1","#))
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results[0]["p99_ns"] as? Double == 90_000)
    #expect(results[0]["allocations_per_token"] as? Double == 0)
    #expect(results[0]["libcrypto_allocations_per_token"] as? Double == 3)
    #expect(results[0]["samples_ns"] as? [Double] == [80_000, 82_000])
    #expect(results[1]["allocations_per_token"] is NSNull)
    let ratios = try #require(document["ratios"] as? [[String: Any]])
    #expect(ratios[0]["name"] as? String == "fast over reference")
    #expect(ratios[0]["ratio"] as? Double == 10)
    #expect(ratios[0]["low"] as? Double != nil && ratios[0]["high"] as? Double != nil)
  }
}

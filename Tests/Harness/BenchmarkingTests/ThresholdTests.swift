import Benchmarking
import Foundation
import TestSupport
import Testing
import Workloads

/// The gate decides by counts and ratios alone, and by the file that the project ships.
struct ThresholdTests {
  private func shipped() throws -> Thresholds {
    let package = Package.folder
    return try Thresholds(parsing: Array(Data(contentsOf: package.appending(path: "Benchmarks/Thresholds.json"))))
  }

  /// A report with the nanoseconds that the engines take for a token, and libcrypto for its cryptography.
  private func report(
    fast: Double, reference: Double = 2_000_000, parts: Double = 80_000, allocations: Double? = 0,
    others: [String: Double] = [:]
  ) throws -> BenchmarkReport {
    func result(_ name: String, _ time: Double, _ counts: AllocationCounts?) -> BenchmarkResult {
      // Rounds differ by up to 0.8%, in the same way for all benchmarks.
      let rounds = (0..<20).map { time * (1 + Double($0 % 5) / 500) }
      return BenchmarkResult(
        name: name, unit: "token", iterations: 20, operationsPerSecond: 1e9 / time, p50: time, p90: time, p99: time,
        p999: time, maximum: time, allocations: counts,
        roundMedians: rounds)
    }
    let counts = allocations.map {
      AllocationCounts(ownCalls: $0, ownBytes: $0 * 16, libcryptoCalls: 25, libcryptoBytes: 1_000)
    }
    var results = [
      result("decrypt/fast/ec_v1", fast, counts), result("decrypt/reference/ec_v1", reference, counts),
      result("stage/ecdh/openssl", parts * 0.4, counts), result("stage/ecdsa-verify/openssl", parts * 0.6, counts),
    ]
    for (name, time) in others { results.append(result(name, time, counts)) }
    let ratios = Catalogue.ratios.compactMap { RatioResult($0, results: results, seed: 1) }
    return BenchmarkReport(cpu: nil, rounds: 20, results: results, ratios: ratios)
  }

  /// The findings, if the limits could all be checked.
  private func found(by limits: Thresholds, in report: BenchmarkReport, kernel: String) throws -> [String] {
    let outcome = limits.outcome(of: report, kernel: kernel)
    try #require(outcome.undecided == [])
    return outcome.findings
  }

  @Test func `an engine close to the cost of its cryptography without allocations passes`() throws {
    #expect(try found(by: shipped(), in: report(fast: 85_000), kernel: "portable") == [])
  }

  @Test func `a machine ten times slower also passes`() throws {
    #expect(
      try found(by: shipped(), in: report(fast: 850_000, reference: 20_000_000, parts: 800_000), kernel: "portable")
        == []
    )
  }

  @Test func `a single allocation among many tokens is a finding`() throws {
    #expect(try found(by: shipped(), in: report(fast: 85_000, allocations: 1.0 / 128), kernel: "portable").count == 1)
  }

  @Test func `a token that takes much longer than its crypto parts is a finding`() throws {
    #expect(try found(by: shipped(), in: report(fast: 100_000), kernel: "portable").count == 1)
  }

  @Test func `an engine less than ten times as fast as the reference is a finding`() throws {
    #expect(try found(by: shipped(), in: report(fast: 85_000, reference: 700_000), kernel: "portable").count == 1)
  }

  @Test(arguments: [
    ("gateway/applepayjs/fast", 1.03), ("gateway/worldline/fast", 1.03), ("gateway/alphapay/fast", 1.03),
    ("gateway/mpgs/fast", 1.05), ("gateway/bambora/fast", 1.05), ("load/forged/fast", 1.2),
    ("load/forged-costliest/fast", 1.2),
  ]) func `a request or a forgery that takes much longer than a raw token is a finding`(
    _ name: String, _ most: Double
  ) throws {
    let limits = try shipped()
    func findings(_ ratio: Double) throws -> Int {
      try found(by: limits, in: report(fast: 85_000, others: [name: 85_000 * ratio]), kernel: "portable").count
    }
    #expect(try findings(most - 0.01) == 0)
    #expect(try findings(most + 0.01) == 1)
  }

  @Test func `allocations of a gateway's request have their own limit`() throws {
    let report = try report(fast: 85_000, allocations: 1, others: ["gateway/mpgs/fast": 85_000])
    #expect(try found(by: shipped(), in: report, kernel: "portable").count == 2)
  }

  @Test func `without counted allocations or a ratio there is no verdict`() throws {
    let limits = try shipped()
    let uncounted = limits.outcome(of: try report(fast: 85_000, allocations: nil), kernel: "portable")
    #expect(uncounted.findings == [] && uncounted.undecided.count == 1)
    let whole = try report(fast: 85_000)
    let bare = BenchmarkReport(cpu: nil, rounds: 20, results: whole.results, ratios: [])
    #expect(limits.outcome(of: bare, kernel: "portable").undecided.count >= 2)
    #expect(limits.outcome(of: whole, kernel: "portable").undecided == [])
  }

  @Test func `a limit for some kernels applies only to machines that run them`() throws {
    let text = #"""
      {"schema":"assay.thresholds/1","thresholds":[
      {"metric":"ratio","of":"fast over its crypto parts","most":0.7,"kernels":["ifma8","fma4"],"reason":"x"}]}
      """#
    let limits = try Thresholds(parsing: Array(text.utf8))
    let slow = try report(fast: 85_000)
    #expect(try found(by: limits, in: slow, kernel: "fma4").count == 1)
    #expect(try found(by: limits, in: slow, kernel: "portable") == [])
    #expect(try found(by: limits, in: report(fast: 50_000), kernel: "fma4") == [])
    #expect(limits.all.map { $0.applies(to: "ifma8") } == [true])
    #expect(limits.all.map { $0.applies(to: "scalar") } == [false])
  }

  @Test func `every shipped limit applies to an existing name`() throws {
    // Ratios may name benchmarks that this machine does not have.
    let parts = Catalogue.ratios.flatMap { [$0.numerator] + $0.denominator }
    let names = Catalogue.names + Catalogue.ratios.map(\.name) + parts
    for threshold in try shipped().all where threshold.name != "*" {
      let isPattern = threshold.name.hasSuffix("*")
      #expect(
        names.contains { isPattern ? $0.hasPrefix(threshold.name.dropLast()) : $0 == threshold.name },
        "\(threshold.name)")
    }
  }

  @Test(arguments: [
    "", "[]", #"{"schema":"assay.thresholds/2","thresholds":[]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"time","of":"*","most":1,"reason":"x"}]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"ratio","of":"a","reason":"x"}]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"ratio","of":"a","most":1,"least":1,"reason":"x"}]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"ratio","of":"a","most":1,"reason":""}]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"ratio","of":"a","most":1,"kernels":[],"reason":"x"}]}"#,
    #"{"schema":"assay.thresholds/1","thresholds":[{"metric":"ratio","of":"a","most":1,"kernels":"b","reason":"x"}]}"#,
  ]) func `a file that is not a list of limits with reasons is refused`(_ text: String) {
    #expect(throws: BenchmarkFailure.self) { try Thresholds(parsing: Array(text.utf8)) }
  }
}

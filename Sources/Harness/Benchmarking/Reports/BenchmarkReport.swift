import Reports
import StrictJSON

/// The results of a measurement.
public struct BenchmarkReport: Hashable, Sendable {
  /// The CPU that the measuring thread was pinned to; nil without pinning.
  public let cpu: Int?
  /// The number of rounds; benchmarks that were measured again may have another.
  public let rounds: Int
  /// One result per benchmark, in order.
  public let results: [BenchmarkResult]
  /// The ratios whose benchmarks were all measured.
  public let ratios: [RatioResult]
  /// Why the figures may be unreliable and what helps, one sentence each.
  public private(set) var warnings: [String]
  /// What became of the external programs, in the order of the command line; empty without any.
  public private(set) var externals: [ExternalResult] = []
  /// The benchmarks for which there was no time; not saved.
  public internal(set) var unmeasured: [String] = []
  /// The description of the machine and the program, in order.
  public package(set) var environment: [JSON.Member]
  /// The benchmarks that need several CPUs, if other programs kept some busy; not saved.
  public package(set) var disturbed: Set<String> = []

  /// Creates a report.
  public init(
    cpu: Int?, rounds: Int, results: [BenchmarkResult], ratios: [RatioResult], warnings: [String] = [],
    environment: [JSON.Member] = []
  ) {
    self.environment = environment
    self.warnings = warnings
    self.cpu = cpu
    self.rounds = rounds
    self.results = results
    self.ratios = ratios
  }

  /// The same report with the external programs. Their remarks become warnings.
  public func adding(_ externals: [ExternalResult]) -> BenchmarkReport {
    var report = self
    report.externals = externals
    report.warnings += externals.flatMap(\.warnings)
    return report
  }

  /// The same report with the new results of the benchmarks that were measured again, but the lesser allocation counts.
  func replacing(by again: BenchmarkReport) -> BenchmarkReport {
    let newer = Dictionary(again.results.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let ratios = Dictionary(again.ratios.map { ($0.definition, $0) }, uniquingKeysWith: { first, _ in first })
    var report = BenchmarkReport(
      cpu: cpu, rounds: rounds,
      results: results.map { old in newer[old.name].map { $0.countedLeast(with: old) } ?? old },
      ratios: self.ratios.map { ratios[$0.definition] ?? $0 }, warnings: warnings)
    report.unmeasured = unmeasured
    report.disturbed = disturbed.subtracting(newer.keys).union(again.disturbed)
    return report
  }

  /// The document `assay.bench/1`.
  public var json: JSON {
    [
      "schema": "assay.bench/1",
      "environment": JSON.object(environment),
      "results": results.map(\.json),
      "ratios": ratios.map(\.json),
      "externals": externals.map(\.json),
      "warnings": warnings,
    ]
  }
}

extension BenchmarkResult {
  fileprivate var json: JSON {
    [
      "name": name,
      "unit": unit,
      "note": note,
      // Version 1 of the document has this member.
      "open_loop": false,
      "iterations": iterations,
      "tokens_per_second": JSON.tenths(operationsPerSecond),
      "p50_ns": JSON.tenths(p50),
      "p90_ns": JSON.tenths(p90),
      "p99_ns": JSON.tenths(p99),
      "p999_ns": JSON.tenths(p999),
      "max_ns": JSON.tenths(maximum),
      "samples": sampleCount,
      "allocations_per_token": allocations.map { JSON.thousandths($0.ownCalls) },
      "allocated_bytes_per_token": allocations.map { JSON.thousandths($0.ownBytes) },
      "libcrypto_allocations_per_token": allocations.map { JSON.thousandths($0.libcryptoCalls) },
      "libcrypto_allocated_bytes_per_token": allocations.map { JSON.thousandths($0.libcryptoBytes) },
      "samples_ns": roundMedians.map { JSON.tenths($0) },
    ]
  }
}

extension RatioResult {
  fileprivate var json: JSON {
    [
      "name": definition.name,
      "measure": definition.measure.rawValue,
      "numerator": definition.numerator,
      "denominator": definition.denominator.joined(separator: " + "),
      "subtracted": definition.subtracted.joined(separator: " + "),
      "ratio": JSON.thousandths(interval.ratio),
      "low": JSON.thousandths(interval.low),
      "high": JSON.thousandths(interval.high),
    ]
  }
}

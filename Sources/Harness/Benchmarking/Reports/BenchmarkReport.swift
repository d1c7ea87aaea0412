import Reports
import StrictJSON

/// The results of a measurement.
public struct BenchmarkReport: Hashable, Sendable {
  /// The CPU that the measuring thread was pinned to; nil without pinning.
  public let cpu: Int?
  /// The number of rounds, the same for all benchmarks.
  public let rounds: Int
  /// One result per benchmark, in order.
  public let results: [BenchmarkResult]
  /// The ratios whose benchmarks were all measured.
  public let ratios: [RatioResult]
  /// Why the figures may be unreliable and what helps, one sentence each.
  public private(set) var warnings: [String]
  /// What became of the external programs, in the order of the command line; empty without any.
  public private(set) var externals: [ExternalResult] = []

  /// Creates a report.
  public init(
    cpu: Int?, rounds: Int, results: [BenchmarkResult], ratios: [RatioResult], warnings: [String] = []
  ) {
    self.warnings = warnings
    self.cpu = cpu
    self.rounds = rounds
    self.results = results
    self.ratios = ratios
  }

  /// The same report with the external programs. What limits their figures is a warning.
  public func adding(_ externals: [ExternalResult]) -> BenchmarkReport {
    var report = self
    report.externals = externals
    report.warnings += externals.flatMap(\.warnings)
    return report
  }

  /// The document `assay.bench/1`.
  ///
  /// - Parameter environment: the description of the machine and the program, in order.
  public func json(environment: [JSON.Member]) -> JSON {
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
      "open_loop": isOpenLoop,
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

import Reports
import StrictJSON

/// Everything one measurement found.
public struct BenchmarkReport: Hashable, Sendable {
  /// The CPU the measuring thread was pinned to; nil where there is no pinning.
  public let cpu: Int?
  /// Rounds measured, the same for all benchmarks.
  public let rounds: Int
  /// One result a benchmark, in the order they were given.
  public let results: [BenchmarkResult]
  /// The comparisons whose benchmarks were all measured.
  public let ratios: [RatioResult]
  /// Why the figures are less worth than they could be, and what helps, a sentence each.
  public let warnings: [String]

  /// A report of these results.
  public init(
    cpu: Int?, rounds: Int, results: [BenchmarkResult], ratios: [RatioResult], warnings: [String] = []
  ) {
    self.warnings = warnings
    self.cpu = cpu
    self.rounds = rounds
    self.results = results
    self.ratios = ratios
  }

  /// The document `assay.bench/1`.
  ///
  /// - Parameter environment: what the caller knows of the machine and the program, in the order to be written.
  public func json(environment: [JSON.Member]) -> JSON {
    .object([
      JSON.Member("schema", .string("assay.bench/1")),
      JSON.Member("environment", .object(environment)),
      JSON.Member("results", .array(results.map(\.json))),
      JSON.Member("ratios", .array(ratios.map(\.json))),
      JSON.Member("warnings", .array(warnings.map { .string($0) })),
    ])
  }
}

extension BenchmarkResult {
  fileprivate var json: JSON {
    .object([
      JSON.Member("name", .string(name)),
      JSON.Member("unit", .string(unit)),
      JSON.Member("note", note.map { .string($0) } ?? .null),
      JSON.Member("open_loop", .boolean(isOpenLoop)),
      JSON.Member("iterations", .integer(Int64(iterations))),
      JSON.Member("tokens_per_second", .tenths(operationsPerSecond)),
      JSON.Member("p50_ns", .tenths(p50)),
      JSON.Member("p90_ns", .tenths(p90)),
      JSON.Member("p99_ns", .tenths(p99)),
      JSON.Member("p999_ns", .tenths(p999)),
      JSON.Member("max_ns", .tenths(maximum)),
      JSON.Member("allocations_per_token", allocations.map { .thousandths($0.ownCalls) } ?? .null),
      JSON.Member("allocated_bytes_per_token", allocations.map { .thousandths($0.ownBytes) } ?? .null),
      JSON.Member("libcrypto_allocations_per_token", allocations.map { .thousandths($0.libcryptoCalls) } ?? .null),
      JSON.Member("libcrypto_allocated_bytes_per_token", allocations.map { .thousandths($0.libcryptoBytes) } ?? .null),
      JSON.Member("samples_ns", .array(roundMedians.map { .tenths($0) })),
    ])
  }
}

extension RatioResult {
  fileprivate var json: JSON {
    .object([
      JSON.Member("name", .string(definition.name)),
      JSON.Member("measure", .string(definition.measure.rawValue)),
      JSON.Member("numerator", .string(definition.numerator)),
      JSON.Member("denominator", .string(definition.denominator.joined(separator: " + "))),
      JSON.Member("subtracted", .string(definition.subtracted.joined(separator: " + "))),
      JSON.Member("ratio", .thousandths(interval.ratio)),
      JSON.Member("low", .thousandths(interval.low)),
      JSON.Member("high", .thousandths(interval.high)),
    ])
  }
}

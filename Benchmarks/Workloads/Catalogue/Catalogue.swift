public import Benchmarking
import PaymentToken

/// Every benchmark there is, by name.
public enum Catalogue {
  /// All names, in the order of reports.
  public static let names =
    DecryptBenchmarks.names + BatchBenchmarks.names + BatchSweep.names + GatewayBenchmarks.names
    + CryptoBenchmarks.names + KernelBenchmarks.names

  /// Comparisons made whenever what they compare is measured.
  public static let ratios =
    [
      RatioDefinition(
        name: "fast over reference", measure: .throughput, numerator: DecryptBenchmarks.name("fast"),
        denominator: [DecryptBenchmarks.name("reference")]),
      RatioDefinition(
        name: "fast over its crypto parts", measure: .time, numerator: DecryptBenchmarks.name("fast"),
        denominator: CryptoBenchmarks.names),
    ] + GatewayBenchmarks.ratios + BatchBenchmarks.ratios + KernelBenchmarks.ratios

  /// Names of benchmarks that test the measuring itself; not listed.
  public static let selfTests = SelfTest.names

  /// The names that begin with one of `prefixes`, all when there are none.
  ///
  /// A self-test has to be named in full.
  public static func names(under prefixes: [String]) -> [String] {
    if prefixes.isEmpty { return names }
    return names.filter { name in prefixes.contains { name.hasPrefix($0) } } + selfTests.filter(prefixes.contains)
  }

  /// Makes the benchmarks of those names, in the order of reports, once both engines were checked on every token.
  ///
  /// Versions of which no token is given, and that are asked for, are measured with minted ones.
  ///
  /// - Throws: `BenchmarkFailure` when an engine gives a wrong answer.
  public static func make(
    _ names: [String], tokens: TokenSet, seed: UInt64
  ) throws(BenchmarkFailure) -> [Benchmark] {
    var decryption: [DecryptBenchmarks] = []
    for version in TokenVersion.allCases {
      var set = tokens.restricted(to: version)
      if set.entries.isEmpty {
        var needed = DecryptBenchmarks.names(of: version)
        // Gateways' requests are made around tokens of EC_v1.
        if version == .ecV1 { needed += GatewayBenchmarks.names + BatchBenchmarks.names }
        guard names.contains(where: needed.contains) else { continue }
        set = try TokenSet.minted(version: version, seed: seed)
      }
      decryption.append(
        DecryptBenchmarks(version: version, set: set, lengths: try AnswerCheck.run(Contender.all, on: set)))
    }
    var benchmarks: [Benchmark] = []
    for name in names {
      if let benchmark = try benchmark(name, of: decryption) {
        benchmarks.append(benchmark)
      } else if let benchmark = try gateway(name, of: decryption) {
        benchmarks.append(benchmark)
      } else if let benchmark = try batch(name, of: decryption) {
        benchmarks.append(benchmark)
      } else if let benchmark = try BatchSweep.make(name, seed: seed) {
        benchmarks.append(benchmark)
      } else if let benchmark = try CryptoBenchmarks.make(name, seed: seed) {
        benchmarks.append(benchmark)
      } else if let benchmark = try KernelBenchmarks.make(name, seed: seed) {
        benchmarks.append(benchmark)
      } else if let benchmark = SelfTest.make(name) {
        benchmarks.append(benchmark)
      }
    }
    return benchmarks
  }

  private static func batch(
    _ name: String, of decryption: [DecryptBenchmarks]
  ) throws(BenchmarkFailure) -> Benchmark? {
    guard let tokens = decryption.first(where: { $0.version == .ecV1 }) else { return nil }
    return try BatchBenchmarks.make(name, of: tokens.set, lengths: tokens.lengths)
  }

  private static func gateway(
    _ name: String, of decryption: [DecryptBenchmarks]
  ) throws(BenchmarkFailure) -> Benchmark? {
    guard let tokens = decryption.first(where: { $0.version == .ecV1 })?.set else { return nil }
    return try GatewayBenchmarks.make(name, of: tokens)
  }

  private static func benchmark(
    _ name: String, of decryption: [DecryptBenchmarks]
  ) throws(BenchmarkFailure) -> Benchmark? {
    for benchmarks in decryption {
      if let benchmark = try benchmarks.make(name) { return benchmark }
    }
    return nil
  }
}

public import Benchmarking

/// Every benchmark there is, by name.
public enum Catalogue {
  /// All names, in the order of reports.
  public static let names = DecryptBenchmarks.names + CryptoBenchmarks.names

  /// Comparisons made whenever what they compare is measured.
  public static let ratios = [
    RatioDefinition(
      name: "fast over reference", measure: .throughput, numerator: DecryptBenchmarks.name("fast"),
      denominator: [DecryptBenchmarks.name("reference")]),
    RatioDefinition(
      name: "fast over its crypto parts", measure: .time, numerator: DecryptBenchmarks.name("fast"),
      denominator: CryptoBenchmarks.names),
  ]

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
  /// - Throws: `BenchmarkFailure` when an engine gives a wrong answer.
  public static func make(
    _ names: [String], tokens: TokenSet, seed: UInt64
  ) throws(BenchmarkFailure) -> [Benchmark] {
    let lengths = try AnswerCheck.run(Contender.all, on: tokens)
    let decryption = DecryptBenchmarks(set: tokens, lengths: lengths)
    var benchmarks: [Benchmark] = []
    for name in names {
      if let benchmark = try decryption.make(name) {
        benchmarks.append(benchmark)
      } else if let benchmark = try CryptoBenchmarks.make(name, seed: seed) {
        benchmarks.append(benchmark)
      } else if let benchmark = SelfTest.make(name) {
        benchmarks.append(benchmark)
      }
    }
    return benchmarks
  }
}

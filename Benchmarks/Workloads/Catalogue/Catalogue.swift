public import Benchmarking
import PaymentToken

/// All benchmarks by name.
public enum Catalogue {
  /// A family of benchmarks.
  private struct Family: Sendable {
    let names: [String]
    /// Whether they are measured by default.
    var isDefault = true
    /// About how many seconds it takes to prepare them and to check their answers.
    let preparation: Double
    /// Makes the benchmark of a name; nil if it is not of this family.
    let make: @Sendable (_ name: String, _ context: WorkloadContext) throws(BenchmarkFailure) -> Benchmark?
  }

  private static let families = [
    Family(names: DecryptBenchmarks.names, preparation: 2) { name, context throws(BenchmarkFailure) in
      for version in TokenVersion.allCases where DecryptBenchmarks.isName(name, of: version) {
        return try context.tokens(of: version).make(name)
      }
      return nil
    },
    Family(names: BatchBenchmarks.names, preparation: 0.2) { name, context throws(BenchmarkFailure) in
      guard BatchBenchmarks.names.contains(name) else { return nil }
      let tokens = try context.tokens(of: .ecV1)
      return try BatchBenchmarks.make(name, of: tokens.set, lengths: tokens.lengths)
    },
    Family(names: PoolBenchmarks.names, preparation: 0.3) { name, context throws(BenchmarkFailure) in
      guard PoolBenchmarks.names.contains(name) else { return nil }
      let tokens = try context.tokens(of: .ecV1)
      return try PoolBenchmarks.make(name, of: tokens.set, lengths: tokens.lengths)
    },
    Family(names: GatewayBenchmarks.names, preparation: 2.5) { name, context throws(BenchmarkFailure) in
      guard GatewayBenchmarks.names.contains(name) else { return nil }
      return try GatewayBenchmarks.make(name, of: context.tokens(of: .ecV1).set)
    },
    Family(names: RequestBenchmarks.names, isDefault: false, preparation: 1) { name, context throws(BenchmarkFailure) in
      guard RequestBenchmarks.names.contains(name) else { return nil }
      return try RequestBenchmarks.make(name, of: context.tokens(of: .ecV1).set)
    },
    Family(names: StageBenchmarks.names, preparation: 0.2) { name, context throws(BenchmarkFailure) in
      guard StageBenchmarks.names.contains(name) else { return nil }
      return try StageBenchmarks(set: context.tokens(of: .ecV1).set).make(name)
    },
    Family(names: CryptoBenchmarks.names, preparation: 0.1) { name, context throws(BenchmarkFailure) in
      try CryptoBenchmarks.make(name, seed: context.seed)
    },
    Family(names: KernelBenchmarks.names, preparation: 0.2) { name, context throws(BenchmarkFailure) in
      try KernelBenchmarks.make(name, seed: context.seed)
    },
    Family(names: TextBenchmarks.names, preparation: 0.1) { name, context throws(BenchmarkFailure) in
      try TextBenchmarks.make(name, seed: context.seed)
    },
    Family(names: LoadBenchmarks.names, preparation: 10) { name, context throws(BenchmarkFailure) in
      try LoadBenchmarks.make(name, context)
    },
    Family(names: SweepBenchmarks.names, isDefault: false, preparation: 10) { name, context throws(BenchmarkFailure) in
      try SweepBenchmarks.make(name, context)
    },
    Family(names: BatchSweep.names, isDefault: false, preparation: 10) { name, context throws(BenchmarkFailure) in
      try BatchSweep.make(name, seed: context.seed)
    },
    Family(names: DecryptBenchmarks.genuineNames, isDefault: false, preparation: 1) {
      name, context throws(BenchmarkFailure) in
      for version in TokenVersion.allCases {
        if let benchmark = try context.genuineTokens(of: version)?.make(name) { return benchmark }
      }
      return nil
    },
    Family(names: SelfTest.names, isDefault: false, preparation: 0.1) { name, _ in SelfTest.make(name) },
  ]

  /// All names in the order of reports. Those of genuine tokens are measured if such tokens are available.
  public static let names = families.flatMap(\.names).filter { !SelfTest.names.contains($0) }

  /// The names measured by default: those that need no long preparation.
  public static let defaultNames = families.filter(\.isDefault).flatMap(\.names)

  /// The default names that can be prepared in two thirds of these seconds: families that take longest are left out.
  public static func defaultNames(within seconds: Double) -> [String] {
    var names: Set<String> = []
    var left = seconds * 2 / 3
    for family in families.filter(\.isDefault).sorted(by: { $0.preparation < $1.preparation }) {
      guard family.preparation <= left else { break }
      left -= family.preparation
      names.formUnion(family.names)
    }
    return defaultNames.filter(names.contains)
  }

  /// About how many seconds it takes to prepare benchmarks and to check their answers. Externals are not included.
  public static func preparation(of names: [String]) -> Double {
    let names = Set(names)
    return families.filter { !names.isDisjoint(with: $0.names) }.map(\.preparation).reduce(0, +)
  }

  /// The names of whole genuine tokens, measured by default if available.
  public static let genuineNames = DecryptBenchmarks.genuineNames

  /// The names compared between builds by default: the fast engine on one thread, without benchmarks that take long to
  /// prepare or that depend on the machine's load.
  public static let comparedNames = defaultNames.filter { name in
    name.hasSuffix("/fast") && !name.hasPrefix("load/")
      || name.hasPrefix("decrypt/fast/") && !name.contains("/threads") && !name.hasSuffix("/cold")
  }

  /// The ratios that are reported if their benchmarks are measured.
  public static let ratios =
    [
      RatioDefinition.throughput(
        "fast over reference", DecryptBenchmarks.name("fast"), over: [DecryptBenchmarks.name("reference")]),
      .time("fast over its crypto parts", DecryptBenchmarks.name("fast"), over: CryptoBenchmarks.names),
    ] + GatewayBenchmarks.ratios + DecryptBenchmarks.ratios + StageBenchmarks.ratios + LoadBenchmarks.ratios
    + SweepBenchmarks.ratios + BatchBenchmarks.ratios + PoolBenchmarks.ratios + KernelBenchmarks.ratios
    + TextBenchmarks.ratios

  /// libcrypto's operations, the anchors for comparing measurements of different times.
  public static let anchors = CryptoBenchmarks.names

  /// The names of benchmarks that test the measurement itself; not listed.
  public static let selfTests = SelfTest.names

  /// The names that patterns select, in the order of reports; the default names without patterns.
  ///
  /// A pattern is the beginning of a name, a full name with `*` as a wildcard, or `=` and exactly one name. Any number
  /// of threads is allowed. Self-tests must be named in full.
  public static func names(under patterns: [String]) -> [String] {
    if patterns.isEmpty { return defaultNames }
    let chosen = patterns.map(NamePattern.init)
    let others = patterns.map { $0.hasPrefix("=") ? String($0.dropFirst()) : $0 }
      .filter { !names.contains($0) && DecryptBenchmarks.threads(in: $0) != nil }
    return names.filter { name in chosen.contains { $0.matches(name) } } + others
      + selfTests.filter(patterns.contains)
  }

  /// The names among these that can be measured with such tokens: no replay store is asked about tokens that are
  /// verified at their own signing time.
  public static func names(_ names: [String], measurableWith tokens: TokenSet) -> [String] {
    if case .window = tokens.policy.freshness { return names }
    // Those of a missing version are minted, and verified as of now.
    guard tokens.holds(.ecV1) else { return names }
    let replayNames = [BatchBenchmarks.replay] + PoolBenchmarks.replayNames
    return names.filter { !replayNames.contains($0) }
  }

  /// Makes the benchmarks of these names, in order, after checking both engines on every token.
  ///
  /// - Parameters:
  ///   - tokens: the tokens to measure with; tokens of missing versions are minted.
  ///   - genuine: genuine tokens; without any, their names are skipped.
  ///   - arrivalsPerSecond: the rate of open-loop load; nil for the default.
  /// - Throws: `BenchmarkFailure` if an engine gives a wrong answer.
  public static func make(
    _ names: [String], tokens: TokenSet, genuine: TokenSet? = nil, seed: UInt64, arrivalsPerSecond: Double? = nil
  ) throws(BenchmarkFailure) -> [Benchmark] {
    let context = try WorkloadContext(
      given: tokens, genuine: genuine, seed: seed,
      arrivalsPerSecond: arrivalsPerSecond ?? LoadBenchmarks.arrivalsPerSecond)
    var benchmarks: [Benchmark] = []
    for name in names {
      for family in families {
        guard let benchmark = try family.make(name, context) else { continue }
        benchmarks.append(benchmark)
        break
      }
    }
    return benchmarks
  }
}

public import Benchmarking
import HostIO
import PaymentToken

/// A benchmark that is not made yet: a name, and a closure that makes it and checks its answers.
struct Entry: Sendable {
  let name: String
  let make: @Sendable (_ name: String, _ context: WorkloadContext) throws(BenchmarkFailure) -> Benchmark
}

/// All benchmarks by name.
public enum Catalogue {
  /// The families in the order of reports. `from`: a run without names measures the family if the run has at least this
  /// many seconds. Families with a larger `from` take seconds to prepare.
  private static let families: [(entries: [Entry], from: Double)] = [
    (DecryptBenchmarks.entries, 5), (BatchBenchmarks.entries, 0), (PoolBenchmarks.entries, 0),
    (GatewayBenchmarks.entries, 9), (StageBenchmarks.entries, 0), (CryptoBenchmarks.entries, 0),
    (KernelBenchmarks.entries, 0), (LoadBenchmarks.entries, 24),
  ]

  private static let entries = Dictionary(
    uniqueKeysWithValues: (families.flatMap(\.entries) + SelfTest.entries).map { ($0.name, $0) })

  /// All names in the order of reports.
  public static let names = families.flatMap(\.entries).map(\.name)

  /// The names that a run of this many seconds measures by default.
  public static func defaultNames(within seconds: Double) -> [String] {
    families.filter { $0.from <= seconds }.flatMap(\.entries).map(\.name)
  }

  /// Whether preparing these names may take longer than a run of this many seconds.
  public static func mayTakeLonger(_ names: [String], than seconds: Double) -> Bool {
    let names = Set(names)
    return families.contains { $0.from > seconds && !names.isDisjoint(with: $0.entries.map(\.name)) }
  }

  /// The names compared between builds by default: the fast engine on one thread, without benchmarks that take long to
  /// prepare or that depend on the machine's load.
  public static let comparedNames = names.filter { name in
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
    + BatchBenchmarks.ratios + PoolBenchmarks.ratios + KernelBenchmarks.ratios

  /// libcrypto's operations, the anchors for comparing measurements of different times.
  public static let anchors = CryptoBenchmarks.names

  /// The names that patterns select, in the order of reports; all names without patterns.
  ///
  /// A pattern is the beginning of a name, a full name with `*` as a wildcard, or `=` and exactly one name. A name may
  /// end in a number of threads that is not listed. Self-tests are not listed and must be named in full.
  public static func names(under patterns: [String]) -> [String] {
    if patterns.isEmpty { return names }
    let others = patterns.map { $0.hasPrefix("=") ? String($0.dropFirst()) : $0 }
      .filter { !names.contains($0) && DecryptBenchmarks.entry(withThreads: $0) != nil }
    return names.filter { name in patterns.contains { matches(name, $0) } } + others
      + SelfTest.entries.map(\.name).filter(patterns.contains)
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    if pattern.hasPrefix("=") { return name == pattern.dropFirst() }
    guard pattern.contains("*") else { return name.hasPrefix(pattern) }
    // Only * is documented: escape the other wildcards of fnmatch(3).
    return fnmatch(pattern.replacing(/[?\[\\]/) { "\\\($0.output)" }, name, 0) == 0
  }

  /// Patterns that select these names and no others, beginnings where these suffice; none for all names.
  public static func patterns(for chosen: [String]) -> [String] {
    let wanted = Set(chosen)
    if wanted == Set(names) { return [] }
    var patterns: [String] = []
    for name in chosen where !names(under: ["=\(name)"]).isEmpty {
      let parts = name.split(separator: "/")
      let beginnings = parts.indices.dropLast().map { parts[...$0].joined(separator: "/") }
      let beginning = beginnings.first { beginning in
        let selected = names(under: [beginning])
        return selected.count > 1 && wanted.isSuperset(of: selected)
      }
      let pattern = beginning ?? "=\(name)"
      if !patterns.contains(pattern) { patterns.append(pattern) }
    }
    return patterns
  }

  /// The names that can be measured with these tokens. Without a window no replay store is asked, so the benchmarks of
  /// replay stores are left out.
  public static func names(_ names: [String], measurableWith tokens: TokenSet) -> [String] {
    if case .window = tokens.policy.freshness { return names }
    // Tokens of a missing version are minted, and their policy has a window.
    guard tokens.holds(.ecV1) else { return names }
    let replayNames = [BatchBenchmarks.replay] + PoolBenchmarks.replayNames
    return names.filter { !replayNames.contains($0) }
  }

  /// Makes the benchmarks of these names, in order, after checking both engines on every token.
  ///
  /// - Parameters:
  ///   - tokens: the tokens to measure with; tokens of missing versions are minted.
  ///   - isWanted: asked before each is made, with its name and its number; one that is not wanted is left out.
  /// - Throws: `BenchmarkFailure` if an engine gives a wrong answer.
  public static func make(
    _ names: [String], tokens: TokenSet, seed: UInt64,
    isWanted: (_ name: String, _ index: Int) -> Bool = { _, _ in true }
  ) throws(BenchmarkFailure) -> [Benchmark] {
    let context = try WorkloadContext(given: tokens, seed: seed)
    var benchmarks: [Benchmark] = []
    for (index, name) in names.enumerated() where isWanted(name, index) {
      guard let entry = entries[name] ?? DecryptBenchmarks.entry(withThreads: name) else { continue }
      benchmarks.append(try entry.make(name, context))
    }
    return benchmarks
  }
}

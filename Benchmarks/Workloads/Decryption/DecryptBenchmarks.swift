import Benchmarking
import PaymentToken

/// Benchmarks that verify and decrypt whole tokens.
struct DecryptBenchmarks {
  /// The variants of measuring an engine.
  enum Variant: Equatable {
    /// One token at a time, with warm caches.
    case warm
    /// A new engine for every token, with empty caches.
    case cold
    /// Threads that share an engine, each on its own CPU.
    case threads(Int)

    var suffix: String {
      switch self {
      case .warm: ""
      case .cold: "/cold"
      case .threads(let count): "/threads\(count)"
      }
    }
  }

  /// The listed numbers of threads, as far as there are CPUs.
  private static let threadCounts = [1, 2] + [4, 8, 16, 32, 64].filter { $0 <= ThreadTeam.availableCPUs }
  private static let mostThreads = 256

  /// The variants listed for a version. For RSA, the private operation dominates, so threads are not listed.
  private static func variants(of version: TokenVersion) -> [Variant] {
    switch version {
    case .ecV1: [.warm, .cold] + threadCounts.map { .threads($0) }
    case .rsaV1: [.warm, .cold]
    }
  }

  let version: TokenVersion
  /// Tokens of that version.
  let set: TokenSet
  /// The lengths of the plaintexts.
  let lengths: [Int]
  /// Whether the tokens are genuine.
  var isGenuine = false

  static func name(_ engine: String, _ variant: Variant = .warm, version: TokenVersion = .ecV1) -> String {
    "decrypt/\(engine)/\(version.rawValue.lowercased())\(variant.suffix)"
  }

  private static func genuineName(_ engine: String, version: TokenVersion) -> String {
    name(engine, version: version) + "/genuine"
  }

  static let names = TokenVersion.allCases.flatMap { version in
    variants(of: version).flatMap { variant in
      // The reference engine is not measured with threads.
      let engines = variant == .warm || variant == .cold ? Contender.all : [.fast]
      return engines.map { name($0.name, variant, version: version) }
    }
  }

  static let genuineNames = TokenVersion.allCases.flatMap { version in
    Contender.all.map { genuineName($0.name, version: version) }
  }

  /// The speed-up by a second thread.
  static let ratios = threadCounts.dropFirst().map { count in
    RatioDefinition.throughput(
      "\(count) threads over one", name("fast", .threads(count)), over: [name("fast", .threads(1))])
  }

  /// The number of threads at the end of a name.
  static func threads(in name: String) -> Int? {
    guard let part = name.split(separator: "/").last, part.hasPrefix("threads"), let count = Int(part.dropFirst(7)),
      (1...mostThreads).contains(count), isName(name, of: .ecV1) || isName(name, of: .rsaV1)
    else { return nil }
    return count
  }

  /// Whether it is the name of such a benchmark, listed or not.
  static func isName(_ name: String, of version: TokenVersion) -> Bool {
    Contender.all.contains { variant(of: name, $0, version) != nil }
  }

  private static func variant(of name: String, _ contender: Contender, _ version: TokenVersion) -> Variant? {
    let whole = self.name(contender.name, version: version)
    guard name.hasPrefix(whole) else { return nil }
    let rest = name.dropFirst(whole.count)
    if let plain = [Variant.warm, .cold].first(where: { $0.suffix == rest }) { return plain }
    guard rest.hasPrefix("/threads"), let count = Int(rest.dropFirst(8)), (1...mostThreads).contains(count) else {
      return nil
    }
    return .threads(count)
  }

  /// Makes the benchmark of a name; nil if it is not of this family.
  func make(_ name: String) throws(BenchmarkFailure) -> Benchmark? {
    for contender in Contender.all {
      if isGenuine {
        if name == Self.genuineName(contender.name, version: version) { return try warm(name, contender) }
        continue
      }
      guard let variant = Self.variant(of: name, contender, version) else { continue }
      switch variant {
      case .warm: return try warm(name, contender)
      case .cold: return cold(name, contender)
      case .threads(let count): return try threads(name, contender, count)
      }
    }
    return nil
  }

  static let wrongAnswer = BenchmarkFailure("a token was refused or decrypted to another plaintext")

  private func warm(_ name: String, _ contender: Contender) throws(BenchmarkFailure) -> Benchmark {
    .checked(name, try TokenCycle(set, lengths: lengths, by: contender).run)
  }

  private func cold(_ name: String, _ contender: Contender) -> Benchmark {
    let set = set
    let cycle = TokenCycle(set, lengths: lengths) { token in
      guard let engine = try? contender.engine(set) else { return nil }
      return contender.opener(engine, set)(token)
    }
    return .checked(name, cycle.run)
  }

  private func threads(
    _ name: String, _ contender: Contender, _ threads: Int
  ) throws(BenchmarkFailure) -> Benchmark {
    let cycle = cycles(contender, try contender.makeEngine(for: set))
    let team = try ThreadTeam(count: threads) { cycle($0, threads).run }
    return .timed(name, multiple: threads) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }

  /// Makes a thread's work: the tokens in rotation, beginning where the other threads do not.
  private func cycles(
    _ contender: Contender, _ engine: any TokenDecryptor
  ) -> @Sendable (_ thread: Int, _ threads: Int) -> TokenCycle {
    let (set, lengths) = (set, lengths)
    return { thread, threads in
      TokenCycle(
        set, lengths: lengths, start: thread * set.entries.count / threads, open: contender.opener(engine, set))
    }
  }
}

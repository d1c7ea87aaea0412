import Benchmarking
import PaymentToken

/// Whole tokens, verified and decrypted.
struct DecryptBenchmarks {
  /// What is measured of an engine.
  enum Variant: String, CaseIterable {
    /// One at a time, everything cached that the engine caches.
    case warm = ""
    /// A new engine for every token: nothing cached.
    case cold = "/cold"
    /// Two threads that share an engine.
    case twoThreads = "/threads2"
  }

  /// Which variants are measured of a version: RSA's private operation drowns what threads could show.
  private static let variants: [(version: TokenVersion, variants: [Variant])] = [
    (.ecV1, Variant.allCases), (.rsaV1, [.warm, .cold]),
  ]

  let version: TokenVersion
  /// Tokens of that version.
  let set: TokenSet
  /// The lengths of the plaintexts, as checked before.
  let lengths: [Int]

  static func name(_ engine: String, _ variant: Variant = .warm, version: TokenVersion = .ecV1) -> String {
    "decrypt/\(engine)/\(version.rawValue.lowercased())\(variant.rawValue)"
  }

  private func name(_ engine: String, _ variant: Variant) -> String { Self.name(engine, variant, version: version) }

  static let names = variants.flatMap { names(of: $0.version) }

  static func names(of version: TokenVersion) -> [String] {
    let variants = variants.first { $0.version == version }?.variants ?? []
    return variants.flatMap { variant in Contender.all.map { name($0.name, variant, version: version) } }
  }

  /// Nil for a name that is none of these.
  func make(_ name: String) throws(BenchmarkFailure) -> Benchmark? {
    for contender in Contender.all {
      for variant in Variant.allCases where self.name(contender.name, variant) == name {
        switch variant {
        case .warm: return try warm(contender)
        case .cold: return cold(contender)
        case .twoThreads: return try twoThreads(contender)
        }
      }
    }
    return nil
  }

  static let wrongAnswer = BenchmarkFailure("a token was refused or opened to something else")

  private func warm(_ contender: Contender) throws(BenchmarkFailure) -> Benchmark {
    let cycle = TokenCycle(set, lengths: lengths, open: contender.opener(try contender.makeEngine(for: set), set))
    return Benchmark(name: name(contender.name, .warm)) { count throws(BenchmarkFailure) in
      guard cycle.run(count) else { throw Self.wrongAnswer }
    }
  }

  private func cold(_ contender: Contender) -> Benchmark {
    let set = set
    let cycle = TokenCycle(set, lengths: lengths) { token in
      guard let engine = try? contender.engine(set) else { return nil }
      return contender.opener(engine, set)(token)
    }
    return Benchmark(name: name(contender.name, .cold)) { count throws(BenchmarkFailure) in
      guard cycle.run(count) else { throw Self.wrongAnswer }
    }
  }

  private func twoThreads(_ contender: Contender) throws(BenchmarkFailure) -> Benchmark {
    let threads = 2
    let (set, lengths) = (set, lengths)
    let engine = try contender.makeEngine(for: set)
    let team = try ThreadTeam(count: threads) { index in
      let start = index * set.entries.count / threads
      let cycle = TokenCycle(set, lengths: lengths, start: start, open: contender.opener(engine, set))
      return { cycle.run($0) }
    }
    // Slices of milliseconds: waking the threads takes microseconds.
    return Benchmark(
      name: name(contender.name, .twoThreads), sliceNanoseconds: 4_000_000, multiple: threads
    ) { count throws(BenchmarkFailure) in
      try team.run(operationsEach: count / threads)
    }
  }
}

import Benchmarking
import PaymentToken

/// Benchmarks that verify and decrypt whole tokens.
enum DecryptBenchmarks {
  /// The listed numbers of threads; those above two only if there are as many CPUs.
  private static let threadCounts = [1, 2] + [4, 8, 16, 32, 64].filter { $0 <= ThreadTeam.availableCPUs }
  private static let mostThreads = 256

  static func name(_ engine: String, version: TokenVersion = .ecV1) -> String {
    "decrypt/\(engine)/\(version.rawValue.lowercased())"
  }

  /// One token at a time, with warm caches and with a new engine for every token; and threads that share an engine. For
  /// RSA, the private operation dominates, so threads are not listed; nor are those of the reference engine.
  static let entries = TokenVersion.allCases.flatMap { version in
    Contender.all.map { contender in
      Entry(name: name(contender.name, version: version)) { name, context throws(BenchmarkFailure) in
        .checked(name, try TokenCycle(context.tokens(of: version), by: contender).run)
      }
    }
      + Contender.all.map { contender in
        Entry(name: name(contender.name, version: version) + "/cold") { name, context throws(BenchmarkFailure) in
          cold(name, try context.tokens(of: version), contender)
        }
      } + (version == .ecV1 ? threadCounts : []).map { threads($0, .fast, version) }
  }

  /// The speed-up by more threads.
  static let ratios = threadCounts.dropFirst().map { count in
    RatioDefinition.throughput(
      "\(count) threads over one", "\(name("fast"))/threads\(count)", over: ["\(name("fast"))/threads1"])
  }

  /// The entry of a name that ends in a number of threads, listed or not.
  static func entry(withThreads name: String) -> Entry? {
    let start = name.lastIndex(of: "/") ?? name.startIndex
    guard name[start...].hasPrefix("/threads"), let count = Int(name[start...].dropFirst(8)),
      (1...mostThreads).contains(count)
    else { return nil }
    for version in TokenVersion.allCases {
      for contender in Contender.all where self.name(contender.name, version: version) == name[..<start] {
        return threads(count, contender, version)
      }
    }
    return nil
  }

  static let wrongAnswer = BenchmarkFailure("a token was refused or decrypted to another plaintext")

  private static func cold(_ name: String, _ tokens: CheckedTokens, _ contender: Contender) -> Benchmark {
    let cycle = TokenCycle(tokens) { token in
      guard let engine = try? contender.makeEngine(for: tokens.set) else { return nil }
      return contender.opener(engine, tokens.set)(token)
    }
    return .checked(name, cycle.run)
  }

  private static func threads(_ count: Int, _ contender: Contender, _ version: TokenVersion) -> Entry {
    Entry(name: name(contender.name, version: version) + "/threads\(count)") { name, context throws(BenchmarkFailure) in
      let tokens = try context.tokens(of: version)
      let engine = try contender.makeEngine(for: tokens.set)
      let team = try ThreadTeam(count: count) { thread in
        // Each thread starts at another token.
        TokenCycle(
          tokens, start: thread * tokens.set.entries.count / count, open: contender.opener(engine, tokens.set)
        ).run
      }
      return .timed(name, multiple: count, cpus: count) { operations throws(BenchmarkFailure) in
        try team.run(operationsEach: operations / count)
      }
    }
  }
}

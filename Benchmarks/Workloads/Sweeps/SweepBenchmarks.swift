import Benchmarking

/// The fast engine with many keys, and with tokens of many signers.
enum SweepBenchmarks {
  private static func keysName(_ count: Int) -> String { "sweep/keys\(count)/fast" }
  private static func signersName(_ count: Int) -> String { "sweep/signers\(count)/fast" }
  /// Many signers with the `portable` kernel. It makes no table for each signer, so its times show the cost of caching
  /// chains alone.
  private static func portableSignersName(_ count: Int) -> String { "sweep/signers\(count)/portable" }

  static let entries =
    SweepTokens.keyCounts.map { count in
      Entry(name: keysName(count)) { name, context throws(BenchmarkFailure) in
        try benchmark(name, context.sweep().tokens(keys: count))
      }
    }
    + [(signersName, Contender.fast), (portableSignersName, .portable)].flatMap { signersName, contender in
      SweepTokens.signerCounts.map { count in
        Entry(name: signersName(count)) { name, context throws(BenchmarkFailure) in
          try benchmark(name, context.sweep().tokens(signers: count), by: contender)
        }
      }
    }

  /// For each number of keys or signers above one: the cost of many keys, and that of caching the chains of many
  /// signers (`portable`). The last ratio shows whether the engine is slower with tables than without when it has more
  /// signers than tables.
  static let ratios =
    SweepTokens.keyCounts.dropFirst().map {
      RatioDefinition.time("\($0) keys over one", keysName($0), over: [keysName(1)])
    }
    + SweepTokens.signerCounts.dropFirst().flatMap {
      [
        .time("\($0) signers over one, portable", portableSignersName($0), over: [portableSignersName(1)]),
        .time("\($0) signers over portable", signersName($0), over: [portableSignersName($0)]),
      ]
    }

  private static func benchmark(
    _ name: String, _ set: TokenSet, by contender: Contender = .fast
  ) throws(BenchmarkFailure) -> Benchmark {
    // Check both engines on some of the tokens, because the reference engine is slow.
    let step = max(1, set.entries.count / 64)
    let checked = stride(from: 0, to: set.entries.count, by: step).map { set.entries[$0] }
    _ = try AnswerCheck.run(
      Contender.all,
      on: TokenSet(entries: checked, keys: set.keys, anchors: set.anchors, now: set.now, policy: set.policy))
    // Decrypt every token once before timing, so that the engine has cached every chain that it can.
    let lengths = set.entries.map { $0.plaintext?.count ?? 0 }
    let cycle = try TokenCycle(CheckedTokens(set, lengths: lengths), by: contender)
    guard cycle.run(set.entries.count) else { throw DecryptBenchmarks.wrongAnswer }
    return .checked(name, cycle.run)
  }
}

import Benchmarking

/// The fast engine with many keys, and with tokens of many signers.
enum SweepBenchmarks {
  private static func keysName(_ count: Int) -> String { "sweep/keys\(count)/fast" }
  private static func signersName(_ count: Int) -> String { "sweep/signers\(count)/fast" }
  /// The same without tables of signers, which shows the cost of caching chains.
  private static func portableSignersName(_ count: Int) -> String { "sweep/signers\(count)/portable" }

  static let entries =
    KeySweep.counts.map { count in
      Entry(keysName(count)) { name, context throws(BenchmarkFailure) in
        try benchmark(name, context.keys().tokens(keys: count))
      }
    }
    + [(signersName, Contender.fast), (portableSignersName, .portable)].flatMap { signersName, contender in
      SignerSweep.counts.map { count in
        Entry(signersName(count)) { name, context throws(BenchmarkFailure) in
          try benchmark(name, context.signers().tokens(signers: count), by: contender)
        }
      }
    }

  /// The cost of many keys; the cost of caching many signers, with all curve arithmetic by libcrypto; and whether more
  /// signers than tables take longer than without tables.
  static let ratios =
    KeySweep.counts.dropFirst().map {
      RatioDefinition.time("\($0) keys over one", keysName($0), over: [keysName(1)])
    }
    + SignerSweep.counts.dropFirst().flatMap {
      [
        .time("\($0) signers over one, portable", portableSignersName($0), over: [portableSignersName(1)]),
        .time("\($0) signers over portable", signersName($0), over: [portableSignersName($0)]),
      ]
    }

  private static func benchmark(
    _ name: String, _ set: TokenSet, by contender: Contender = .fast
  ) throws(BenchmarkFailure) -> Benchmark {
    // Check both engines on some of the tokens: the reference takes over a millisecond for each.
    let step = max(1, set.entries.count / 64)
    let some = stride(from: 0, to: set.entries.count, by: step).map { set.entries[$0] }
    _ = try AnswerCheck.run(
      Contender.all,
      on: TokenSet(entries: some, keys: set.keys, anchors: set.anchors, now: set.now, policy: set.policy))
    // Process every signer once before timing.
    let lengths = set.entries.map { $0.plaintext?.count ?? 0 }
    let cycle = try TokenCycle(CheckedTokens(set, lengths: lengths), by: contender)
    guard cycle.run(set.entries.count) else { throw DecryptBenchmarks.wrongAnswer }
    return .checked(name, cycle.run)
  }
}

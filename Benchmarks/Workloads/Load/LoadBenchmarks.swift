import Benchmarking

/// The fast engine under attackers' tokens.
enum LoadBenchmarks {
  /// Forged tokens of one set.
  private struct Attack: Sendable {
    /// The middle of the benchmark's name.
    let name: String
    /// The name of the ratio to a valid token.
    let ratio: String
    /// Whether only the slowest of the set is measured.
    var onlyCostliest = false
    let forgeries: @Sendable (HostileTokens) -> [HostileTokens.Forgery]

    var benchmark: String { "load/\(name)/fast" }
  }

  private static let attacks = [
    // Forgeries of every kind that needs no certificate verification.
    Attack(name: "forged", ratio: "forged over good") { $0.warm },
    Attack(name: "forged-costliest", ratio: "costliest forgery over good", onlyCostliest: true) { $0.warm },
    // Forgeries of the maximum size, 16 KiB.
    Attack(name: "forged-full-size", ratio: "full-size forgery over good") { $0.fullSize },
    Attack(name: "forged-full-size-costliest", ratio: "costliest full-size forgery over good", onlyCostliest: true) {
      $0.fullSize
    },
    // Requests of the maximum size, 64 KiB, of every gateway.
    Attack(name: "forged-request", ratio: "full-size request over good") { $0.requests },
    Attack(name: "forged-request-costliest", ratio: "costliest full-size request over good", onlyCostliest: true) {
      $0.requests + $0.nestedRequests
    },
    // Requests of small values in a random order.
    Attack(
      name: "forged-request-unpredictable", ratio: "costliest unpredictable request over good", onlyCostliest: true
    ) { $0.unpredictable },
    // Forgeries of every kind with unknown certificates.
    Attack(name: "forged-cold", ratio: "forged with unknown certificates over good") { $0.cold },
    Attack(
      name: "forged-cold-costliest", ratio: "costliest forgery with unknown certificates over good",
      onlyCostliest: true
    ) { $0.cold },
  ]

  static let entries =
    attacks.map { attack in
      Entry(name: attack.benchmark) { name, context throws(BenchmarkFailure) in
        let tokens = try context.hostileTokens()
        let all = attack.forgeries(tokens)
        return try refusals(name, attack.onlyCostliest ? [tokens.costliest(of: all)] : all, tokens)
      }
    }

  /// The ratios of an attacker's token to a valid one.
  static let ratios = attacks.map {
    RatioDefinition.time($0.ratio, $0.benchmark, over: [DecryptBenchmarks.name("fast")])
  }

  private static func refusals(
    _ name: String, _ forgeries: [HostileTokens.Forgery], _ tokens: HostileTokens
  ) throws(BenchmarkFailure) -> Benchmark {
    let engine = try Contender.fast.makeEngine(for: tokens.valid)
    let valid = Contender.fast.opener(engine, tokens.valid)
    // Warm up: the engine has cached the valid certificates and has a table of their signer.
    guard TokenCycle(tokens.checked, open: valid).run(tokens.valid.entries.count) else {
      throw DecryptBenchmarks.wrongAnswer
    }
    let openers = tokens.openers(of: forgeries, by: engine)
    let attacks = shuffled(forgeries).compactMap { forgery in
      openers[forgery.envelope.name].map { (open: $0, bytes: forgery.token) }
    }
    for attack in attacks { guard attack.open(attack.bytes) == nil else { throw DecryptBenchmarks.wrongAnswer } }
    var next = 0
    // Each slice mixes several kinds, because their costs differ widely.
    return Benchmark(
      name: name, sliceNanoseconds: 1, multiple: min(attacks.count, kindsASlice), note: note(forgeries)
    ) {
      count throws(BenchmarkFailure) in
      for _ in 0..<count {
        guard attacks[next].open(attacks[next].bytes) == nil else { throw DecryptBenchmarks.wrongAnswer }
        next = next + 1 == attacks.count ? 0 : next + 1
      }
    }
  }

  private static let kindsASlice = 32

  private static func note(_ forgeries: [HostileTokens.Forgery]) -> String {
    forgeries.count == 1 ? forgeries[0].name : "\(forgeries.count) kinds"
  }

  /// Kinds are in the order of the rules, so a stride spreads similar ones.
  private static func shuffled(_ forgeries: [HostileTokens.Forgery]) -> [HostileTokens.Forgery] {
    let step = 97
    guard !forgeries.count.isMultiple(of: step) else { return forgeries }
    return forgeries.indices.map { forgeries[$0 * step % forgeries.count] }
  }
}

import Benchmarking
import FastDecryption
import HostIO
import Minting
import NamedCases
import PaymentToken

/// Valid EC_v1 tokens, and forged ones of every kind that needs no special context, at the maximum size where size
/// matters.
final class HostileTokens {
  /// A forged token and the expected fault.
  struct Forgery {
    let name: String
    let token: [UInt8]
    let fault: TokenFault
    /// The envelope to read it as.
    var envelope = Envelope.apple
  }

  /// Valid tokens, with the keys for the forged ones too.
  let checked: CheckedTokens
  var valid: TokenSet { checked.set }
  /// Forgeries refused before certificates are read, or with certificates that the engine has cached.
  let warm: [Forgery]
  /// Forgeries whose certificates must be verified every time: the slow path.
  let cold: [Forgery]
  /// Forged tokens of the maximum size, 16 KiB, that need no certificate verification.
  let fullSize: [Forgery]
  /// Forged requests of the maximum size, 64 KiB, of every gateway. They need no certificate verification either.
  let requests: [Forgery]
  /// The same around forged tokens of the maximum size. There are too many for the caches of a processor, so only the
  /// slowest one is measured.
  let nestedRequests: [Forgery]
  /// Forged requests of the maximum size with small values in a random order.
  let unpredictable: [Forgery]

  /// - Throws: `BenchmarkFailure` if minting fails or the fast engine gives a wrong verdict.
  init(seed: UInt64) throws(BenchmarkFailure) {
    checked = try CheckedTokens(TokenSet.minted(seed: seed))
    let valid = checked.set
    let forged = try Self.fullSizeTokens(seed: seed)
    fullSize = try Self.forgeries(forged.large, valid)
    requests = try Self.forgeries(FullSizeInput.requests(around: forged.plain), valid)
    nestedRequests = try Self.forgeries(FullSizeInput.requests(around: forged.large), valid)
    unpredictable = try Self.forgeries(FullSizeInput.unpredictable(around: forged.plain), valid)
    let forgeries = try Self.mint(seed: seed)
    guard let engine = try Contender.fast.makeEngine(for: valid) as? FastDecryptor,
      let token = valid.entries.first?.token,
      (try? engine.decrypt(token.span, at: valid.now, under: valid.policy)) != nil
    else { throw DecryptBenchmarks.wrongAnswer }
    var (warm, cold): ([Forgery], [Forgery]) = ([], [])
    for forgery in forgeries {
      if Self.needsVerifiedCertificates(forgery, engine, valid) { cold.append(forgery) } else { warm.append(forgery) }
    }
    self.warm = warm
    self.cold = cold
    try check(warm + cold + fullSize + requests + nestedRequests + unpredictable)
  }

  /// Whether the engine, which has cached the valid tokens' chain, must verify certificates each time it refuses the
  /// forgery.
  private static func needsVerifiedCertificates(_ forgery: Forgery, _ engine: FastDecryptor, _ valid: TokenSet) -> Bool
  {
    guard var staged = StagedDecryption(forgery.token, engine: engine, at: valid.now, under: valid.policy) else {
      return true
    }
    for stage in [StagedDecryption.Stage.json, .encodings, .cms] {
      guard (try? staged.run(stage)) != nil else { return false }
    }
    guard (try? staged.run(.chain)) != nil else { return true }
    // A chain is cached once its leaf has signed a token.
    return forgery.fault.stage <= .signature && !staged.hasKnownChain
  }

  /// The full-size inputs that the reference engine refuses, with its faults.
  private static func forgeries(
    _ inputs: [FullSizeInput], _ valid: TokenSet
  ) throws(BenchmarkFailure) -> [Forgery] {
    let reference = try Contender.reference.makeEngine(for: valid)
    var forgeries: [Forgery] = []
    for input in inputs {
      do throws(TokenFault) {
        _ = try reference.decrypt(input.bytes.span, at: valid.now, under: valid.policy(reading: input.envelope))
      } catch {
        forgeries.append(Forgery(name: input.name, token: input.bytes, fault: error, envelope: input.envelope))
      }
    }
    return forgeries
  }

  /// A token in which only the signature value is wrong, and such tokens of the maximum size.
  private static func fullSizeTokens(seed: UInt64) throws(BenchmarkFailure) -> (plain: [UInt8], large: [FullSizeInput])
  {
    try BenchmarkFailure.minting("the full-size inputs") {
      let minter = try Minter(seed: seed, at: TokenSet.mintingTime)
      var forged = try minter.layers(TokenRecipe(index: 0))
      forged.signer.key = minter.foreign.leafKey
      try forged.sign()
      return (forged.token, try FullSizeInput.tokens(around: forged))
    }
  }

  private static func mint(seed: UInt64) throws(BenchmarkFailure) -> [Forgery] {
    try BenchmarkFailure.minting("the forged tokens") {
      let minter = try Minter(seed: seed, at: TokenSet.mintingTime)
      return try CaseRecipe.all.compactMap { recipe in
        guard case .reject = recipe.expected else { return nil }
        let minted = try minter.make(recipe)
        guard minted.isSingleToken, minted.version == TokenRecipe().version, let fault = minted.test.expected?.fault
        else { return nil }
        return Forgery(name: minted.test.name, token: minted.test.request, fault: fault)
      }
    }
  }

  private func check(_ forgeries: [Forgery]) throws(BenchmarkFailure) {
    let engine = try Contender.fast.makeEngine(for: valid)
    for forgery in forgeries {
      do throws(TokenFault) {
        _ = try engine.decrypt(
          forgery.token.span, at: valid.now, under: valid.policy(reading: forgery.envelope))
      } catch {
        guard error == forgery.fault else {
          throw BenchmarkFailure("the fast engine refuses \(forgery.name) with \(error.code.rawValue)")
        }
        continue
      }
      throw BenchmarkFailure("the fast engine accepts \(forgery.name)")
    }
  }

  /// The forgery that takes the fast engine longest.
  ///
  /// All are timed one after the other, then the slowest ones again in rotation, because a short disturbance of the
  /// machine can make any of them look slow.
  func costliest(of forgeries: [Forgery]) throws(BenchmarkFailure) -> Forgery {
    let engine = try Contender.fast.makeEngine(for: valid)
    let openers = openers(of: forgeries, by: engine)
    let openValid = Contender.fast.opener(engine, valid)
    for entry in valid.entries { _ = openValid(entry.token) }
    func fastest(of forgery: Forgery, repetitions: Int) -> UInt64 {
      guard let open = openers[forgery.envelope.name] else { return 0 }
      var fastest = UInt64.max
      for _ in 0..<repetitions {
        let start = MonotonicClock.nanoseconds
        _ = open(forgery.token)
        fastest = min(fastest, MonotonicClock.nanoseconds - start)
      }
      return fastest
    }
    let first = forgeries.map { (forgery: $0, time: fastest(of: $0, repetitions: Self.firstRepetitions)) }
    var slowest = Array(first.sorted { $0.time > $1.time }.prefix(Self.finalists))
    for _ in 0..<Self.repetitions {
      for index in slowest.indices {
        slowest[index].time = min(slowest[index].time, fastest(of: slowest[index].forgery, repetitions: 2))
      }
    }
    guard let costliest = slowest.max(by: { $0.time < $1.time }) else {
      throw BenchmarkFailure("there are no such forgeries")
    }
    return costliest.forgery
  }

  private static let finalists = 64
  private static let firstRepetitions = 4
  private static let repetitions = 12

  /// Closures that decrypt, by envelope name: each reads only one envelope.
  func openers(of forgeries: [Forgery], by engine: any TokenDecryptor) -> [String: Contender.Opener] {
    var openers: [String: Contender.Opener] = [:]
    for forgery in forgeries where openers[forgery.envelope.name] == nil {
      openers[forgery.envelope.name] = Contender.fast.opener(engine, valid.reading(forgery.envelope))
    }
    return openers
  }
}

extension TokenSet {
  /// The set's policy for an envelope.
  fileprivate func policy(reading envelope: Envelope) -> VerificationPolicy {
    VerificationPolicy(envelope: .named(envelope), freshness: policy.freshness)
  }

  /// The set without its tokens, with the policy for an envelope.
  fileprivate func reading(_ envelope: Envelope) -> TokenSet {
    TokenSet(entries: [], keys: keys, anchors: anchors, now: now, policy: policy(reading: envelope))
  }
}

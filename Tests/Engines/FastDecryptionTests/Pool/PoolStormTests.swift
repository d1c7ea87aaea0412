import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// Requests, cancellations, deadlines, replacements and shutdowns at random moments on many threads: every request is
/// answered once, by an engine that was current meanwhile, and none with keys of one set and roots of another.
///
/// `ASSAY_POOL_REQUESTS` says how many; the seed is printed.
struct PoolStormTests {
  private static let requests =
    ProcessInfo.processInfo.environment["ASSAY_POOL_REQUESTS"].flatMap { Int($0) } ?? 30_000
  private static let seed =
    ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_121

  @Test func `every request is answered once, and none under a mixed set of keys`() async throws {
    try await storm(asksStore: false)
  }

  @Test func `with an asynchronous store each transaction is accepted at most once`() async throws {
    try await storm(asksStore: true)
  }

  private func storm(asksStore: Bool) async throws {
    let storm = try Storm(seed: Self.seed, asksStore: asksStore)
    var random = SeededGenerator(seed: Self.seed)
    var left = Self.requests
    while left > 0 {
      // Each pool gets a random number of requests; the rest goes to the next one.
      let count = min(left, Int.random(in: 500..<10_000, using: &random))
      try await storm.live(through: count, random: random.stream("pool \(left)"))
      left -= count
    }
    print("seed \(Self.seed): \(storm.report)")
    #expect(storm.findings == [])
    #expect(try storm.seesWhatIsWrong())
    let counts = storm.counts
    #expect(counts.values.reduce(0, +) == Self.requests)
    // With fewer requests one of the kinds may be missing.
    guard Self.requests >= 30_000 else { return }
    let ofStore = asksStore ? ["replayedTransaction", "replayStoreUnavailable"] : []
    for kind in ["accepted", "refused", "cancelled", "deadlineExceeded", "overloaded"] + ofStore {
      #expect(counts[kind, default: 0] > 0, "\(kind)")
    }
  }
}

/// What producers share.
private final class Storm: Sendable {
  /// A token with the sets of its signer and its merchant. It may be accepted only if both are of the same set. Both
  /// sets have the same keys of RSA_v1: tokens of that version differ only by the signer's set.
  struct Sample: Sendable {
    let index: Int
    let token: [UInt8]
    let plaintext: [UInt8]
    let signer: Int
    let merchant: Int?
    let isBroken: Bool

    func verdict(of set: Int) -> TokenFault? {
      if signer != set { return TokenFault(.untrustedChain) }
      if isBroken { return TokenFault(.signatureMismatch) }
      return merchant ?? set == set ? nil : TokenFault(.unknownMerchantKey)
    }
  }

  private let engines: [@Sendable () throws -> FastDecryptor]
  private let samples: [Sample]
  private let asksStore: Bool
  private let state = Locked((findings: [String](), counts: [String: Int]()))

  var findings: [String] { state.withLock { $0.findings } }
  var counts: [String: Int] { state.withLock { $0.counts } }
  var report: String { counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }

  init(seed: UInt64, asksStore: Bool = false) throws {
    self.asksStore = asksStore
    let fixtures = try [Fixture(seed: seed), Fixture(seed: seed + 1)]
    engines = try fixtures.map { fixture in
      let (keys, anchors) = (try fixture.minter.merchantKeySet(), fixture.minter.anchors)
      return { try FastDecryptor(keys: keys, anchors: anchors) }
    }
    var samples: [Sample] = []
    for index in 0..<48 {
      let (signer, merchant) = (index & 1, index >> 1 & 1)
      let version: TokenVersion = index % 6 == 5 ? .rsaV1 : .ecV1
      var recipe = TokenRecipe(index: UInt64(index))
      if version == .rsaV1 { recipe = fixtures[merchant].minter.recipe(index: UInt64(index), version) }
      var layers = try fixtures[merchant].minter.layers(recipe)
      layers.signer = TokenSigner(fixtures[signer].minter.pki, version: version)
      try layers.sign()
      let isBroken = index % 12 == 11
      if isBroken { layers.transactionId[0] ^= 1 }
      samples.append(
        Sample(
          index: index, token: layers.token,
          plaintext: layers.plaintext, signer: signer, merchant: version == .ecV1 ? merchant : nil,
          isBroken: isBroken))
    }
    self.samples = samples
  }

  /// One pool's life: producers of two kinds, and tasks that replace its engine, answer for its store and shut it down.
  func live(through count: Int, random: SeededGenerator) async throws {
    var random = random
    let life = try PoolLife(
      engines[0](),
      DecryptionPool.Configuration(
        workers: Int.random(in: 1...3, using: &random),
        queueCapacity: [8, 1_024, 8_192].randomElement(using: &random) ?? 8,
        slowPathCapacity: [2, 256, 4_096].randomElement(using: &random) ?? 2, unknownChainsPerSecond: 1_000_000,
        spinDuration: [.zero, .microseconds(50)].randomElement(using: &random) ?? .zero,
        batchingDelay: [.zero, .microseconds(200)].randomElement(using: &random) ?? .zero,
        runsOnCallerThread: Bool.random(using: &random),
        storeCapacity: [16, 4_096].randomElement(using: &random) ?? 16,
        storeTimeLimit: .milliseconds(Int.random(in: 2...20, using: &random))),
      store: asksStore ? StormStore(random: random.stream("store")) : nil, size: count)
    let shutsDownAfter = Int.random(in: count / 2...count * 2, using: &random)
    let producers = 6
    try await withThrowingTaskGroup(of: Void.self) { group in
      for producer in 0..<producers {
        let share = count / producers + (producer < count % producers ? 1 : 0)
        let own = random.stream("producer \(producer)")
        group.addTask {
          producer.isMultiple(of: 2)
            ? await self.submit(share, to: life, random: own) : await self.ask(share, of: life, random: own)
        }
      }
      let own = random.stream("rotation")
      group.addTask { try await self.rotate(life, through: count, random: own) }
      group.addTask {
        // The last questions stay without an answer.
        while let store = life.store, !life.isOver {
          store.answerSome()
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      group.addTask {
        await life.submitted(min(shutsDownAfter, count))
        if shutsDownAfter < count { await life.pool.shutDown() }
      }
      try await group.waitForAll()
    }
    await life.pool.shutDown()
    if life.pool.metrics.inFlight != 0 { report("\(life.pool.metrics.inFlight) in flight after the end") }
    life.checkAnswers { report($0) }
  }

  /// Submits requests with callbacks, and cancels some after a random time.
  private func submit(_ count: Int, to life: PoolLife, random: SeededGenerator) async {
    var random = random
    var pause = 100
    for number in 0..<count {
      let sample = sample(for: life, &random)
      let request = life.begin(at: time(&random))
      do throws(DecryptionPool.Refusal) {
        let submission = try life.pool.submit(
          sample.token, at: request.now, under: life.policy, deadline: deadline(&random),
          opened: { opened throws(TokenFault) in
            self.take(.success(try opened.copy().plaintext), for: sample, request, life)
          },
          refused: { self.take(.failure($0), for: sample, request, life) })
        pause = 100
        if Int.random(in: 0..<8, using: &random) == 0 {
          spin(Int.random(in: 0..<50, using: &random))
          submission.cancel()
        }
      } catch {
        take(.failure(error), for: sample, request, life)
        await backOff(error, &pause, &random)
      }
      if number.isMultiple(of: 16) { await Task.yield() }
    }
  }

  /// Decrypts in groups of up to eight tasks, and cancels some groups after a random time.
  private func ask(_ count: Int, of life: PoolLife, random: SeededGenerator) async {
    var random = random
    var left = count
    while left > 0 {
      let size = min(left, Int.random(in: 1...8, using: &random))
      left -= size
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<size {
          let sample = sample(for: life, &random)
          let (now, deadline) = (time(&random), deadline(&random))
          group.addTask {
            let request = life.begin(at: now)
            do throws(DecryptionPool.Refusal) {
              let token = try await life.pool.decrypt(
                sample.token, at: now, under: life.policy, deadline: deadline)
              self.take(.success(token.plaintext), for: sample, request, life)
            } catch {
              self.take(.failure(error), for: sample, request, life)
            }
          }
        }
        if Int.random(in: 0..<8, using: &random) == 0 {
          spin(Int.random(in: 0..<100, using: &random))
          group.cancelAll()
        }
      }
    }
  }

  private func rotate(_ life: PoolLife, through count: Int, random: SeededGenerator) async throws {
    var random = random
    var engines = [life.pool.engine, try self.engines[1]()]
    while !life.isOver {
      // The pace is counted in requests, not in time: otherwise a slow machine would replace engines more often.
      await life.submitted(min(life.submitted + Int.random(in: 1...400, using: &random), count))
      // Sometimes the engine is a new one, which knows no chain.
      if Int.random(in: 0..<6, using: &random) == 0 {
        engines[(life.epoch + 1) % 2] = try self.engines[(life.epoch + 1) % 2]()
      }
      life.replaceEngine(with: engines[(life.epoch + 1) % 2])
    }
  }

  /// Mostly a token of a signer that the current engine trusts: any other goes through the slow path each time.
  private func sample(for life: PoolLife, _ random: inout SeededGenerator) -> Sample {
    let sample = samples[Int.random(in: samples.indices, using: &random)]
    guard sample.signer != life.epoch % 2, Int.random(in: 0..<16, using: &random) > 0 else { return sample }
    return self.sample(for: life, &random)
  }

  private func deadline(_ random: inout SeededGenerator) -> ContinuousClock.Instant? {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .now.advanced(by: .microseconds(Int.random(in: 0..<500, using: &random)))
    case 1: .now
    case 2: .now.advanced(by: .seconds(600))
    default: nil
    }
  }

  /// The verification time; with a store, one of many, so that a few tokens make many transactions.
  private func time(_ random: inout SeededGenerator) -> UnixTime {
    guard asksStore else { return mintingTime }
    return UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + Int64.random(in: -100...100, using: &random))
  }

  private func spin(_ microseconds: Int) {
    let end = ContinuousClock.now.advanced(by: .microseconds(microseconds))
    while ContinuousClock.now < end {}
  }

  /// After a refusal for lack of room, a producer usually waits before its next request, each time longer.
  private func backOff(_ refusal: DecryptionPool.Refusal, _ pause: inout Int, _ random: inout SeededGenerator) async {
    guard refusal == .overloaded, Int.random(in: 0..<16, using: &random) > 0 else { return }
    try? await Task.sleep(for: .microseconds(Int.random(in: 10...pause, using: &random)))
    pause = min(2 * pause, 5_000)
  }

  private func take(
    _ answer: Result<[UInt8], DecryptionPool.Refusal>, for sample: Sample, _ request: PoolLife.Request,
    _ life: PoolLife
  ) {
    let epochs = life.answer(request)
    let sets = Set(epochs.map { $0 % 2 })
    let kind: String
    switch answer {
    case .success(let plaintext):
      kind = "accepted"
      if plaintext != sample.plaintext || !sets.contains(where: { sample.verdict(of: $0) == nil }) {
        report("accepted what set(s) \(sets) refuse(s): signer \(sample.signer), token \(sample.index)")
      }
      if asksStore, !life.accept(sample.index, at: request.now) {
        report("accepted twice: token \(sample.index) at \(request.now)")
      }
    case .failure(.token(let fault))
    where life.store != nil && (fault.code == .replayedTransaction || fault.code == .replayStoreUnavailable):
      kind = fault.code.rawValue
      if !sets.contains(where: { sample.verdict(of: $0) == nil }) { report("a store was asked about a refused token") }
    case .failure(.token(let fault)):
      kind = "refused"
      if !sets.contains(where: { sample.verdict(of: $0) == fault }) {
        report("\(fault) by set(s) \(sets): signer \(sample.signer), token \(sample.index), \(sample.isBroken)")
      }
    case .failure(let refusal): kind = refusal.description
    }
    state.withLock { $0.counts[kind, default: 0] += 1 }
  }

  /// Whether the checks detect planted faults: a wrong payment, a wrong fault, a missing answer, a second answer; with
  /// a store, a transaction that is accepted twice.
  func seesWhatIsWrong() throws -> Bool {
    let storm = try Storm(seed: 1)
    let life = try PoolLife(engines[0](), .init(), store: nil, size: 4)
    defer { withExtendedLifetime(life) {} }
    let sample = storm.samples[0]
    let requests = (0..<4).map { _ in life.begin(at: mintingTime) }
    storm.take(.success([]), for: sample, requests[0], life)
    storm.take(.failure(.token(TokenFault(.replayedTransaction))), for: sample, requests[1], life)
    for _ in 0..<2 { storm.take(.success(sample.plaintext), for: sample, requests[2], life) }
    let answers = storm.findings.count
    life.checkAnswers { storm.report($0) }
    guard answers == 2, storm.findings.count == 4 else { return false }
    guard asksStore else { return true }
    let asking = try Storm(seed: 1, asksStore: true)
    let another = try PoolLife(engines[0](), .init(), store: StormStore(random: SeededGenerator(seed: 1)), size: 3)
    defer { withExtendedLifetime(another) {} }
    let later = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + 1)
    for now in [mintingTime, later] {
      asking.take(.success(sample.plaintext), for: sample, another.begin(at: now), another)
    }
    guard asking.findings.isEmpty else { return false }
    asking.take(.success(sample.plaintext), for: sample, another.begin(at: later), another)
    return asking.findings.count == 1
  }

  private func report(_ finding: String) {
    state.withLock { if $0.findings.count < 20 { $0.findings.append(finding) } }
  }
}

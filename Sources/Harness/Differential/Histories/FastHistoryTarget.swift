import FastDecryption
import MerchantKeys
import PaymentToken
public import TestCases
import Threads

/// The fast engine as the target of histories: two sets of buffers and one pool, which all its engines use in turn.
public final class FastHistoryTarget: HistoryTarget {
  private let engines: HistoryEngines<FastDecryptor>
  private let buffers: [Buffers]
  private var pool: DecryptionPool?

  /// The buffers of a place.
  private final class Buffers {
    var workspace: Workspace
    var batch: BatchWorkspace

    init?() {
      guard let workspace = Workspace(), let batch = BatchWorkspace() else { return nil }
      self.workspace = workspace
      self.batch = batch
    }
  }

  /// Creates a target whose engines make a table for every signer, so that batches verify signatures in lanes.
  ///
  /// - Parameter preparing: changes each set of keys before an engine uses it.
  package init(preparing: KeyPreparation? = nil) {
    engines = HistoryEngines(preparing: preparing) { (keys, anchors) throws(EngineError) in
      try FastDecryptor(keys: keys, anchors: anchors, kernel: .preferred, tables: .atOnce)
    }
    buffers = (0..<2).compactMap { _ in Buffers() }
  }

  public func begin(_ setting: TestSetting) { engines.begin(setting) }

  public var isWiped: Bool { buffers.allSatisfy { $0.workspace.isWiped && $0.batch.isWiped } }

  public func decide(_ inputs: [TestInput], in place: HistoryPlace) -> [Verdict]? {
    guard buffers.indices.contains(place.workspace) else { return nil }
    guard let engine = engines.engine(place, replacing: { $0.replacingKeys(with: $1) }) else { return [] }
    switch place.mode {
    case .workspace: return inputs.map { Self.verdict(on: $0, by: engine, in: buffers[place.workspace]) }
    case .keptWorkspace: return inputs.map { $0.verdict(by: engine) }
    case .batch, .mixedBatch: return decideTogether(inputs, by: engine, place)
    case .pool: return decideInPool(inputs, by: engine)
    }
  }

  private static func verdict(on input: TestInput, by engine: FastDecryptor, in buffers: Buffers) -> Verdict {
    let policy = input.context.policy.verificationPolicy()
    func decide(_ request: [UInt8]) -> Verdict {
      do throws(TokenFault) {
        guard input.context.policy.isUnsigned else {
          return .success(
            .signed(
              try engine.decrypt(request.span, at: input.context.now, under: policy, in: &buffers.workspace) {
                token throws(TokenFault) in try token.copy()
              }))
        }
        return .success(
          try engine.decryptAllowingUnsigned(
            request.span, at: input.context.now, under: policy, in: &buffers.workspace,
            signed: { token throws(TokenFault) in .signed(try token.copy()) },
            unsigned: { token throws(TokenFault) in .unsigned(try token.copy()) }))
      } catch {
        return .failure(error)
      }
    }
    for earlier in input.context.prelude { _ = decide(earlier) }
    return decide(input.request)
  }

  /// Decides a batch. A batch of one time and policy goes through the public function for such batches.
  private func decideTogether(_ inputs: [TestInput], by engine: FastDecryptor, _ place: HistoryPlace) -> [Verdict] {
    let buffers = buffers[place.workspace]
    var requests: [FastDecryptor.TimedRequest] = []
    var ends: [Int] = []
    for input in inputs {
      let policy = input.context.policy.verificationPolicy()
      for request in input.context.prelude + [input.request] { requests.append((request, input.context.now, policy)) }
      ends.append(requests.count - 1)
    }
    guard place.mode == .batch, let first = requests.first else {
      let results = engine.decryptBatch(requests, in: &buffers.batch)
      return ends.filter { $0 < results.count }.map { results[$0].map { .signed($0) } }
    }
    var verdicts = [Verdict?](repeating: nil, count: requests.count)
    engine.decryptBatch(
      requests.map(\.bytes), at: first.now, under: first.policy, in: &buffers.batch,
      opened: { index, token throws(TokenFault) in verdicts[index] = .success(.signed(try token.copy())) },
      refused: { index, fault in verdicts[index] = .failure(fault) })
    return ends.compactMap { verdicts[$0] }
  }

  /// A queue with room for every history. If all requests take the slow path, they can exceed the default capacity and
  /// the default budget of chains, and a busy machine may decide none of them before the last is submitted.
  private static let roomy = DecryptionPool.Configuration(
    queueCapacity: 4_096, queueBytes: 1 << 30, slowPathCapacity: 4_096, unknownChainsPerSecond: 1_000_000)

  /// Submits all requests to the pool without waiting for answers, except to those of a prelude.
  private func decideInPool(_ inputs: [TestInput], by engine: FastDecryptor) -> [Verdict]? {
    guard let pool = pool ?? (try? DecryptionPool(engine, configuration: Self.roomy)) else { return nil }
    self.pool = pool
    pool.replaceEngine(with: engine)
    let answers = PoolAnswers()
    for (index, input) in inputs.enumerated() {
      let policy = input.context.policy.verificationPolicy()
      for earlier in input.context.prelude {
        answers.expect(-1, from: pool, of: earlier, at: input.context.now, under: policy)
        answers.wait()
      }
      answers.expect(index, from: pool, of: input.request, at: input.context.now, under: policy)
    }
    return answers.verdicts(inputs.count)
  }
}

/// The answers of a pool to some requests.
private final class PoolAnswers: Sendable {
  /// The answers to each request, nil for one that the pool did not decide, and how many are missing.
  private let state = Monitor((answers: [Int: [Verdict?]](), missing: 0))

  func expect(
    _ index: Int, from pool: DecryptionPool, of request: [UInt8], at now: UnixTime, under policy: VerificationPolicy
  ) {
    state.withLock { $0.missing += 1 }
    do throws(DecryptionPool.Refusal) {
      try pool.submit(request, at: now, under: policy) { token throws(TokenFault) in
        self.note(index, .success(.signed(try token.copy())))
      } refused: { refusal in
        if case .token(let fault) = refusal { self.note(index, .failure(fault)) } else { self.note(index, nil) }
      }
    } catch {
      note(index, nil)
    }
  }

  /// - Parameter verdict: nil if the pool did not decide.
  private func note(_ index: Int, _ verdict: Verdict?) {
    state.withLock { state in
      state.answers[index, default: []].append(verdict)
      state.missing -= 1
    }
    state.wakeAll()
  }

  /// Waits until all expected requests are answered, at most ten minutes: even a busy machine has answered then.
  func wait() { _ = state.wait(until: .now + .seconds(600)) { $0.missing == 0 ? true : nil } }

  /// The verdicts on requests 0 to `count` − 1; none if one was not decided, or answered twice.
  func verdicts(_ count: Int) -> [Verdict] {
    wait()
    let answers = state.withLock(\.answers)
    let isSound = answers.allSatisfy { index, verdicts in !verdicts.contains(nil) && (index < 0 || verdicts.count == 1)
    }
    return isSound ? (0..<count).compactMap { answers[$0]?.first ?? nil } : []
  }
}

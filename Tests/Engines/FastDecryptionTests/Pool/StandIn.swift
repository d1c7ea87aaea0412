import FastDecryption
import PaymentToken
import PoolSchedules
import TokenScanning

/// A request of an interleaving: `StandIn` decides its bytes in place of an engine.
struct StandInToken: Hashable {
  enum Kind: UInt8, CaseIterable {
    case accepted, refused, unknownChain, forgedChain, wrapped, wrappedRefused

    var isUnknown: Bool { self == .unknownChain || self == .forgedChain }
    var isWrapped: Bool { self == .wrapped || self == .wrappedRefused }
  }

  var kind: Kind
  var signer: UInt8
  var merchant: UInt8
  var transaction: UInt8
  /// The size of the plaintext in units of 16 bytes; over 64 units, it does not fit into a place for held tokens.
  var size: UInt8

  var bytes: [UInt8] { [kind.rawValue, signer, merchant, transaction, size] }

  init(_ kind: Kind, signer: UInt8 = 0) {
    (self.kind, self.signer) = (kind, signer)
    (merchant, transaction, size) = (0, 0, 1)
  }

  init(_ random: inout Randomness) {
    let kinds = Kind.allCases
    kind = random.draw(3) > 0 ? .accepted : kinds[random.draw(kinds.count)]
    signer = UInt8(random.draw(2))
    merchant = UInt8(random.draw(2))
    transaction = UInt8(random.draw(6))
    size = random.draw(16) == 0 ? 70 : UInt8(1 + random.draw(4))
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count == 5, let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.kind = kind
    (signer, merchant, transaction, size) = (bytes[1], bytes[2], bytes[3], bytes[4])
  }

  /// The transaction's identifier.
  var transactionId: Bytes32 { Self.repeated(transaction) }

  /// The verdict of an engine alone, without a replay store: the plaintext, or the fault. It depends on everything that
  /// the pool must not confuse: the request, its time, its policy, and the engine.
  func verdict(at now: UnixTime, under policy: VerificationPolicy, by generation: Int) -> Result<[UInt8], TokenFault> {
    var mixed = Randomness(bytes.reduce(UInt64(generation)) { $0 << 8 | UInt64($1) })
    mixed = Randomness(mixed.next() ^ UInt64(bitPattern: now.secondsSinceEpoch))
    if case .window(let seconds, _) = policy.freshnessRule { mixed = Randomness(mixed.next() ^ UInt64(seconds)) }
    guard kind == .refused || kind == .forgedChain || kind == .wrappedRefused else {
      return .success((0..<2 * Int(size)).flatMap { _ in withUnsafeBytes(of: mixed.next(), Array.init) })
    }
    let codes = Self.codes
    return .failure(TokenFault(codes[mixed.draw(codes.count)]))
  }

  private static let codes: [TokenFault.Code] = [
    .signatureMismatch, .signerMismatch, .unknownMerchantKey, .decryptionFailed, .signingTimeOutsideWindow,
    .untrustedChain,
  ]

  static func repeated(_ byte: UInt8) -> Bytes32 { Bytes32([UInt8](repeating: byte, count: 32))! }
}

/// Decides `StandInToken`s for a pool in place of an engine, and lets other threads run meanwhile.
final class StandIn: BatchDecider, TokenDecider {
  /// A fault that the tests must find.
  enum Fault {
    case firstTimeForAll
    /// A batch is decided by the engine of the batch before.
    case engineReplacedMeanwhile
    /// Chains are verified, and said to be known.
    case uncountedChains
  }

  /// Unowned, because the schedule holds this stand-in.
  private unowned let schedule: Interleaving
  private let fault: Fault?
  private let facts: OpenedToken.Facts
  /// The number of an engine.
  private let generation: (FastDecryptor) -> Int
  /// Called when a thread begins a request.
  private let begins: (UnixTime) -> Void
  /// The times when chains were verified.
  private(set) var verifiedChains: [ContinuousClock.Instant] = []
  /// How long the slow path takes for a chain.
  var chainTime = Duration.zero
  /// The engine's number and the signer of each known chain.
  private var known: Set<[Int]> = []
  private var engineBefore: FastDecryptor?

  init(
    _ schedule: Interleaving, facts: OpenedToken.Facts, fault: Fault?, generation: @escaping (FastDecryptor) -> Int,
    begins: @escaping (UnixTime) -> Void
  ) {
    (self.schedule, self.facts, self.fault) = (schedule, facts, fault)
    (self.generation, self.begins) = (generation, begins)
  }

  func decryptBatch(
    _ requests: SubmittedRequests, by engine: FastDecryptor, slowTokens: SlowTokens,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    awaitingStore: (Int, borrowing OpenedToken, AskableStore) -> Void,
    refused: (Int, TokenFault) -> Void, skipped: (Int, SlowReason) -> Void
  ) {
    let generation = generation(fault == .engineReplacedMeanwhile ? engineBefore ?? engine : engine)
    engineBefore = engine
    for index in 0..<requests.count { requests.withPolicy(index) { now, _ in begins(now) } }
    let first = requests.withPolicy(0) { now, _ in now }
    for index in 0..<requests.count {
      schedule.yield()
      requests.withRequest(index) { bytes, now, policy in
        guard let token = StandInToken(bytes) else { return refused(index, TokenFault(.malformedJSON)) }
        if let reason = reason(token, generation, slowTokens) { return skipped(index, reason) }
        let now = fault == .firstTimeForAll ? first : now
        do throws(TokenFault) {
          try open(token, at: now, under: copy policy, by: generation) { token throws(TokenFault) in
            guard let store = policy.asynchronousStore else { return try opened(index, token) }
            awaitingStore(index, token, store)
          }
        } catch {
          refused(index, error)
        }
      }
    }
  }

  func decryptOfKnownSigner(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) -> Bool {
    guard let token = StandInToken(request) else { throw TokenFault(.malformedJSON) }
    begins(now)
    schedule.yield()
    if reason(token, generation(engine), .skipUnknownChains) != nil { return false }
    try open(token, at: now, under: policy, by: generation(engine), body)
    return true
  }

  func learnChain(
    of request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor
  ) throws(TokenFault) -> Bool {
    guard let token = StandInToken(request) else { throw TokenFault(.malformedJSON) }
    begins(now)
    schedule.yield()
    if reason(token, generation(engine), .skipUnknownChains) == nil { return false }
    verifiedChains.append(schedule.clock)
    if chainTime > .zero { schedule.wait(for: .requests, until: schedule.clock.advanced(by: chainTime)) { false } }
    if token.kind == .forgedChain { _ = try token.verdict(at: now, under: policy, by: generation(engine)).get() }
    known.insert([generation(engine), Int(token.signer)])
    return fault != .uncountedChains
  }

  private func reason(_ token: StandInToken, _ generation: Int, _ slowTokens: SlowTokens) -> SlowReason? {
    if slowTokens == .skip, token.kind.isWrapped { return .wrappedKey }
    guard token.kind.isUnknown, slowTokens != .decide else { return nil }
    let isKnown = token.kind == .unknownChain && known.contains([generation, Int(token.signer)])
    return isKnown ? nil : .unknownChain
  }

  private func open(
    _ token: StandInToken, at now: UnixTime, under policy: VerificationPolicy, by generation: Int,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) {
    let plaintext = try token.verdict(at: now, under: policy, by: generation).get()
    var facts = facts
    facts.version = token.kind.isWrapped ? .rsaV1 : .ecV1
    facts.transactionId = token.transactionId
    facts.publicKeyHash = StandInToken.repeated(token.merchant)
    let key: [UInt8] = []
    try body(OpenedToken(facts, ephemeralPublicKey: key.span, plaintext: plaintext.span))
  }
}

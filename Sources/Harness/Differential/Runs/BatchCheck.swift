public import PaymentToken
public import TestCases

/// Checks that an engine decides a request in a batch as it does alone.
///
/// Each request is decided again between earlier ones of the same context: the latest that was accepted and the latest
/// that was rejected. In turn it comes alone, first, in the middle and last, after an accepted and after a rejected one,
/// twice in one batch, and with enough accepted ones to fill the lanes; now and then with so many that a batch takes two
/// windows. With a replay store, the batch is the prelude and the request.
public struct BatchCheck {
  /// A request and the verdict on it alone.
  private struct Decided {
    let request: [UInt8]
    let verdict: Verdict
  }

  /// The latest requests of a context.
  private struct Companions {
    var accepted: Decided?
    var rejected: Decided?
  }

  /// What a request comes with.
  private enum Arrangement: CaseIterable {
    case alone, afterRejected, inLanes, twice, twoWindows

    static let inTurn: [Arrangement] = [.alone, .afterRejected, .inLanes, .twice]
  }

  private let engine: any BatchDecryptor
  private var companions: [TestContext: Companions] = [:]
  private var count = 0

  /// Enough for the lanes of every kernel.
  private static let lanes = 8
  private static let moreThanAWindow = 65
  private static let overflowShare = 256
  private static let contextLimit = 64

  /// A check with no earlier requests.
  public init(_ engine: any BatchDecryptor) { self.engine = engine }

  /// What a batch decided otherwise, in words without any content of the token; nil if nothing.
  ///
  /// - Parameters:
  ///   - verdict: the engine's verdict on the input alone.
  ///   - isThorough: tries every arrangement instead of the next one.
  public mutating func contradiction(
    to verdict: Verdict, on input: TestInput, isThorough: Bool = false
  ) -> String? {
    let context = input.context
    guard !context.policy.isUnsigned else { return nil }
    guard context.prelude.isEmpty, context.policy.replay == nil else {
      let results = decide(context.prelude + [input.request], in: context)
      guard results.count == context.prelude.count + 1 else { return Self.lacksVerdicts }
      return Self.difference(results.suffix(1), [verdict])
    }
    count += 1
    let this = Decided(request: input.request, verdict: verdict)
    let known = companions[context] ?? Companions()
    defer { remember(verdict, on: input) }
    let next = count % Self.overflowShare == 0 ? .twoWindows : Arrangement.inTurn[count % Arrangement.inTurn.count]
    for arrangement in isThorough ? Arrangement.allCases : [next] {
      let batch = Self.arrange(this, among: known, arrangement)
      let results = decide(batch.map(\.request), in: context)
      guard results.count == batch.count else { return Self.lacksVerdicts }
      if let found = Self.difference(results[...], batch.map(\.verdict)) { return found }
    }
    return nil
  }

  /// Notes a verdict, so that the request comes along with later ones.
  public mutating func remember(_ verdict: Verdict, on input: TestInput) {
    let decided = Decided(request: input.request, verdict: verdict)
    if companions.count >= Self.contextLimit { companions.removeAll(keepingCapacity: true) }
    switch verdict {
    case .success: companions[input.context, default: Companions()].accepted = decided
    case .failure: companions[input.context, default: Companions()].rejected = decided
    }
  }

  private func decide(_ requests: [[UInt8]], in context: TestContext) -> [Result<DecryptedToken, TokenFault>] {
    engine.decryptBatch(requests, at: context.now, under: context.policy.verificationPolicy())
  }

  private static func arrange(_ this: Decided, among companions: Companions, _ arrangement: Arrangement) -> [Decided] {
    let accepted = [companions.accepted].compactMap(\.self)
    let rejected = [companions.rejected].compactMap(\.self)
    return switch arrangement {
    case .alone: [this]
    case .afterRejected: rejected + [this] + accepted
    case .inLanes: accepted + [this] + repeated(accepted, lanes)
    case .twice: [this] + accepted + [this]
    case .twoWindows: repeated(accepted, moreThanAWindow) + [this]
    }
  }

  private static func repeated(_ decided: [Decided], _ count: Int) -> [Decided] {
    decided.flatMap { Array(repeating: $0, count: count) }
  }

  private static let lacksVerdicts = "not every request of a batch has a verdict"

  /// The first result that is not the verdict on the same request alone.
  private static func difference(
    _ results: ArraySlice<Result<DecryptedToken, TokenFault>>, _ verdicts: [Verdict]
  ) -> String? {
    for (result, verdict) in zip(results, verdicts) {
      let inBatch: Verdict = result.map { .signed($0) }
      guard inBatch != verdict else { continue }
      return "\(Decision(TestVerdict(verdict))) alone, \(Decision(TestVerdict(inBatch))) in a batch"
    }
    return nil
  }
}

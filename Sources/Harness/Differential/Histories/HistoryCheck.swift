import HostIO
import PaymentToken
import Reports
public import TestCases

/// Checks that an engine decides a request among others as it does alone.
///
/// Each request is decided again in a history: between requests that share engines, buffers, lanes or a pool with it.
/// The verdict on each step must be the one on its request alone, with all contents, and no secret may be left in
/// memory afterwards. The companions are the token that the request derives from, the request itself, and earlier
/// requests; they may have another time, policy, keys or roots. Arrangements are chosen so that every pair of choices
/// occurs soon (`HistoryCoverage`).
public struct HistoryCheck {
  /// How many histories each request is decided in.
  public enum Effort: Sendable {
    /// One, among unchanged requests of the same setting, whose verdicts are known.
    case known
    /// One, among requests that may have another time, policy, keys or roots.
    case one
    /// One in each mode, after the token that it derives from or the last accepted one; and further ones.
    case every
    /// The same with many more further ones, for replays of findings.
    case replay

    /// The number of further histories.
    var furtherCount: Int {
      switch self {
      case .known, .one: 1
      case .every: 2
      case .replay: 64
      }
    }
  }

  private let target: any HistoryTarget
  private let arbiter: HistoryArbiter
  private let effort: Effort
  private var random: SplitMix64
  /// The latest accepted and the latest rejected request of a context.
  private var accepted: [TestContext: HistoryStep] = [:]
  private var rejected: [TestContext: HistoryStep] = [:]
  /// Some earlier requests of any context.
  private var others: [HistoryStep] = []
  /// What has been played so far.
  public private(set) var coverage = HistoryCoverage()
  /// The number of histories that the target had too few threads or too little memory to play.
  public private(set) var unplayedCount = 0
  /// Why some were not played, in words; nil if all were.
  package var lack: String? { Self.lack(unplayedCount) }

  /// That a number of histories were not played, in words; nil if the number is 0.
  package static func lack(_ count: Int) -> String? {
    let histories = Text.counted(count, "history", "histories")
    return count > 0 ? "\(histories) not played: allow more threads and memory (ulimit -u, -v)" : nil
  }

  private static let contextLimit = 64
  private static let otherLimit = 32
  /// A pool uses the window as a deadline, in real seconds.
  private static let shortestWindow: UInt32 = 60

  /// - Parameters:
  ///   - target: nil for the fast engine; a test replaces it.
  ///   - seed: chooses the arrangements.
  ///   - preparing: changes each set of keys before an engine uses it.
  package init(
    _ target: (any HistoryTarget)? = nil, effort: Effort, seed: UInt64 = 0, preparing: KeyPreparation? = nil
  ) {
    self.target = target ?? FastHistoryTarget(preparing: preparing)
    arbiter = HistoryArbiter(preparing: preparing)
    self.effort = effort
    random = SplitMix64(seed: seed)
  }

  /// Loads keys and roots for the requests that follow.
  public mutating func begin(_ setting: TestSetting) {
    target.begin(setting)
    arbiter.begin(setting)
    accepted = [:]
    rejected = [:]
    others = []
  }

  /// A history in which a request has another verdict than alone.
  public struct Contradiction: Sendable {
    /// In words, without any content of a token.
    public let text: String
    /// The other requests of the history.
    public let companions: [TestInput]
  }

  /// Plays histories of an input. Returns the first that contradicts a verdict; nil if none does.
  ///
  /// - Parameters:
  ///   - verdict: the engine's verdict on the input alone.
  ///   - origins: the inputs that the request derives from.
  public mutating func contradiction(
    to verdict: Verdict, on input: TestInput, origins: [TestInput] = []
  ) -> Contradiction? {
    defer { remember(verdict, on: input) }
    let this = HistoryStep(input: input, verdict: verdict)
    for arrangement in arrangements(of: verdict, on: input, hasOrigin: !origins.isEmpty) {
      let (steps, isWhole) = steps(of: this, in: arrangement, origins)
      if isWhole { coverage.note(arrangement, HistoryCoverage.stage(TestVerdict(verdict))) }
      guard let text = play(steps) else { continue }
      var companions: [TestInput] = []
      for step in steps where step.input != input && !companions.contains(step.input) { companions.append(step.input) }
      return Contradiction(text: text, companions: companions)
    }
    return nil
  }

  /// Records a verdict, so that the request can be a companion of later ones.
  public mutating func remember(_ verdict: Verdict, on input: TestInput) {
    let decided = HistoryStep(input: input, verdict: verdict)
    if accepted.count + rejected.count >= Self.contextLimit {
      accepted.removeAll(keepingCapacity: true)
      rejected.removeAll(keepingCapacity: true)
    }
    switch verdict {
    case .success: accepted[input.context] = decided
    case .failure: rejected[input.context] = decided
    }
    if others.count < Self.otherLimit {
      others.append(decided)
    } else {
      others[Int(random.next() % UInt64(Self.otherLimit))] = decided
    }
  }

  // MARK: Arrangements

  private mutating func arrangements(of verdict: Verdict, on input: TestInput, hasOrigin: Bool) -> [HistoryArrangement]
  {
    let modes = HistoryMode.allCases.filter { mode in
      if input.context.policy.isUnsigned { return mode.takesUnsigned }
      return mode != .pool || input.context.policy.windowSeconds.map { $0 >= Self.shortestWindow } ?? true
    }
    let stage = HistoryCoverage.stage(TestVerdict(verdict))
    var chosen: [HistoryArrangement] = []
    if effort == .every || effort == .replay {
      chosen = modes.map {
        HistoryArrangement(place: HistoryPlace(mode: $0), companion: hasOrigin ? .origin : .accepted)
      }
      for mode in modes where mode == .batch || mode == .mixedBatch {
        chosen.append(HistoryArrangement(place: HistoryPlace(mode: mode), companion: .rejected, order: .around))
      }
    }
    for _ in 0..<effort.furtherCount {
      var next = coverage.next(modes, stage, hasOrigin: hasOrigin, using: &random)
      if effort == .known { (next.change, next.place.keys, next.place.roots) = (.none, .own, .own) }
      chosen.append(next)
    }
    return chosen
  }

  /// The steps of an arrangement, and whether they are all that it demands: there may be no companion, or no accepted
  /// request to fill with.
  private func steps(
    of this: HistoryStep, in arrangement: HistoryArrangement, _ origins: [TestInput]
  ) -> (steps: [HistoryStep], isWhole: Bool) {
    var place = arrangement.place
    (place.keys, place.roots) = (.own, .own)
    let own = HistoryStep(input: this.input, verdict: this.verdict, place: place)
    let companions = self.companions(of: this, arrangement, origins).compactMap { step($0, in: place, arrangement) }
    let filling = accepted[this.input.context].map { HistoryStep(input: $0.input, verdict: $0.verdict, place: place) }
    let fill = filling.map { Array(repeating: $0, count: arrangement.filling.count) } ?? []
    let steps =
      switch arrangement.order {
      case .before: fill + companions + [own]
      case .after: [own] + companions + fill
      case .around: companions + [own] + companions + fill
      case .twice: [own] + companions + [own] + fill
      }
    let hasCompanion = arrangement.companion == .none || !companions.isEmpty
    return (steps, hasCompanion && fill.count == arrangement.filling.count)
  }

  private func companions(
    of this: HistoryStep, _ arrangement: HistoryArrangement, _ origins: [TestInput]
  ) -> [HistoryStep] {
    switch arrangement.companion {
    case .none: []
    case .origin:
      origins.compactMap { origin in arbiter.verdict(on: origin).map { HistoryStep(input: origin, verdict: $0) } }
    case .same: [this]
    case .accepted: [accepted[this.input.context]].compactMap(\.self)
    case .rejected: [rejected[this.input.context]].compactMap(\.self)
    case .other: others.isEmpty ? [] : [others[arrangement.number % others.count]]
    }
  }

  /// A companion with the changed context, the keys and the roots of an arrangement; nil if its verdict is unknown.
  private func step(_ companion: HistoryStep, in place: HistoryPlace, _ arrangement: HistoryArrangement) -> HistoryStep?
  {
    var place = place
    var input = companion.input
    arrangement.change.apply(to: &input.context)
    (place.keys, place.roots) = (arrangement.place.keys, arrangement.place.roots)
    // The token that a case derives from is valid under the corpus' root, not under a root of the case itself.
    if arrangement.companion == .origin, place.roots == .own, case .failure = companion.verdict {
      place.roots = .corpus
    }
    if input.context.policy.isUnsigned, !place.mode.takesUnsigned { place.mode = .workspace }
    if place.mode == .pool, input.context.policy.windowSeconds.map({ $0 < Self.shortestWindow }) == true {
      place.mode = .mixedBatch
    }
    if input == companion.input, place.keys == .own, place.roots == .own {
      return HistoryStep(input: input, verdict: companion.verdict, place: place)
    }
    return arbiter.verdict(on: input, place.keys, place.roots).map {
      HistoryStep(input: input, verdict: $0, place: place)
    }
  }

  // MARK: Playing

  /// Plays a history. Returns what the target decides differently, in words; nil if nothing.
  private mutating func play(_ steps: [HistoryStep]) -> String? {
    var rest = steps[...]
    while let first = rest.first {
      let together = Self.isAlone(first) ? rest.prefix(1) : rest.prefix { Self.share($0, first) }
      rest = rest.dropFirst(together.count)
      guard let verdicts = target.decide(together.map(\.input), in: first.place) else {
        unplayedCount += 1
        return nil
      }
      guard verdicts.count == together.count else { return "not every request of a history has a verdict" }
      for (verdict, step) in zip(verdicts, together) where verdict != step.verdict {
        return "\(Decision(TestVerdict(step.verdict))) alone, \(Decision(TestVerdict(verdict))) in a history"
      }
      if !target.isWiped { return "secrets are left in memory after a history" }
    }
    return nil
  }

  /// Whether a step has a batch of its own: a batch with one policy has one replay store.
  private static func isAlone(_ step: HistoryStep) -> Bool {
    step.place.mode == .batch && step.input.context.policy.replay != nil
  }

  /// Whether two steps are decided together.
  private static func share(_ step: HistoryStep, _ first: HistoryStep) -> Bool {
    step.place == first.place && (step.place.mode != .batch || step.input.context == first.input.context)
  }
}

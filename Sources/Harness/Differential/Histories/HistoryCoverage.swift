import HostIO
import PaymentToken
import TestCases

/// How a request is combined with others.
struct HistoryArrangement: Hashable {
  /// What comes with the request.
  enum Companion: Int, CaseIterable { case none, origin, same, accepted, rejected, other }
  /// Where the companions are.
  enum Order: Int, CaseIterable { case before, after, around, twice }
  /// Copies of an accepted token: none, enough for the lanes, or enough for two windows of a batch.
  enum Filling: Int, CaseIterable {
    case none, lanes, window

    var count: Int { [0, 8, 65][rawValue] }
  }
  /// The change of the companions' context.
  enum Change: Int, CaseIterable {
    case none, anHourLater, thirtyYearsLater, windowOff, signingTime, currency, replayStore, unsigned, automatic

    func apply(to context: inout TestContext) {
      switch self {
      case .none: break
      case .anHourLater: context.now = context.now.advanced(by: 3_600)
      case .thirtyYearsLater: context.now = context.now.advanced(by: 946_728_000)
      case .windowOff: context.policy.freshness = .windowOff
      case .signingTime: context.policy.freshness = .signingTime
      case .currency: context.policy.expectations.currencyCode = "999"
      case .replayStore: context.policy.freshness = .window(seconds: 300, replay: .capacity(8))
      case .unsigned: context.policy.isUnsigned = true
      case .automatic: context.policy.envelope = .automatic
      }
    }
  }

  /// The place of the request, but with the keys and roots of the companions.
  var place = HistoryPlace()
  var companion = Companion.none
  var order = Order.before
  var filling = Filling.none
  var change = Change.none
  /// Selects one of many companions; not a dimension.
  var number = 0

  /// The choices as numbers, in the order of `HistoryCoverage.dimensions`, with the stage that decides the request.
  func values(_ stage: Int) -> [Int] {
    [
      place.mode.rawValue, place.engine.rawValue, place.workspace, companion.rawValue, order.rawValue,
      filling.rawValue, change.rawValue, place.keys.rawValue, place.roots.rawValue, stage,
    ]
  }
}

/// The pairs of choices that occurred together in a history: a covering array of strength 2, made greedily. Of several
/// random arrangements, the one with most new pairs is played next.
public struct HistoryCoverage: Sendable {
  /// The stage of an accepted request.
  static let acceptance = VerificationStage.allCases.count

  /// The stage that decided; `acceptance` if none refused.
  static func stage(_ verdict: TestVerdict) -> Int { verdict.fault?.stage.rawValue ?? acceptance }

  /// The name and the number of choices of each dimension.
  static let dimensions: [(name: String, count: Int)] = [
    ("mode", HistoryMode.allCases.count), ("engine", HistoryEngine.allCases.count), ("workspace", 2),
    ("companion", HistoryArrangement.Companion.allCases.count), ("order", HistoryArrangement.Order.allCases.count),
    ("filling", HistoryArrangement.Filling.allCases.count), ("change", HistoryArrangement.Change.allCases.count),
    ("keys", HistoryKeys.allCases.count), ("roots", HistoryRoots.allCases.count), ("stage", acceptance + 1),
  ]

  /// Two dimensions and their values, a byte each.
  private var seen: Set<Int> = []
  /// The number of histories, without those that lacked a companion or an accepted request to fill with.
  public private(set) var count = 0
  private static let candidates = 12

  /// The pairs of choices of different dimensions, and their words.
  private static let pairs: [(pair: Int, words: String)] = dimensions.indices.flatMap { first in
    dimensions.indices.dropFirst(first + 1).flatMap { second in
      (0..<dimensions[first].count).flatMap { a in
        (0..<dimensions[second].count).map { b in
          (pair(first, a, second, b), "\(dimensions[first].name) \(a), \(dimensions[second].name) \(b)")
        }
      }
    }
  }

  /// The number of histories and of pairs, in words, and the first pairs that did not occur.
  public var summary: String {
    let missing = Self.pairs.filter { !seen.contains($0.pair) }.prefix(5).map(\.words)
    return "\(count) histories with \(seen.count) of \(Self.pairs.count) pairs of choices"
      + (missing.isEmpty ? "" : ", without \(missing.joined(separator: "; "))")
  }

  mutating func note(_ arrangement: HistoryArrangement, _ stage: Int) {
    count += 1
    Self.forEachPair(of: arrangement.values(stage)) { seen.insert($0) }
  }

  func next(
    _ modes: [HistoryMode], _ stage: Int, hasOrigin: Bool, using random: inout SplitMix64
  ) -> HistoryArrangement {
    var best = HistoryArrangement()
    var most = -1
    for _ in 0..<Self.candidates {
      let candidate = Self.random(modes, hasOrigin: hasOrigin, using: &random)
      var gain = 0
      Self.forEachPair(of: candidate.values(stage)) { if !seen.contains($0) { gain += 1 } }
      if gain > most { (best, most) = (candidate, gain) }
      // No pair is left.
      if gain == 0, seen.count == Self.pairs.count { break }
    }
    return best
  }

  private static func random(
    _ modes: [HistoryMode], hasOrigin: Bool, using random: inout SplitMix64
  ) -> HistoryArrangement {
    func pick<Choice: CaseIterable>(_ type: Choice.Type) -> Choice {
      let all = Array(type.allCases)
      return all[Int(random.next() % UInt64(all.count))]
    }
    var arrangement = HistoryArrangement()
    arrangement.place.mode = modes.randomElement(using: &random) ?? .workspace
    arrangement.place.engine = pick(HistoryEngine.self)
    arrangement.place.workspace = Int(random.next() % 2)
    arrangement.companion = pick(HistoryArrangement.Companion.self)
    if arrangement.companion == .origin, !hasOrigin { arrangement.companion = .accepted }
    arrangement.order = pick(HistoryArrangement.Order.self)
    // Rare, because it adds 65 requests.
    arrangement.filling = random.next() % 48 == 0 ? .window : random.next() % 4 == 0 ? .lanes : .none
    // Each of these stays as it is in at least half of the histories.
    if random.next() % 2 == 0 { arrangement.change = pick(HistoryArrangement.Change.self) }
    if random.next() % 2 == 0 { arrangement.place.keys = pick(HistoryKeys.self) }
    if random.next() % 4 == 0 { arrangement.place.roots = pick(HistoryRoots.self) }
    arrangement.number = Int(random.next() >> 33)
    return arrangement
  }

  private static func forEachPair(of values: [Int], _ body: (Int) -> Void) {
    for first in values.indices {
      for second in (first + 1)..<values.count { body(pair(first, values[first], second, values[second])) }
    }
  }

  private static func pair(_ first: Int, _ a: Int, _ second: Int, _ b: Int) -> Int {
    ((first << 8 | second) << 8 | a) << 8 | b
  }
}

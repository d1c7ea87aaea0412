public import TestCases

/// The samples that mutations start from, and the features seen so far.
public struct LoopCorpus: Sendable {
  public private(set) var entries: [TestInput] = []
  private var accepted: [Int] = []
  private var deep: [Int] = []
  private var seen: Set<UInt64> = []
  /// The coverage features seen so far; empty unless this is a coverage build.
  package private(set) var coverage = CoverageMap()

  public init() {}

  /// The number of distinct features seen.
  public var featureCount: Int { seen.count + coverage.featureCount }

  /// Whether a structural feature was seen before.
  func knows(_ feature: UInt64) -> Bool { seen.contains(feature) }

  /// Adds features. Returns whether any of them was new.
  mutating func learn(_ features: [UInt64], _ coverage: [CoverageFeature]) -> Bool {
    var isNew = false
    for feature in features where seen.insert(feature).inserted { isNew = true }
    for feature in coverage where self.coverage.insert(feature) { isNew = true }
    return isNew
  }

  mutating func append(_ sample: TestInput, _ kept: FuzzLoop.Kept) {
    if kept.isAccepted { accepted.append(entries.count) }
    if kept.stage >= .chain { deep.append(entries.count) }
    entries.append(sample)
  }

  /// Adds a sample that another loop kept; false if it has no new feature.
  public mutating func absorb(_ sample: TestInput, _ kept: FuzzLoop.Kept) -> Bool {
    guard learn(kept.features, kept.coverage) else { return false }
    append(sample, kept)
    return true
  }

  /// Picks a parent: half of the time an accepted sample, a quarter of the time one that reaches the certificate chain,
  /// else any; each time with probability one half among the last 128.
  func pick(using random: inout QuickGenerator) -> TestInput? {
    let list = random.chance(2) ? accepted : random.chance(2) ? deep : []
    if let index = pickIndex(list.count, using: &random) { return entries[list[index]] }
    return pickIndex(entries.count, using: &random).map { entries[$0] }
  }

  private func pickIndex(_ count: Int, using random: inout QuickGenerator) -> Int? {
    guard count > 0 else { return nil }
    let recent = 128
    return random.chance(2) && count > recent ? count - 1 - random.below(recent) : random.below(count)
  }
}

/// Chooses mutations at random, weighted by their yield.
///
/// The yield of a mutation is the share of its executions whose sample was kept, with a prior of 20% and exponential
/// decay, so that recent results count more. It multiplies the weight of a mutation by 0.25...2: no mutation starves.
struct MutationChoice {
  private var executions: [Double]
  private var kept: [Double]
  private var weights: [Double] = []
  private var age = 0
  private let excluded: Set<String>

  /// The prior yield of a mutation.
  private static let prior = 0.2
  /// After how many choices the weights are computed again.
  private static let refresh = 256

  init(excluding excluded: Set<String>) {
    self.excluded = excluded
    executions = Mutation.all.map { _ in 10 }
    kept = Mutation.all.map { _ in 10 * Self.prior }
    weigh()
  }

  private mutating func weigh() {
    weights = Mutation.all.indices.map { index in
      guard !excluded.contains(Mutation.all[index].name) else { return 0 }
      // The prior gives the factor 1.
      return Mutation.all[index].weight * min(2, max(0.25, kept[index] / executions[index] * 5))
    }
  }

  mutating func pick(using random: inout QuickGenerator) -> Int {
    age += 1
    if age.isMultiple(of: Self.refresh) { weigh() }
    return pick(weights, using: &random)
  }

  /// Picks the mutations of one step: one, two of one layer, or several of any. Three times of five it adds one or two
  /// that respell what the others changed.
  mutating func picks(using random: inout QuickGenerator) -> [Int] {
    var picks = [pick(using: &random)]
    switch random.below(8) {
    case 0, 1: picks.append(pick(of: Mutation.all[picks[0]].layer, using: &random))
    case 2: picks.append(pick(using: &random))
    case 3: for _ in 0..<random.pick([2, 3]) { picks.append(pick(using: &random)) }
    default: break
    }
    let layer = picks.map { Mutation.all[$0].layer }.min() ?? .payload
    let candidates = weights.indices.map {
      Self.respellings.contains($0) && Mutation.all[$0].layer >= layer ? weights[$0] : 0
    }
    guard let nearest = Self.respellings.first(where: { candidates[$0] > 0 }) else { return picks }
    // The nearest is the innermost respelling at or outside the changed layer.
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) {
      picks.append(random.chance(2) ? nearest : pick(candidates, using: &random))
    }
    return picks
  }

  /// The mutations that respell what others changed, innermost layer first.
  private static let respellings = Mutation.all.indices.filter {
    Mutation.all[$0].isRespelling || [Mutation.wrappers, .envelopes].map(\.name).contains(Mutation.all[$0].name)
  }

  private func pick(of layer: Layer, using random: inout QuickGenerator) -> Int {
    pick(weights.indices.map { Mutation.all[$0].layer == layer ? weights[$0] : 0 }, using: &random)
  }

  private func pick(_ weights: [Double], using random: inout QuickGenerator) -> Int {
    var place = Double(random.next() >> 11) * 0x1p-53 * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      place -= weight
      if place < 0 { return index }
    }
    return 0
  }

  mutating func note(_ mutations: [Int], isKept: Bool) {
    for index in mutations {
      // Decay: old results count less.
      executions[index] = executions[index] * 0.999 + 1
      kept[index] = kept[index] * 0.999 + (isKept ? 1 : 0)
    }
  }
}

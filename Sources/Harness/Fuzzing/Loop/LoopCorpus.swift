import PaymentToken
public import TestCases

/// The samples that a loop starts mutations from, and what was seen already.
public struct LoopCorpus: Sendable {
  /// A sample and how deep it goes.
  public struct Entry: Sendable {
    public let sample: TestInput
    /// The stage that decided.
    public let stage: VerificationStage
    public let isAccepted: Bool
  }

  public private(set) var entries: [Entry] = []
  private var accepted: [Int] = []
  private var deep: [Int] = []
  private var seen: Set<UInt64> = []

  public init() {}

  /// How many different features were seen.
  public var featureCount: Int { seen.count }

  /// Whether any of these is new; they are known from now on.
  mutating func learn(_ features: [UInt64]) -> Bool {
    var isNew = false
    for feature in features where seen.insert(feature).inserted { isNew = true }
    return isNew
  }

  mutating func append(_ kept: FuzzLoop.Kept<TestInput>) {
    if kept.isAccepted { accepted.append(entries.count) }
    if kept.stage >= .chain { deep.append(entries.count) }
    entries.append(Entry(sample: kept.sample, stage: kept.stage, isAccepted: kept.isAccepted))
  }

  /// Takes in what another loop kept; false where nothing about it is new any more.
  public mutating func absorb(_ kept: FuzzLoop.Kept<TestInput>) -> Bool {
    guard learn(kept.features) else { return false }
    append(kept)
    return true
  }

  /// A sample to start from: most often one that goes deep, and a new one rather than an old.
  func pick(using random: inout QuickGenerator) -> Entry? {
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

/// Chooses mutations: those that find something new more often, none never.
struct MutationChoice {
  private var executions: [Double]
  private var kept: [Double]
  private var weights: [Double] = []
  private var total = 0.0
  private var age = 0
  private let excluded: Set<String>

  /// What a mutation is worth before anything is known of it.
  private static let prior = 0.2
  /// How often weights are taken anew.
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
      // Four times as often at most, a quarter as often at least.
      return min(2, max(0.25, kept[index] / executions[index] * 5))
    }
    total = weights.reduce(0, +)
  }

  mutating func pick(using random: inout QuickGenerator) -> Int {
    age += 1
    if age.isMultiple(of: Self.refresh) { weigh() }
    var place = Double(random.next() >> 11) * 0x1p-53 * total
    for (index, weight) in weights.enumerated() {
      place -= weight
      if place < 0 { return index }
    }
    return 0
  }

  mutating func note(_ mutations: [Int], isKept: Bool) {
    for index in mutations {
      // What was long ago counts less.
      executions[index] = executions[index] * 0.999 + 1
      kept[index] = kept[index] * 0.999 + (isKept ? 1 : 0)
    }
  }
}

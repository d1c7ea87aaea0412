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

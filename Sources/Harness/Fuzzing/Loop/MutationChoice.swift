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

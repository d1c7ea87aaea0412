public import PaymentToken

/// The counters of a loop as plain numbers, so that those of several workers can be added.
public struct LoopStatistics: Equatable, Sendable {
  /// All counters: those of `Counter`, then by stage, by mutation.
  public private(set) var numbers: [Int]

  public enum Counter: Int, CaseIterable, Sendable {
    /// Samples that both engines decided.
    case executions
    /// Samples for which a rewriting was chosen, including those to which it does not apply.
    case rewritings
    /// Samples accepted by both engines.
    case accepted
    /// Total processor time, in microseconds.
    case microseconds
    /// Histories that could not be played (`HistoryCheck.unplayedCount`).
    case unplayedHistories
  }

  /// The counters of a mutation.
  public struct Yield: Sendable {
    public let mutation: Mutation
    public let executions: Int
    public let kept: Int
    /// Samples by the stage that decided; accepted ones count at the last stage.
    public let stages: [Int]

    /// The stage at which at least 95% of its samples end: such a mutation tests little. Nil if there is no such stage,
    /// if it is the last one, and for fewer than 200 samples.
    public var deadEnd: (stage: Int, share: Double)? {
      guard executions >= 200, let most = stages.indices.max(by: { stages[$0] < stages[$1] }), most < 14 else {
        return nil
      }
      let share = Double(stages[most]) / Double(executions)
      return share >= 0.95 ? (most, share) : nil
    }
  }

  private static let stageCount = VerificationStage.allCases.count
  private static let stagesStart = Counter.allCases.count
  private static let mutationsStart = stagesStart + stageCount
  private static let mutationSize = 2 + stageCount
  private static var size: Int { mutationsStart + Mutation.all.count * mutationSize }

  public init() {
    numbers = [Int](repeating: 0, count: Self.size)
  }

  /// Numbers of another process or of an earlier run; nil if there are more or fewer than here.
  public init?(numbers: [Int]) {
    guard numbers.count == Self.size else { return nil }
    self.numbers = numbers
  }

  public subscript(counter: Counter) -> Int {
    get { numbers[counter.rawValue] }
    set { numbers[counter.rawValue] = newValue }
  }

  /// Samples by the stage that decided; accepted ones count at the last stage.
  public var stages: [Int] { Array(numbers[Self.stagesStart..<Self.mutationsStart]) }

  /// The counters of each mutation.
  public var yields: [Yield] {
    Mutation.all.enumerated().map { index, mutation in
      let start = Self.mutationsStart + index * Self.mutationSize
      return Yield(
        mutation: mutation, executions: numbers[start], kept: numbers[start + 1],
        stages: Array(numbers[start + 2..<start + Self.mutationSize]))
    }
  }

  /// The share of samples that reached this stage.
  public func share(reaching stage: VerificationStage) -> Double {
    let executions = self[.executions]
    return executions > 0 ? Double(stages[stage.rawValue...].reduce(0, +)) / Double(executions) : 0
  }

  public mutating func add(_ other: LoopStatistics) {
    for index in numbers.indices { numbers[index] += other.numbers[index] }
  }

  /// The difference from an earlier state.
  func since(_ earlier: LoopStatistics) -> LoopStatistics {
    var difference = self
    for index in numbers.indices { difference.numbers[index] -= earlier.numbers[index] }
    return difference
  }

  mutating func note(_ verdict: Result<SignedOrUnsignedToken, TokenFault>, by mutations: [Int], isKept: Bool) {
    self[.executions] += 1
    var stage = VerificationStage.expectations.rawValue
    switch verdict {
    case .success: self[.accepted] += 1
    case .failure(let fault): stage = fault.stage.rawValue
    }
    numbers[Self.stagesStart + stage] += 1
    for mutation in mutations {
      let start = Self.mutationsStart + mutation * Self.mutationSize
      numbers[start] += 1
      if isKept { numbers[start + 1] += 1 }
      numbers[start + 2 + stage] += 1
    }
  }
}

public import PaymentToken

/// What a loop did, as plain numbers: those of several workers are added up.
public struct LoopStatistics: Equatable, Sendable {
  /// In the order in which `Counter` and the rest lay them out.
  public private(set) var numbers: [Int]

  public enum Counter: Int, CaseIterable, Sendable {
    /// Samples put to both engines.
    case executions
    /// Samples kept for the corpus.
    case kept
    /// Samples written otherwise and asked again.
    case rewritings
    /// Samples accepted by both engines.
    case accepted
    /// Processor time in microseconds, all of it.
    case microseconds
    /// The same, within the engines alone.
    case engineMicroseconds
  }

  /// What is counted of each mutation.
  public struct Yield: Equatable, Sendable {
    public let mutation: Mutation
    public let executions: Int
    public let kept: Int
    /// How many ended at each stage; those accepted at the last.
    public let stages: [Int]

    public static func == (left: Yield, right: Yield) -> Bool {
      left.mutation.name == right.mutation.name && left.executions == right.executions && left.kept == right.kept
        && left.stages == right.stages
    }

    /// The stage that nearly all of them end in, where there is one: such a mutation tells little.
    public var deadEnd: (stage: Int, share: Double)? {
      guard executions >= 200, let most = stages.indices.max(by: { stages[$0] < stages[$1] }), most < 14 else {
        return nil
      }
      let share = Double(stages[most]) / Double(executions)
      return share >= 0.95 ? (most, share) : nil
    }
  }

  private static let stageCount = VerificationStage.allCases.count
  private static let codes = TokenFault.Code.allCases
  private static let stagesStart = Counter.allCases.count
  private static let codesStart = stagesStart + stageCount
  private static let mutationsStart = codesStart + codes.count
  private static let mutationSize = 2 + stageCount
  private static var size: Int { mutationsStart + Mutation.all.count * mutationSize }

  public init() {
    numbers = [Int](repeating: 0, count: Self.size)
  }

  /// Those of another process, or of an earlier run; nil where they are laid out otherwise.
  public init?(numbers: [Int]) {
    guard numbers.count == Self.size else { return nil }
    self.numbers = numbers
  }

  public subscript(counter: Counter) -> Int {
    get { numbers[counter.rawValue] }
    set { numbers[counter.rawValue] = newValue }
  }

  /// How many ended at each stage; those accepted at the last.
  public var stages: [Int] { Array(numbers[Self.stagesStart..<Self.codesStart]) }

  /// Rejections by code, the most frequent first.
  public var rejections: [(code: TokenFault.Code, count: Int)] {
    Self.codes.enumerated().map { ($0.element, numbers[Self.codesStart + $0.offset]) }.filter { $0.1 > 0 }
      .sorted { $0.1 > $1.1 }
  }

  /// What each mutation brought.
  public var yields: [Yield] {
    Mutation.all.enumerated().map { index, mutation in
      let start = Self.mutationsStart + index * Self.mutationSize
      return Yield(
        mutation: mutation, executions: numbers[start], kept: numbers[start + 1],
        stages: Array(numbers[start + 2..<start + Self.mutationSize]))
    }
  }

  /// The share of samples that ended at this stage or behind it.
  public func share(reaching stage: VerificationStage) -> Double {
    let executions = self[.executions]
    return executions > 0 ? Double(stages[stage.rawValue...].reduce(0, +)) / Double(executions) : 0
  }

  public mutating func add(_ other: LoopStatistics) {
    for index in numbers.indices { numbers[index] += other.numbers[index] }
  }

  /// What was counted since an earlier state.
  func since(_ earlier: LoopStatistics) -> LoopStatistics {
    var difference = self
    for index in numbers.indices { difference.numbers[index] -= earlier.numbers[index] }
    return difference
  }

  /// Counts one sample.
  mutating func note(_ verdict: Result<TokenUnderUnsignedPolicy, TokenFault>, by mutations: [Int], isKept: Bool) {
    self[.executions] += 1
    if isKept { self[.kept] += 1 }
    var stage = VerificationStage.expectations.rawValue
    switch verdict {
    case .success: self[.accepted] += 1
    case .failure(let fault):
      stage = fault.stage.rawValue
      if let index = Self.codes.firstIndex(of: fault.code) { numbers[Self.codesStart + index] += 1 }
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

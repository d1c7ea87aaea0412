public import TestCases

/// What came of a run.
public struct RunReport: Sendable {
  public let strictness: Strictness
  /// How many tests there were.
  public let testCount: Int
  /// The engines first, then the externals, each in the order given.
  public let scores: [Score]
  /// The worst first.
  public let findings: [Finding]
  /// Seconds.
  public let duration: Double
  /// Whether it was broken off before all tests were through.
  public let isInterrupted: Bool

  /// Those that nothing can be said about: externals that decided nothing, or engines where there are no externals.
  public var undecided: [Score] {
    let externals = scores.filter { !$0.isEngine }
    return (externals.isEmpty ? scores : externals).filter { $0.tally.decided == 0 }
  }
}

/// How many tests held, did not, or could not be asked.
public struct Tally: Hashable, Sendable {
  public private(set) var passed = 0
  public private(set) var unsupported = 0
  public private(set) var notAsked = 0
  /// How many findings of each kind.
  public private(set) var kinds: [Assessment.Kind: Int] = [:]

  public init() {}

  public var findings: Int { kinds.values.reduce(0, +) }
  /// How many count for or against.
  public var decided: Int { passed + findings }

  public mutating func add(_ assessment: Assessment) {
    switch assessment {
    case .passed: passed += 1
    case .unsupported: unsupported += 1
    case .notAsked: notAsked += 1
    case .finding(let kind): kinds[kind, default: 0] += 1
    }
  }
}

/// How a contender did.
public struct Score: Sendable {
  public let name: String
  public let isEngine: Bool
  /// The command line of an external.
  public let command: String?
  public internal(set) var identity: ExternalIdentity?
  public internal(set) var tally = Tally()
  /// By flag; a test counts for each of its flags.
  public internal(set) var flags: [String: Tally] = [:]
  /// One for each test, in their order: where it comes from, its name, what it was worth.
  public internal(set) var records: [Record] = []
  /// What else there is to say: how its processes ended.
  public internal(set) var remarks: [String] = []
  /// How often an external was started after a failure.
  public internal(set) var restarts = 0
  /// Whether it failed too often to be asked again.
  public internal(set) var isGivenUp = false
  /// Whether there is no such program, or none that can be run.
  public internal(set) var couldNotRun = false

  /// One test's outcome.
  public struct Record: Sendable {
    public let source: String
    /// Its id, and its name where it has one.
    public let title: String
    public let assessment: Assessment
    /// What it said, where it did not hold.
    public let decision: Decision?
  }

  mutating func add(_ assessment: Assessment, of decision: Decision, on test: TestCase) {
    tally.add(assessment)
    for flag in test.flags { flags[flag, default: Tally()].add(assessment) }
    records.append(
      Record(
        source: test.source, title: test.title, assessment: assessment, decision: assessment == .passed ? nil : decision))
  }

  mutating func remark(_ text: String) {
    if !remarks.contains(text) { remarks.append(text) }
  }
}

/// A contender that does not say what it must.
public struct Finding: Sendable {
  /// The contender's place among the scores.
  public let contender: Int
  public let kind: Assessment.Kind
  public let setting: TestSetting
  /// With the right answer, by the vector or by the first engine.
  public let test: TestCase
  public let decision: Decision
  /// The end of what an external wrote to its standard error when it failed.
  public let lastWords: [String]
}

extension TestVerdict {
  /// In a report: nothing of the plaintext in it.
  package var outcome: String {
    if case .reject(let fault) = self { "rejected \(fault.code.rawValue)" } else { "accepted" }
  }
}

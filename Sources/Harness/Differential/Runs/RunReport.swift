public import TestCases

/// The results of a run.
public struct RunReport: Sendable {
  public let strictness: Strictness
  /// The number of tests that were run.
  public let testCount: Int
  /// The engines first, then the externals, each in the order given.
  public let scores: [Score]
  /// The findings, the most severe first.
  public let findings: [Finding]
  /// The duration, in seconds.
  public let duration: Double
  /// Whether it was interrupted before all tests were run.
  public let isInterrupted: Bool

  /// The contenders under test that decided nothing: externals, or engines if there are no externals.
  public var undecided: [Score] {
    let externals = scores.filter { !$0.isEngine }
    return (externals.isEmpty ? scores : externals).filter { $0.tally.decided == 0 }
  }
}

/// Counts of assessments.
public struct Tally: Hashable, Sendable {
  public private(set) var passed = 0
  public private(set) var unsupported = 0
  public private(set) var notAsked = 0
  /// The number of findings of each kind.
  public private(set) var kinds: [Assessment.Kind: Int] = [:]

  public init() {}

  public var findings: Int { kinds.values.reduce(0, +) }
  /// The number of tests that passed or failed.
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

/// The results of a contender.
public struct Score: Sendable {
  public let name: String
  public let isEngine: Bool
  /// The command line of an external.
  public let command: String?
  public internal(set) var identity: ExternalIdentity?
  public internal(set) var tally = Tally()
  /// Counts by flag; a test counts for each of its flags.
  public internal(set) var flags: [String: Tally] = [:]
  /// One record per test, in order.
  public internal(set) var records: [Record] = []
  /// Remarks about how its processes ended.
  public internal(set) var remarks: [String] = []
  /// How often an external was restarted after a failure.
  public internal(set) var restarts = 0
  /// Whether it failed so often that tests were skipped.
  public internal(set) var isGivenUp = false
  /// Whether the program does not exist or cannot be executed.
  public internal(set) var couldNotRun = false

  /// The outcome of one test.
  public struct Record: Sendable {
    public let source: String
    /// The test's id, and its name if it has one.
    public let title: String
    public let assessment: Assessment
    /// The decision, unless it passed.
    public let decision: Decision?
  }

  mutating func add(_ assessment: Assessment, of decision: Decision, on test: TestCase) {
    tally.add(assessment)
    for flag in test.flags { flags[flag, default: Tally()].add(assessment) }
    let kept = assessment == .passed ? nil : decision
    records.append(Record(source: test.source, title: test.title, assessment: assessment, decision: kept))
  }

  mutating func remark(_ text: String) {
    if !remarks.contains(text) { remarks.append(text) }
  }
}

/// A wrong or missing decision of a contender.
public struct Finding: Sendable {
  /// The index of the contender in the scores.
  public let contender: Int
  public let kind: Assessment.Kind
  public let setting: TestSetting
  /// The test with its expected verdict, by the vector or by the first engine.
  public let test: TestCase
  public let decision: Decision
  /// The last lines of an external's standard error, after a failure.
  public let lastWords: [String]
}

extension TestVerdict {
  /// The verdict for reports, without the plaintext.
  package var outcome: String {
    if case .reject(let fault) = self { "rejected \(fault.code.rawValue)" } else { "accepted" }
  }
}

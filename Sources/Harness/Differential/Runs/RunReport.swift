public import TestCases

/// The results of a run.
public struct RunReport: Sendable {
  public let strictness: Strictness
  /// Which findings fail the run.
  public let gate: Gate
  /// The number of tests that were run by all contenders.
  public let testCount: Int
  /// The number of tests that the run had; after an interrupt more than were run.
  public let plannedCount: Int
  /// The engines first, then the externals, each in the order given.
  public let scores: [Score]
  /// The findings, the most severe first.
  public let findings: [Finding]
  /// The duration, in seconds.
  public let duration: Double
  /// Whether it was interrupted before all tests were run.
  public var isInterrupted: Bool { testCount < plannedCount }

  /// The findings that fail the run.
  public var failing: [Finding] { findings.filter(fails) }

  /// Whether a finding fails the run.
  func fails(_ finding: Finding) -> Bool {
    scores[finding.contender].isEngine || (finding.severity <= gate.level && waiver(for: finding) == nil)
  }

  /// The waiver for a finding about an external program; nil if there is none.
  func waiver(for finding: Finding) -> Waiver? {
    scores[finding.contender].isEngine ? nil : gate.waivers.first { $0.covers(finding.test) }
  }

  /// The findings about external programs that a waiver covers.
  public var waived: [Finding] { findings.filter { waiver(for: $0) != nil } }

  /// The waivers that cover no finding.
  public var staleWaivers: [Waiver] {
    gate.waivers.filter { waiver in !findings.contains { waiver.covers($0.test) } }
  }

  /// The contenders under test that decided nothing: externals, or engines if there are no externals.
  public var undecided: [Score] {
    let externals = scores.filter { !$0.isEngine }
    return (externals.isEmpty ? scores : externals).filter { $0.tally.decided == 0 || $0.isSilent }
  }
}

/// Counts of assessments.
public struct Tally: Hashable, Sendable {
  public private(set) var passed = 0
  /// The number of tests with the assessment `acceptable`.
  public private(set) var acceptable = 0
  public private(set) var unsupported = 0
  public private(set) var notAsked = 0
  /// The number of findings of each kind.
  public private(set) var kinds: [Assessment.Kind: Int] = [:]

  public init() {}

  public var findings: Int { kinds.values.reduce(0, +) }
  /// The number of tests that passed, are acceptable or are findings.
  public var decided: Int { passed + acceptable + findings }
  /// The number of tests without a valid answer: crashes, time-outs and violations of the protocol.
  public var unanswered: Int { Assessment.Kind.allCases.filter(\.isFailure).reduce(0) { $0 + (kinds[$1] ?? 0) } }
  /// The number of tests that were answered with a verdict.
  public var verdicts: Int { decided - unanswered - (kinds[.error] ?? 0) - (kinds[.declined] ?? 0) }

  public mutating func add(_ assessment: Assessment) {
    switch assessment {
    case .passed: passed += 1
    case .acceptable: acceptable += 1
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
  public var command: String? { isEngine ? nil : name }
  public let identity: ExternalIdentity?
  public private(set) var tally = Tally()
  /// Counts by flag; a test counts for each of its flags.
  public private(set) var flags: [String: Tally] = [:]
  /// The number of findings of each severity.
  public private(set) var severities: [Standing.Severity: Int] = [:]
  /// What the tests show of each pattern.
  public private(set) var evidence: [Pattern: Evidence] = [:]
  /// Of the sound tokens, those that it accepted, with the right plaintext.
  public private(set) var sound = Evidence()
  /// The findings about sound tokens, by kind.
  private(set) var soundFindings: [Assessment.Kind: Int] = [:]
  /// How often it accepted a token without a plaintext that was asked for.
  private(set) var missingPlaintexts = 0
  /// The first reason that it gave for refusing a sound token, in its own words.
  private(set) var firstRefusal: String?
  /// How many plaintexts had the right members in other bytes.
  public private(set) var rewritten = 0
  /// Of the forgeries that it was given, those that it refused. A crash or a missing answer is no refusal.
  public private(set) var forged = Evidence()
  /// The names of the forgeries that it accepted.
  public private(set) var acceptedForgeries: [String] = []
  /// The features that its unsupported tests need and that it does not claim, with the number of these tests.
  public private(set) var lacking: [String: Int] = [:]
  /// Whether the run included all tests of a suite.
  public let isOfWholeSuite: Bool
  /// The tests that it answered in time only when it was asked again.
  public let lateAnswers: [String]
  /// One record per test, in order.
  public let records: [Record]
  /// How many tests an interrupt left without a record.
  public let notReached: Int
  /// Remarks about how its processes ended.
  public let remarks: [String]
  /// How often an external was ended after a failure.
  public let restarts: Int
  /// How many tests were skipped because it had failed too often in a row.
  public let skipped: Int
  /// Whether it failed so often that the remaining tests were skipped.
  public let isGivenUp: Bool
  /// Whether the program does not exist or cannot be executed.
  public let couldNotRun: Bool

  /// How many tests were skipped after failures or not reached.
  var notRun: Int { tally.notAsked + notReached }

  /// Whether it is an external that was given tests and answered none, not even `hello`.
  public var isSilent: Bool { !isEngine && identity == nil && tally.decided > 0 && tally.unanswered == tally.decided }

  /// The outcome of one test.
  public struct Record: Sendable {
    /// The test as it applies to the contender.
    public let test: TestCase
    /// The verdict by the vector or by the first engine.
    let expected: TestVerdict?
    public internal(set) var decision: Decision
    public internal(set) var assessment: Assessment
    /// The last lines of an external's standard error, after a failure.
    let lastWords: [String]
    /// Why it refused the token, in its own words.
    let reason: String?
    /// What the test needs and the contender does not claim to support.
    public let lacking: [String]
    /// The finding, if it is one.
    var finding: Finding?
  }

  init(_ contender: any Contender, records: [Record], remarks: [String], planned: Int, isWholeSuite: Bool) {
    let external = contender as? ExternalContender
    name = external?.program.command ?? contender.name
    isEngine = external == nil
    identity = external?.identity
    lateAnswers = external?.lateAnswers ?? []
    restarts = external?.restarts ?? 0
    skipped = external?.skipped ?? 0
    isGivenUp = external?.isGivenUp ?? false
    couldNotRun = external?.couldNotRun ?? false
    self.records = records
    self.remarks = remarks
    notReached = planned - records.count
    isOfWholeSuite = isWholeSuite && records.count == planned
    for record in records { add(record) }
  }

  private mutating func add(_ record: Record) {
    let (assessment, test) = (record.assessment, record.test)
    tally.add(assessment)
    if assessment == .finding(.refusedSound), firstRefusal == nil { firstRefusal = record.reason }
    if assessment == .finding(.wrongPlaintext), case .accepted(nil, _) = record.decision { missingPlaintexts += 1 }
    if assessment == .acceptable, test.expected?.isAccepted == true, !record.decision.isRejection { rewritten += 1 }
    learn(from: assessment, on: test)
    for flag in test.flags { flags[flag, default: Tally()].add(assessment) }
    for feature in record.lacking { lacking[feature, default: 0] += 1 }
  }

  /// Records what a decided test shows.
  private mutating func learn(from assessment: Assessment, on test: TestCase) {
    let isRight: Bool
    switch assessment {
    case .passed, .acceptable: isRight = true
    case .finding(let kind):
      severities[Finding.severity(of: kind, on: test), default: 0] += 1
      isRight = kind == .wrongCode
    case .unsupported, .notAsked: return
    }
    if test.expected?.isAccepted == false, test.standing?.isForgery == true {
      forged.add(isRight)
      if assessment == .finding(.accepted) { acceptedForgeries.append(test.name.isEmpty ? test.id : test.name) }
    }
    if assessment == .finding(.error) || assessment == .finding(.declined) { return }
    for pattern in Pattern.allCases where pattern.concerns(test) {
      // A crash is no acceptance, and loses a payment as a refusal does.
      let isShown = test.expected?.isAccepted == true ? !isRight : assessment == .finding(.accepted)
      if isShown || !pattern.isOneSided(test) { evidence[pattern, default: Evidence()].add(isShown) }
    }
    guard test.expected?.isAccepted == true, test.standing?.severity != .choice else { return }
    sound.add(isRight)
    if case .finding(let kind) = assessment { soundFindings[kind, default: 0] += 1 }
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
  /// Why a program refused the token, in its own words.
  public let reason: String?

  /// Nil if the record is none.
  init?(_ record: Score.Record, of contender: Int, under setting: TestSetting) {
    guard case .finding(let kind) = record.assessment else { return nil }
    self.contender = contender
    self.kind = kind
    self.setting = setting
    test = record.test.with(request: record.test.request, expected: record.expected)
    (decision, lastWords, reason) = (record.decision, record.lastWords, record.reason)
  }

  /// The answer for people: how a wrong plaintext differs, without its contents.
  public var answer: String {
    (kind == .wrongPlaintext ? decision.difference(from: test.expected) : nil) ?? decision.description
  }

  /// The standing of the test, with the severity of the finding.
  public var standing: Standing? { test.standing.map { Standing($0.maker, $0.basis, severity) } }

  /// The rank of who can make the request: anybody first.
  var makerRank: Int { test.standing.flatMap { Standing.Maker.allCases.firstIndex(of: $0.maker) } ?? 0 }

  /// How severe it is.
  public var severity: Standing.Severity { Self.severity(of: kind, on: test) }

  /// Whether a forgery was accepted. Of a test without a standing, nobody says that it is one (`Score.forged`).
  public var isForgery: Bool { kind == .accepted && test.standing?.isForgery == true }

  /// The severity of a wrong decision about a test; without a standing, the worst that it can be.
  package static func severity(of kind: Assessment.Kind, on test: TestCase) -> Standing.Severity {
    switch kind {
    case .accepted: test.standing?.severity ?? .critical
    case .wrongPlaintext, .wrongContents, .unsignedAsSigned: .critical
    case .crashed, .timedOut, .brokeProtocol: .high
    case .refusedSound, .signedAsUnsigned, .declined, .error: .interoperability
    case .wrongCode: .strictness
    }
  }
}

extension TestVerdict {
  /// The verdict for reports, without the plaintext.
  package var outcome: String {
    switch self {
    case .accept: "accepted"
    case .acceptUnsigned: "accepted as unsigned"
    case .reject(let fault): "rejected \(fault.code.rawValue)"
    }
  }
}

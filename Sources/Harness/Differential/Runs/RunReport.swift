public import TestCases

/// The results of a run.
public struct RunReport: Sendable {
  public let strictness: Strictness
  /// Which findings fail the run.
  public let failurePolicy: FailurePolicy
  /// The smallest number of tests that a contender has a record of, skipped ones included.
  public let testCount: Int
  /// The number of tests in the run, including those that an interrupt left undone.
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
    scores[finding.contender].isEngine || (finding.severity <= failurePolicy.level && waiver(for: finding) == nil)
  }

  /// The waiver for a finding about an external program; nil if there is none.
  func waiver(for finding: Finding) -> Waiver? {
    scores[finding.contender].isEngine ? nil : failurePolicy.waivers.first { $0.covers(finding.test) }
  }

  /// The findings about external programs that a waiver covers.
  public var waived: [Finding] { findings.filter { waiver(for: $0) != nil } }

  /// The waivers that cover no finding about an external program. Findings about engines cannot be waived.
  public var staleWaivers: [Waiver] {
    let waivable = findings.filter { !scores[$0.contender].isEngine }
    return failurePolicy.waivers.filter { waiver in !waivable.contains { waiver.covers($0.test) } }
  }

  /// The contenders under test without an assessed test, or without any answer (`isSilent`): externals, or engines if
  /// there are no externals.
  public var undecided: [Score] {
    let externals = scores.filter { !$0.isEngine }
    return (externals.isEmpty ? scores : externals).filter { $0.tally.assessed == 0 || $0.isSilent }
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
  /// The number of tests that passed, are acceptable or are findings, unanswered ones included.
  public var assessed: Int { passed + acceptable + findings }
  /// The number of tests without a valid answer: crashes, time-outs and violations of the protocol.
  public var unanswered: Int { Assessment.Kind.allCases.filter(\.isFailure).reduce(0) { $0 + (kinds[$1] ?? 0) } }
  /// The number of tests that were answered with a verdict.
  public var verdicts: Int { assessed - unanswered - (kinds[.error] ?? 0) - (kinds[.declined] ?? 0) }

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
  /// For each known kind of bug (`Pattern`), how many of the tests that bear on it show the bug.
  public private(set) var evidence: [Pattern: Share] = [:]
  /// How many of the valid tokens it accepted correctly. Tests where both verdicts are acceptable, and those answered
  /// `error` or `declined`, are not counted.
  public private(set) var validAccepted = Share()
  /// The findings counted in `validAccepted`, by kind.
  private(set) var validTokenFindings: [Assessment.Kind: Int] = [:]
  /// How often it accepted a token but returned no plaintext, although plaintexts are compared.
  private(set) var missingPlaintexts = 0
  /// The first reason that it gave for refusing a valid token, quoted.
  private(set) var firstRefusal: String?
  /// How many plaintexts it returned re-serialized: the right JSON members, but not the original bytes.
  public private(set) var rewritten = 0
  /// How many of the forgeries given to it it refused. A crash or a missing answer does not count as a refusal.
  public private(set) var forgeriesRefused = Share()
  /// The names of the forgeries that it accepted.
  public private(set) var acceptedForgeries: [String] = []
  /// For each feature that it does not claim, the number of its `unsupported` tests that need the feature.
  public private(set) var lacking: [String: Int] = [:]
  /// Whether it has a record of every test of a whole suite, which an interrupt prevents.
  public let isOfWholeSuite: Bool
  /// The tests that it answered in time only when asked again, in a fresh process.
  public let lateAnswers: [String]
  /// One record per test that was reached, in order.
  public let records: [Record]
  /// How many tests an interrupt left without a record.
  public let notReached: Int
  /// Remarks about how its processes ended.
  public let remarks: [String]
  /// How often an external was killed after a failure; the next test starts it again.
  public let restarts: Int
  /// How many tests were skipped because it had failed too often in a row.
  public let skipped: Int
  /// Whether it failed so often that the remaining tests were skipped.
  public let isGivenUp: Bool
  /// Whether the program does not exist or cannot be executed.
  public let couldNotRun: Bool

  /// How many tests were skipped, after failures or a refused `hello`, or not reached.
  var notRun: Int { tally.notAsked + notReached }

  /// Whether it is an external that was given tests and answered none, not even `hello`.
  public var isSilent: Bool { !isEngine && identity == nil && tally.assessed > 0 && tally.unanswered == tally.assessed }

  /// The outcome of one test.
  public struct Record: Sendable {
    /// The test, with expected verdict and severity adapted if the program claims no signature check (`asked(of:)`).
    public let test: TestCase
    /// The expected verdict: the vector's, otherwise the first engine's; nil without either.
    let expected: TestVerdict?
    public internal(set) var decision: Decision
    public internal(set) var assessment: Assessment
    /// The last lines of an external's standard error, after a failure.
    let standardErrorTail: [String]
    /// The reason that the contender gave for its answer, quoted.
    let reason: String?
    /// What the test needs and the contender does not claim to support.
    public let lacking: [String]
    /// Nil if the assessment is not a finding.
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
    count(assessment, for: test)
    for flag in test.flags { flags[flag, default: Tally()].add(assessment) }
    for feature in record.lacking { lacking[feature, default: 0] += 1 }
  }

  /// Updates severities, forgeries, patterns and counts of valid tokens with one assessment.
  private mutating func count(_ assessment: Assessment, for test: TestCase) {
    let isRight: Bool
    switch assessment {
    case .passed, .acceptable: isRight = true
    case .finding(let kind):
      severities[Finding.severity(of: kind, on: test), default: 0] += 1
      isRight = kind == .wrongCode
    case .unsupported, .notAsked: return
    }
    if test.expected?.isAccepted == false, test.standing?.isForgery == true {
      forgeriesRefused.add(isRight)
      if assessment == .finding(.accepted) { acceptedForgeries.append(test.name.isEmpty ? test.id : test.name) }
    }
    if assessment == .finding(.error) || assessment == .finding(.declined) { return }
    for pattern in Pattern.allCases where pattern.concerns(test) {
      // On a valid token a crash shows the bug, because the payment is lost as by a refusal; on an invalid token only
      // an acceptance shows it.
      let isShown = test.expected?.isAccepted == true ? !isRight : assessment == .finding(.accepted)
      if isShown || !pattern.isOneSided(test) { evidence[pattern, default: Share()].add(isShown) }
    }
    guard test.expected?.isAccepted == true, test.standing?.severity != .choice else { return }
    validAccepted.add(isRight)
    if case .finding(let kind) = assessment { validTokenFindings[kind, default: 0] += 1 }
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
  public let standardErrorTail: [String]
  /// The reason that a program gave for its answer, quoted.
  public let reason: String?

  /// Creates the finding of a record; nil if its assessment is not a finding.
  init?(_ record: Score.Record, of contender: Int, under setting: TestSetting) {
    guard case .finding(let kind) = record.assessment else { return nil }
    self.contender = contender
    self.kind = kind
    self.setting = setting
    test = record.test.with(request: record.test.request, expected: record.expected)
    (decision, standardErrorTail, reason) = (record.decision, record.standardErrorTail, record.reason)
  }

  /// A readable description of the answer; for a wrong plaintext, its length and the first differing byte, never its
  /// contents.
  public var answer: String {
    (kind == .wrongPlaintext ? decision.difference(from: test.expected) : nil) ?? decision.description
  }

  /// The standing of the test, with the severity of the finding.
  public var standing: Standing? { test.standing.map { Standing($0.maker, $0.basis, severity) } }

  /// Orders findings by who can make the request: anyone first, also if the test does not say.
  var makerRank: Int { test.standing.flatMap { Standing.Maker.allCases.firstIndex(of: $0.maker) } ?? 0 }

  /// The severity of this wrong decision, which can differ from the test's own (`standing`).
  public var severity: Standing.Severity { Self.severity(of: kind, on: test) }

  /// Whether a forgery was accepted. False for a test without a standing, because nothing says that its request is a
  /// forgery.
  public var isForgery: Bool { kind == .accepted && test.standing?.isForgery == true }

  /// The severity of a finding. It follows from the kind, except that accepting a token that must be rejected has the
  /// test's own severity, or `critical` if the test has none.
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

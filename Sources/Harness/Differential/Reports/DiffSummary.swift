import Corpus
import HostIO
import Reports
import TestCases

/// The results of `assay diff`, from which text, JSON, Markdown, JUnit XML and HTML are made.
package struct DiffReport {
  let report: RunReport
  /// Explanations of flags.
  let notes: [String: VectorNote]
  /// Where the tests came from.
  let origins: [String]
  /// The seed of the minted tests; nil if none were minted.
  let seed: UInt64?
  /// The folder of findings; nil if they were not all written.
  let findingsFolder: String?
  /// Makes the commands that replay findings; nil for reports without them.
  let replay: ReplayCommand?

  package init(
    _ report: RunReport, notes: [String: VectorNote], origins: [String], seed: UInt64? = nil,
    findingsFolder: String? = nil, replay: ReplayCommand? = nil
  ) {
    self.report = report
    self.notes = notes
    self.origins = origins
    self.seed = seed
    self.findingsFolder = findingsFolder
    self.replay = replay
  }
}

/// What all forms of the report share.
package enum DiffSummary {
  /// The result as one phrase.
  package static func sentence(_ report: RunReport) -> String {
    (interruption(report).map { "\($0): " } ?? "") + outcome(report)
  }

  /// `interrupted after 3 of 60 tests`; nil if all tests were run.
  static func interruption(_ report: RunReport) -> String? {
    report.isInterrupted
      ? "interrupted after \(report.testCount) of \(Text.counted(report.plannedCount, "test"))" : nil
  }

  private static func outcome(_ report: RunReport) -> String {
    if let missing = report.scores.first(where: \.couldNotRun) { return "\(missing.name) could not be run" }
    if let silent = report.scores.first(where: \.isSilent) {
      return "nothing was compared: \(silent.name) did not answer hello"
    }
    if !report.findings.isEmpty { return counts(of: report.findings) + waived(report) }
    if let silent = report.undecided.first {
      return report.scores.count == report.undecided.count
        ? "nothing was compared" : "nothing was compared: \(silent.title) decided nothing"
    }
    if report.isInterrupted { return "no finding" }
    let most = report.scores.max { $0.tally.unsupported < $1.tally.unsupported }
    guard let most, let unsupported = most.unsupported else {
      return "passed " + (report.testCount == 1 ? "the one test" : "all \(report.testCount) tests")
    }
    return "passed all decided tests; of \(report.testCount), \(most.title) has \(unsupported)"
  }

  /// The findings in words, the worst first: `9 forgeries, 1 crash, 35 sound payments refused; 750 leniencies`.
  static func counts(of findings: [Finding]) -> String {
    var counts: [Remark: Int] = [:]
    for finding in findings { counts[Remark(finding), default: 0] += 1 }
    func words(_ remarks: [Remark]) -> String {
      remarks.compactMap { remark in counts[remark].map { remark.words($0) } }.joined(separator: ", ")
    }
    let lenient: [Remark] = [.leniency, .otherCode]
    let severe = words(Remark.allCases.filter { !lenient.contains($0) })
    return [severe, words(lenient)].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private static func waived(_ report: RunReport) -> String {
    let count = report.waived.count
    return count == 0 ? "" : "; \(count) waived"
  }

  /// A remark for each stale waiver.
  static func waiverRemarks(_ report: RunReport) -> [String] {
    report.staleWaivers.map {
      "The waiver for \($0.name) covers no finding about an external program: delete its line."
    }
  }

  /// For each external program, in the order given: its verdict in whole sentences, the most important one first.
  static func verdicts(_ report: RunReport) -> [[String]] {
    report.scores.filter { !$0.isEngine }.map { ContenderVerdict($0).lines($0.title) }
  }

  /// Remarks about how an external program ran; each continues a sentence that begins with its name.
  static func remarks(_ score: Score) -> [String] {
    var remarks = score.remarks
    if score.restarts > 0 {
      let often = score.restarts == 1 ? "once" : "\(score.restarts) times"
      remarks.append("failed \(often) and was restarted for the next test.")
    }
    if score.skipped > 0 {
      let skipped = score.skipped
      remarks.append(
        "failed too often in a row: \(Text.counted(skipped, "test")) \(skipped == 1 ? "was" : "were") skipped.")
    }
    if !score.lateAnswers.isEmpty {
      remarks.append(
        "answered \(Text.counted(score.lateAnswers.count, "test")) in time only when asked again, in a fresh process: "
          + "\(score.lateAnswers.listed(atMost: 3)).")
    }
    if !score.lacking.isEmpty {
      remarks.append(
        "was not asked \(Text.counted(score.tally.unsupported, "test")), by what they need: \(score.needs).")
    }
    if score.rewritten > 0 {
      remarks.append(
        "returned \(Text.counted(score.rewritten, "payload")) with the right members in other bytes, which is acceptable."
      )
    }
    return remarks.map { $0.hasSuffix(".") ? $0 : "\($0)." }
  }

  /// What an attacker gains, or which payments are lost, by the flags of the finding's test, the worst first.
  static func effects(of finding: Finding, _ notes: [String: VectorNote]) -> [String] {
    finding.test.flags.compactMap { notes[$0] }.filter { !$0.effect.isEmpty && fits($0, finding) }
      .sorted { rank($0.bugType) < rank($1.bugType) }.map(\.effect)
  }

  /// Whether the effect of a class of bugs applies to this finding: some are of tokens wrongly accepted, others of
  /// tokens wrongly refused.
  private static func fits(_ note: VectorNote, _ finding: Finding) -> Bool {
    switch finding.kind {
    case .accepted: !["TOO_STRICT", "FUNCTIONALITY"].contains(note.bugType)
    // An external program gets an external key as an ordinary one.
    case .refusedSound:
      note.flag != "ExternalKey" && ["TOO_STRICT", "FUNCTIONALITY", "EDGE_CASE"].contains(note.bugType)
    default: false
    }
  }

  /// The rank of a class of bugs, the most severe first.
  static func rank(_ bugType: String) -> Int {
    let worst = ["AUTH_BYPASS", "CONFIDENTIALITY", "MISSING_STEP", "MALLEABILITY"]
    return worst.firstIndex(of: bugType) ?? worst.count
  }

  /// - Returns: 1 for findings that fail the run (`FailurePolicy`), 2 if a contender decided nothing or did not even
  ///   answer `hello`, 130 after an interrupt.
  package static func exitCode(_ report: RunReport) -> ExitCode {
    if report.isInterrupted { return .interrupted }
    if report.scores.contains(where: { $0.couldNotRun || $0.isSilent }) { return .noAnswer }
    if !report.failing.isEmpty { return .finding }
    return report.undecided.isEmpty ? .success : .noAnswer
  }
}

/// The names of findings in a headline, in their order there.
private enum Remark: CaseIterable {
  case forgery, acceptance, wrongPlaintext, unsigned, crash, timeOut, invalidAnswer, missingProtection, refusal, signed
  case undecided, leniency, otherCode

  init(_ finding: Finding) {
    switch finding.kind {
    case .accepted:
      guard finding.standing != nil else {
        self = .acceptance
        return
      }
      self = finding.isForgery ? .forgery : finding.severity <= .interoperability ? .missingProtection : .leniency
    case .wrongPlaintext, .wrongContents: self = .wrongPlaintext
    case .crashed: self = .crash
    case .timedOut: self = .timeOut
    case .brokeProtocol: self = .invalidAnswer
    case .refusedSound: self = .refusal
    case .unsignedAsSigned: self = .unsigned
    case .signedAsUnsigned: self = .signed
    case .wrongCode: self = .otherCode
    case .declined, .error: self = .undecided
    }
  }

  func words(_ count: Int) -> String {
    switch self {
    case .forgery: Text.counted(count, "forgery", "forgeries")
    case .acceptance: Text.counted(count, "wrong acceptance")
    case .wrongPlaintext: Text.counted(count, "wrong plaintext")
    case .crash: Text.counted(count, "crash", "crashes")
    case .timeOut: Text.counted(count, "time-out")
    case .invalidAnswer: Text.counted(count, "answer outside the protocol", "answers outside the protocol")
    case .unsigned: Text.counted(count, "unsigned token reported as signed", "unsigned tokens reported as signed")
    case .signed: Text.counted(count, "signed token reported as unsigned", "signed tokens reported as unsigned")
    case .missingProtection: Text.counted(count, "missing protection")
    case .refusal: Text.counted(count, "sound payment refused", "sound payments refused")
    case .undecided: Text.counted(count, "test undecided", "tests undecided")
    case .leniency: Text.counted(count, "leniency", "leniencies")
    case .otherCode: Text.counted(count, "other code")
    }
  }
}

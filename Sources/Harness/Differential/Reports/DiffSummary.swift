import Corpus
import HostIO
import TestCases

/// The results of `assay diff`, from which text, JSON, Markdown, JUnit XML and HTML are made.
package struct DiffReport: ReportForms {
  let report: RunReport
  /// Explanations of flags.
  let notes: [String: VectorNote]
  /// Where the tests came from.
  let origins: [String]
  /// The seed of the minted tests; nil if none were minted.
  let seed: UInt64?
  /// The folder of findings; nil if they were not written.
  let findingsFolder: String?

  package init(
    _ report: RunReport, notes: [String: VectorNote], origins: [String], seed: UInt64? = nil,
    findingsFolder: String? = nil
  ) {
    self.report = report
    self.notes = notes
    self.origins = origins
    self.seed = seed
    self.findingsFolder = findingsFolder
  }
}

/// What all forms of the report share.
package enum DiffSummary {
  /// The result as one phrase.
  package static func sentence(_ report: RunReport) -> String {
    if let missing = report.scores.first(where: \.couldNotRun) { return "\(missing.name) could not be run" }
    return (report.isInterrupted ? "interrupted: " : "") + outcome(report)
  }

  private static func outcome(_ report: RunReport) -> String {
    if !report.findings.isEmpty { return counts(of: report.findings) + waived(report) }
    if let silent = report.undecided.first {
      return report.scores.count == report.undecided.count
        ? "nothing was compared" : "nothing was compared: \(silent.title) decided nothing"
    }
    let unsupported = report.scores.map(\.tally.unsupported).max() ?? 0
    return unsupported == 0
      ? "passed all \(report.testCount) tests"
      : "passed all decided tests; of \(report.testCount) up to \(unsupported) are unsupported"
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

  /// The waivers that cover nothing any more.
  static func waiverRemarks(_ report: RunReport) -> [String] {
    report.staleWaivers.map { "The waiver for \($0.name) covers no finding: delete its line." }
  }

  /// The verdict on each external program, or on each engine if there are none: a sentence each, the worst first.
  static func verdicts(_ report: RunReport) -> [(name: String, sentences: [String])] {
    let externals = report.scores.filter { !$0.isEngine }
    return externals.map { ($0.title, ContenderVerdict($0).sentences) }
  }

  /// Remarks about how an external program ran; each continues a sentence that begins with its name.
  static func remarks(_ score: Score) -> [String] {
    var remarks = score.remarks
    if score.restarts > 0 {
      remarks.append("failed \(score.restarts) times and was restarted for the next test.")
    }
    if score.isGivenUp {
      remarks.append("failed too often in a row: \(score.tally.notAsked) tests were skipped.")
    }
    return remarks.map { $0.hasSuffix(".") ? $0 : "\($0)." }
  }

  /// What an attacker gains, by the flags of a test, the worst first.
  static func effects(of test: TestCase, _ notes: [String: VectorNote]) -> [String] {
    explained(test, notes).map(\.effect)
  }

  /// The most severe flag of a test.
  static func worstFlag(of test: TestCase, _ notes: [String: VectorNote]) -> VectorNote? {
    explained(test, notes).first
  }

  /// The rank of a class of bugs, the most severe first.
  static func rank(_ bugType: String) -> Int {
    let worst = ["AUTH_BYPASS", "CONFIDENTIALITY", "MISSING_STEP", "MALLEABILITY"]
    return worst.firstIndex(of: bugType) ?? worst.count
  }

  private static func explained(_ test: TestCase, _ notes: [String: VectorNote]) -> [VectorNote] {
    test.flags.compactMap { notes[$0] }.filter { !$0.effect.isEmpty }
      .sorted { rank($0.bugType) < rank($1.bugType) }
  }

  /// - Returns: 1 for findings of the gate's level and without a waiver, 2 if a contender decided nothing, 130 after an interrupt.
  package static func exitCode(_ report: RunReport) -> ExitCode {
    if report.isInterrupted { return .interrupted }
    if report.scores.contains(where: \.couldNotRun) { return .noAnswer }
    if !report.failing.isEmpty { return .finding }
    return report.undecided.isEmpty ? .success : .noAnswer
  }
}

/// What a headline calls a finding, in its order.
private enum Remark: CaseIterable {
  case forgery, wrongPlaintext, crash, missingProtection, refusal, undecided, leniency, otherCode

  init(_ finding: Finding) {
    switch finding.kind {
    case .accepted:
      self = finding.isForgery ? .forgery : finding.severity <= .interoperability ? .missingProtection : .leniency
    case .wrongPlaintext, .wrongContents: self = .wrongPlaintext
    case .crashed, .timedOut, .brokeProtocol: self = .crash
    case .refusedSound: self = .refusal
    case .wrongCode: self = .otherCode
    case .declined, .error: self = .undecided
    }
  }

  func words(_ count: Int) -> String {
    let one = count == 1
    let noun =
      switch self {
      case .forgery: one ? "forgery" : "forgeries"
      case .wrongPlaintext: one ? "wrong plaintext" : "wrong plaintexts"
      case .crash: one ? "crash" : "crashes"
      case .missingProtection: one ? "missing protection" : "missing protections"
      case .refusal: one ? "sound payment refused" : "sound payments refused"
      case .undecided: one ? "test undecided" : "tests undecided"
      case .leniency: one ? "leniency" : "leniencies"
      case .otherCode: one ? "other code" : "other codes"
      }
    return "\(count) \(noun)"
  }
}

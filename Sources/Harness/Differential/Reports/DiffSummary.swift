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
    let findings = report.findings.count
    if findings > 0 {
      let forgeries = report.findings.count { $0.kind == .acceptedForgery }
      return "\(findings) finding\(findings == 1 ? "" : "s") in \(report.testCount) tests"
        + (forgeries > 0 ? ", \(forgeries) of them accepted forger\(forgeries == 1 ? "y" : "ies")" : "")
    }
    if let silent = report.undecided.first {
      return report.scores.count == report.undecided.count
        ? "nothing was compared" : "nothing was compared: \(silent.title) decided nothing"
    }
    let unsupported = report.scores.map(\.tally.unsupported).max() ?? 0
    return unsupported == 0
      ? "passed all \(report.testCount) tests"
      : "passed all decided tests; of \(report.testCount) up to \(unsupported) are unsupported"
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

  /// - Returns: 1 for findings, 2 if a contender decided nothing, 130 after an interrupt.
  package static func exitCode(_ report: RunReport) -> ExitCode {
    if report.isInterrupted { return .interrupted }
    if report.scores.contains(where: \.couldNotRun) { return .noAnswer }
    if !report.findings.isEmpty { return .finding }
    return report.undecided.isEmpty ? .success : .noAnswer
  }
}

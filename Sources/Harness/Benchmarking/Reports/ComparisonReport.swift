import HostIO
import Reports

/// The results of a comparison, from which all forms of reports are made.
package struct ComparisonReport {
  /// The names of the two sides.
  package let base: String
  package let head: String
  /// How it was measured, as a phrase.
  package let method: String
  package var rows: [ComparisonRow] = []
  /// The benchmarks that only the head has.
  package var added: [String] = []
  /// Changes of instruction counts, if counted.
  package var instructions: [InstructionChange] = []
  /// Other findings, one sentence each.
  package var otherFindings: [String] = []
  /// Remarks about the reliability of the figures, one sentence each.
  package var remarks: [String] = []
  /// Peak resident memory in bytes, if known.
  package var peakMemory: (base: Int, head: Int)?

  package init(
    base: String, head: String, method: String, rows: [ComparisonRow] = [], added: [String] = [],
    otherFindings: [String] = [], remarks: [String] = [], peakMemory: (base: Int, head: Int)? = nil
  ) {
    self.base = base
    self.head = head
    self.method = method
    self.rows = rows
    self.added = added
    self.otherFindings = otherFindings
    self.remarks = remarks
    self.peakMemory = peakMemory
  }

  package func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

  /// All findings, one sentence each.
  package var findings: [String] {
    rows.filter(\.verdict.isFinding).map { row in
      guard let change = row.change, row.verdict == .regressed else { return "\(row.name) is missing." }
      return "\(row.name) regressed: \(ComparisonText.percent(change)) of its time."
    }
      + instructions.filter(\.isFinding).map {
        "\($0.name) takes \(ComparisonText.percent($0.change)) of its instructions; "
          + "\(ComparisonText.percent($0.limit)) is allowed."
      } + otherFindings
  }

  /// Whether an inconclusive result makes the exit code `noAnswer`.
  package var failsInconclusive = false

  package var exitCode: ExitCode {
    if !findings.isEmpty { return .finding }
    return failsInconclusive && count(.inconclusive) > 0 ? .noAnswer : .success
  }

  /// What size of regression this run could have seen, as a sentence; nil if nothing was timed.
  package var sensitivity: String? {
    let sizes = rows.compactMap(\.detectable).sorted()
    guard let most = sizes.last else { return nil }
    let every = "a slowdown of \(ComparisonText.percent(most).dropFirst()) in every benchmark"
    let half = "of \(ComparisonText.percent(OrderStatistics.median(sizes)).dropFirst()) in half of them"
    return "This run could have seen \(every)\(sizes.count > 1 ? ", \(half)" : "")."
  }

  /// The result as one phrase.
  package var sentence: String {
    let findings = findings.count
    if findings > 0 { return Text.counted(findings, "finding") }
    if rows.isEmpty && instructions.isEmpty { return "nothing was compared" }
    let improved = count(.improved)
    let inconclusive = count(.inconclusive)
    return "nothing regressed" + (improved > 0 ? ", \(improved) improved" : "")
      + (inconclusive > 0 ? ", \(inconclusive) inconclusive: give more --seconds" : "")
  }
}

/// The instruction counts of a benchmark in two builds.
package struct InstructionChange {
  package let name: String
  package let before: Double
  package let after: Double
  /// The largest allowed change, as a fraction.
  package let limit: Double

  package init(name: String, before: Double, after: Double, limit: Double) {
    self.name = name
    self.before = before
    self.after = after
    self.limit = limit
  }

  package var change: Double { after / before - 1 }
  package var isFinding: Bool { change > limit }
}

import Benchmarking
import HostIO

/// What a comparison found, in whichever form it is told.
struct ComparisonReport {
  /// What was compared with what.
  let base: String
  let head: String
  /// How it was measured, a phrase.
  let method: String
  var rows: [ComparisonRow] = []
  /// Benchmarks that only the head has.
  var added: [String] = []
  /// Instructions, where they were counted.
  var instructions: [InstructionChange] = []
  /// What else does not hold, a sentence each.
  var otherFindings: [String] = []
  /// What to know before the figures are trusted, a sentence each.
  var remarks: [String] = []
  /// The largest resident sets in octets, where they are known.
  var peakMemory: (base: Int, head: Int)?

  func count(_ verdict: Verdict) -> Int { rows.count { $0.verdict == verdict } }

  /// Everything that has to be looked at, a sentence each.
  var findings: [String] {
    rows.filter(\.verdict.isFinding).map { row in
      guard let change = row.change, row.verdict == .regressed else { return "\(row.name) is missing." }
      return "\(row.name) regressed: \(ComparisonText.percent(change)) of its time."
    }
      + instructions.filter(\.isFinding).map {
        "\($0.name) takes \(ComparisonText.percent($0.change)) of its instructions; "
          + "\(ComparisonText.percent($0.limit)) is allowed."
      } + otherFindings
  }

  var exitCode: ExitCode { findings.isEmpty ? .success : .finding }

  /// One sentence.
  var sentence: String {
    let findings = findings.count
    if findings > 0 { return "\(findings) finding\(findings == 1 ? "" : "s")" }
    if rows.isEmpty && instructions.isEmpty { return "nothing was compared" }
    let improved = count(.improved)
    let inconclusive = count(.inconclusive)
    return "nothing regressed" + (improved > 0 ? ", \(improved) improved" : "")
      + (inconclusive > 0 ? ", \(inconclusive) inconclusive: --seconds makes them clearer" : "")
  }
}

import Descriptions
import HostIO
import PaymentToken
import Reports

/// Counts the results of a bulk run, and describes them.
package struct BulkSummary {
  /// Accepted tokens, including unsigned ones.
  package private(set) var accepted = 0
  package private(set) var unsigned = 0
  package private(set) var rejected = 0
  package private(set) var undecided = 0
  /// The number of rejections by code and stage. `TokenFault.member` is removed, so that faults in different members
  /// count together.
  private var faults: [TokenFault: Int] = [:]
  private var firstRejected: ResultPlace?
  private let start = MonotonicClock.nanoseconds

  package init() {}

  package var total: Int { accepted + rejected + undecided }

  package var exitCode: ExitCode { undecided > 0 ? .noAnswer : rejected > 0 ? .finding : .success }

  /// Records a signed token that was accepted in a batch, without a `DecryptOutcome`.
  mutating func recordAccepted() { accepted += 1 }

  mutating func record(_ outcome: DecryptOutcome, at place: ResultPlace) {
    switch outcome {
    case .accepted: accepted += 1
    case .unsigned:
      accepted += 1
      unsigned += 1
    case .rejected(let fault):
      rejected += 1
      faults[TokenFault(fault.code, stage: fault.stage), default: 0] += 1
      firstRejected = firstRejected ?? place
    case .undecided: undecided += 1
    }
  }

  /// Adds the counts of a batch that follows in the input, so the first rejection stays the earliest.
  mutating func add(_ later: BulkSummary) {
    accepted += later.accepted
    unsigned += later.unsigned
    rejected += later.rejected
    undecided += later.undecided
    for (fault, count) in later.faults { faults[fault, default: 0] += count }
    firstRejected = firstRejected ?? later.firstRejected
  }

  // MARK: Text

  private var seconds: Double { MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) }

  private var rate: String { (Double(total) / max(seconds, 1e-9)).fixed(0) }

  /// - Parameter fraction: the part of the input that has been read, if its size is known.
  func progress(fraction: Double?) -> String {
    let counts = "\(total) results, \(rejected) rejected, \(rate) a second"
    guard let fraction, fraction > 0 else { return counts }
    let left = seconds / fraction * (1 - fraction)
    return "\(counts), \((100 * fraction).fixed(0))%, \(left.fixed(0)) s left"
  }

  /// The report at the end of a run: totals, a table of faults, and a command that explains the first rejection.
  package func report(for source: any RequestSource) -> String {
    var parts = ["\(accepted) accepted"]
    if unsigned > 0 { parts[0] += ", \(unsigned) of them unsigned" }
    parts.append("\(rejected) rejected")
    if undecided > 0 { parts.append("\(undecided) undecided") }
    if let omissions = source.omissions { parts.append(omissions) }
    let results = "\(Text.counted(total, "result")) in \(seconds.fixed(1)) s, \(rate) a second"
    var lines = ["\(results): \(parts.joined(separator: ", "))."]
    if !faults.isEmpty { lines += faultLines }
    if let firstRejected, let command = source.command(showing: firstRejected) {
      lines.append("Why the first is rejected: \(command) | assay explain, with the same options.")
    }
    return lines.joined(separator: "\n")
  }

  private var faultLines: [String] {
    let rows = faults.sorted { left, right in
      left.value != right.value
        ? left.value > right.value
        : (left.key.stage, left.key.code.rawValue) < (right.key.stage, right.key.code.rawValue)
    }
    return Text.table(
      header: ["rejected as", "stage", "count"],
      rows: rows.map { [$0.key.code.rawValue, String($0.key.stage.rawValue), String($0.value)] }
    ).map { "  " + $0 }
  }
}

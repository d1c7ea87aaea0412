import Differential
import Reports
import StrictJSON
import TestCases

/// What both engines say about a finding now.
package struct FindingReplay: Sendable {
  package let fast: String
  package let reference: String
  /// Whether it still shows.
  package let shows: Bool
  /// What must not be; else that nothing is wrong.
  package let verdict: String

  package init(_ finding: FindingFiles, by engines: FuzzEngines) {
    var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
    let before = finding.before.map { examiner.compare($0) }
    let examination = examiner.examine(finding.sample)
    fast = Examiner.text(examination.comparison.first)
    reference = Examiner.text(examination.comparison.second)
    // The pair of a rewriting: both requests must be answered alike.
    let differs = finding.kind == .rewriting && before.last?.first != examination.comparison.first
    shows = examination.violation != nil || differs
    verdict = examination.violation?.identity ?? (differs ? "rewriting: answered otherwise" : "nothing is wrong")
  }

  /// The document `assay.fuzz-replay/1`.
  package var json: JSON {
    ["schema": "assay.fuzz-replay/1", "shows": shows, "fast": fast, "reference": reference, "violation": verdict]
  }

  /// Lines for people.
  package var text: String {
    Text.pairs([("fast", fast), ("reference", reference), ("verdict", verdict)]).joined(separator: "\n") + "\n"
  }
}

extension FindingFiles {
  /// Its sample, made smaller for as long as it may take; nil when it does not show any more.
  package func minimized(seconds: Double, by engines: FuzzEngines) -> TestInput? {
    func violation(_ sample: TestInput) -> Violation? {
      var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
      for earlier in before { _ = examiner.compare(earlier) }
      return examiner.examine(sample).violation
    }
    guard let wanted = violation(sample) else { return nil }
    var smaller = sample
    smaller.request = Shrinker(tries: .max, milliseconds: Int(seconds * 1_000)).shrink(sample.request) { request in
      violation(TestInput(request, sample.context)) == wanted
    }
    return smaller
  }
}

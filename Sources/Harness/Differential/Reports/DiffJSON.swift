import Corpus
import Reports
import StrictJSON

extension DiffReport {
  /// The results as JSON, `assay.diff/1`.
  package var document: JSON {
    [
      "schema": "assay.diff/1", "held": DiffSummary.exitCode(report) == .success,
      "strictness": report.strictness.rawValue, "tests": report.testCount, "sources": origins, "seed": seed,
      "duration_s": JSON.thousandths(report.duration), "contenders": report.scores.map(contender),
      "findings": report.findings.map(finding),
    ]
  }

  private func contender(_ score: Score) -> JSON {
    let kinds = Assessment.Kind.allCases.compactMap { kind in
      score.tally.kinds[kind].map { JSON.Member(kind.rawValue, $0) }
    }
    let flags = score.flags.sorted { $0.key < $1.key }.map { JSON.Member($0.key, document($0.value)) }
    return JSON([
      "name": score.title, "kind": score.isEngine ? "engine" : "external", "command": score.command,
      "supports": score.identity?.supports,
    ]).with(document(score.tally)).with([
      "kinds": JSON.object(kinds), "flags": JSON.object(flags), "restarts": score.restarts,
      "remarks": DiffSummary.remarks(score),
    ])
  }

  private func document(_ tally: Tally) -> JSON {
    ["held": tally.passed, "findings": tally.findings, "unsupported": tally.unsupported, "not_asked": tally.notAsked]
  }

  private func finding(_ finding: Finding) -> JSON {
    let test = finding.test
    return [
      "contender": report.scores[finding.contender].title, "kind": finding.kind.rawValue, "source": test.source,
      "id": test.id, "name": test.name, "comment": test.comment, "flags": test.flags, "clauses": test.clauses,
      "effects": DiffSummary.effects(of: test, notes), "expected": test.expected?.outcome,
      "answered": finding.decision.description, "stderr": finding.quotableLastWords,
    ]
  }
}

import Corpus
import Reports
import StrictJSON
import TestCases

extension DiffReport {
  /// The results as JSON by the schema `assay.diff/1`. `held` is whether the exit code is 0.
  package var document: JSON {
    [
      "schema": "assay.diff/1", "held": DiffSummary.exitCode(report) == .success,
      "strictness": report.strictness.rawValue, "level": report.failurePolicy.level.rawValue,
      "failing": report.failing.count, "waived": report.waived.count,
      "stale_waivers": report.staleWaivers.map(\.name), "tests": report.testCount,
      "planned": report.plannedCount, "interrupted": report.isInterrupted, "sources": origins,
      "seed": seed,
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
      "verdict": ContenderVerdict(score).sentences, "patterns": ContenderVerdict(score).patterns.map(\.rawValue),
      "sound": document(score.validAccepted), "forgeries_refused": document(score.forgeriesRefused),
      "severities": JSON.object(
        Standing.Severity.allCases.compactMap { severity in
          score.severities[severity].map { JSON.Member(severity.rawValue, $0) }
        }),
      "kinds": JSON.object(kinds), "flags": JSON.object(flags), "restarts": score.restarts,
      "lacking": JSON.object(score.lacking.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) }),
      "remarks": DiffSummary.remarks(score),
    ])
  }

  private func document(_ tally: Tally) -> JSON {
    [
      "held": tally.passed, "acceptable": tally.acceptable, "findings": tally.findings,
      "unsupported": tally.unsupported, "not_asked": tally.notAsked,
    ]
  }

  private func document(_ share: Share) -> JSON { ["shown": share.count, "of": share.total] }

  private func finding(_ finding: Finding) -> JSON {
    let test = finding.test
    return [
      "contender": report.scores[finding.contender].title, "kind": finding.kind.rawValue,
      "severity": finding.severity.rawValue, "forgery": finding.isForgery,
      "waived": report.waiver(for: finding)?.reason, "maker": test.standing?.maker.rawValue,
      "basis": test.standing?.basis.word, "source": test.source,
      "id": test.id, "name": test.name, "comment": test.comment, "flags": test.flags, "clauses": test.clauses,
      "effects": DiffSummary.effects(of: finding, notes), "expected": test.expected?.outcome,
      "answered": finding.answer, "reason": finding.reason, "stderr": finding.quotableStandardError,
    ]
  }
}

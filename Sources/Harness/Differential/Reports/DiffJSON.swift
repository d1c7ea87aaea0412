import Corpus
import Reports
import StrictJSON

extension DiffReport {
  /// The results for programs, `assay.diff/1`.
  package var document: JSON {
    .object([
      .init("schema", .string("assay.diff/1")), .init("held", .boolean(DiffSummary.exitCode(report) == .success)),
      .init("strictness", .string(report.strictness.rawValue)), .init("tests", .integer(Int64(report.trials))),
      .init("sources", .array(origins.map { .string($0) })),
      .init("seed", seed.map { .integer($0) } ?? .null),
      .init("duration_s", .thousandths(report.duration)),
      .init("contenders", .array(report.scores.map(contender))),
      .init("findings", .array(report.findings.map(finding))),
    ])
  }

  private func contender(_ score: Score) -> JSON {
    .object(
      [
        .init("name", .string(score.title)), .init("kind", .string(score.isEngine ? "engine" : "external")),
        .init("command", score.command.map { .string($0) } ?? .null),
        .init("supports", score.identity.map { .array($0.supports.map { .string($0) }) } ?? .null),
      ] + members(score.tally) + [
        .init(
          "kinds",
          .object(
            Judgement.Kind.allCases.compactMap { kind in
              score.tally.kinds[kind].map { .init(kind.rawValue, .integer(Int64($0))) }
            })),
        .init(
          "flags",
          .object(
            score.flags.sorted { $0.key < $1.key }.map { .init($0.key, .object(members($0.value))) })),
        .init("restarts", .integer(Int64(score.restarts))),
        .init("remarks", .array(DiffSummary.remarks(score).map { .string($0) })),
      ])
  }

  private func members(_ tally: Tally) -> [JSON.Member] {
    [
      .init("held", .integer(Int64(tally.held))), .init("findings", .integer(Int64(tally.findings))),
      .init("unsupported", .integer(Int64(tally.unsupported))),
      .init("not_asked", .integer(Int64(tally.notAsked))),
    ]
  }

  private func finding(_ finding: Finding) -> JSON {
    let trial = finding.trial
    return .object([
      .init("contender", .string(report.scores[finding.contender].title)),
      .init("kind", .string(finding.kind.rawValue)),
      .init("source", .string(trial.source)), .init("id", .string(trial.id)), .init("name", .string(trial.name)),
      .init("comment", .string(trial.comment)), .init("flags", .array(trial.flags.map { .string($0) })),
      .init("clauses", .array(trial.clauses.map { .string($0) })),
      .init("effects", .array(DiffSummary.effects(of: trial, notes).map { .string($0) })),
      .init("expected", trial.expected.map { .string($0.outcome) } ?? .null),
      .init("answered", .string(finding.decision.description)),
      .init("stderr", .array(finding.quotableLastWords.map { .string($0) })),
    ])
  }
}

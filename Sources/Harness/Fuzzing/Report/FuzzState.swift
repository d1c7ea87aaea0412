import Corpus
import Differential
import PaymentToken
import Reports
import StrictJSON

/// The state of a run, from which status, events and reports are made.
package struct FuzzState {
  package let target: FuzzTarget
  package let driver: FuzzPlan.Driver
  package let jobs: Int
  package let seed: UInt64
  /// Seconds of earlier sessions.
  package var earlierSeconds = 0.0
  /// Seconds of this session.
  package var seconds = 0.0
  /// The planned duration of this session in seconds; nil if unknown.
  package var planned: Double?
  /// When the last sample of the corpus was executed, in seconds of this session.
  package var corpusSeconds = 0.0
  package var statistics = LoopStatistics()
  /// The statistics before this session.
  private var earlierStatistics = LoopStatistics()
  package var corpus = 0
  package var features = 0
  /// Edges of the engines' control flow that were reached; 0 without coverage.
  package var edges = 0
  /// When a sample was last kept, in seconds of the run.
  package var lastNew = 0.0
  /// How often each finding occurred, by its identifier.
  package var findings: [String: Int] = [:]
  /// The same for findings that no replay shows and that the machine may have caused.
  package var unreproducible: [String: Int] = [:]
  /// The identities of the findings that occurred in this session, waived ones too, by their identifiers.
  package private(set) var sessionFindings: [String: String] = [:]
  /// The identifiers of this session's findings that the machine may have caused.
  package private(set) var sessionUnreproducible: Set<String> = []
  /// Findings that may stay.
  package var waivers: [Waiver] = []
  /// What an external program was asked; nil without one.
  package var external: OracleStatistics?
  /// Starts of libFuzzer, or restarts of worker processes that ended outside of an execution.
  package var restarts = 0

  package init(target: FuzzTarget, driver: FuzzPlan.Driver, jobs: Int, seed: UInt64) {
    self.target = target
    self.driver = driver
    self.jobs = jobs
    self.seed = seed
  }

  var totalSeconds: Double { earlierSeconds + seconds }

  /// Executions before this session.
  var earlierExecutions: Int { earlierStatistics[.executions] }

  /// The statistics of this session.
  var sessionStatistics: LoopStatistics { statistics.since(earlierStatistics) }

  /// The waiver for a finding; nil if there is none.
  func waiver(for id: String) -> Waiver? { waivers.first { $0.covers(id) } }

  /// The findings of this session that no waiver covers: the exit code is 1 if there are any.
  package var failingFindings: [String] { sessionFindings.keys.filter { waiver(for: $0) == nil }.sorted() }

  /// The findings of all sessions that no waiver covers.
  package var openFindings: [String] { findings.keys.filter { waiver(for: $0) == nil }.sorted() }

  /// Counts a finding of this session. Returns whether the run had none with its identity.
  package mutating func count(_ violation: Violation, mayBeMachineFault: Bool) -> Bool {
    let id = violation.findingID
    if mayBeMachineFault {
      sessionUnreproducible.insert(id)
      unreproducible[id, default: 0] += 1
      return unreproducible[id] == 1
    }
    sessionFindings[id] = violation.identity
    findings[id, default: 0] += 1
    return findings[id] == 1
  }

  /// Drops the counts of findings that are not on disk. A finding on disk has a count of at least 1.
  mutating func keepCounts(findings: [String], unreproducible: [String]) {
    func kept(_ counts: [String: Int], _ ids: [String]) -> [String: Int] {
      Dictionary(ids.map { ($0, max(1, counts[$0] ?? 1)) }, uniquingKeysWith: max)
    }
    self.findings = kept(self.findings, findings)
    self.unreproducible = kept(self.unreproducible, unreproducible)
  }

  /// Executions per second in this session.
  package var rate: Double {
    seconds > 0 ? Double(statistics[.executions] - earlierExecutions) / seconds : 0
  }

  /// Executions per second of processor time over all sessions, which hardly depends on the machine's load.
  var ratePerCore: Double {
    let time = statistics[.microseconds]
    return time > 0 ? Double(statistics[.executions]) / Double(time) * 1e6 : 0
  }

  /// Warnings about the effectiveness of the run.
  package var warnings: [String] {
    var warnings = [HistoryCheck.lack(sessionStatistics[.unplayedHistories])].compactMap(\.self)
    if let planned, corpusSeconds > planned / 2 {
      warnings.append("the corpus took \(corpusSeconds.fixed(1)) s, the session was planned for \(planned.fixed(0)) s")
    }
    for yield in statistics.yields {
      guard let end = yield.deadEnd else { continue }
      warnings.append("\((100 * end.share).fixed(0))% of \(yield.mutation.name) samples end at stage \(end.stage)")
    }
    let executions = statistics[.executions]
    if driver == .loop, executions >= 2_000 {
      let deep = statistics.share(reaching: .signature)
      if deep < 0.2 { warnings.append("only \((100 * deep).fixed(0))% of executions reach stage 8") }
    }
    if totalSeconds - lastNew > 1_800 { warnings.append("nothing new for \(Self.time(totalSeconds - lastNew))") }
    return warnings
  }

  /// `1:02:03`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(max(0, seconds))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}

/// Saving and loading.
extension FuzzState {
  package var document: JSON {
    let yields = statistics.yields.filter { $0.executions > 0 }
    return [
      "schema": "assay.fuzz-stats/1", "target": target.rawValue, "driver": driver.rawValue, "jobs": jobs,
      "elapsed_s": JSON.tenths(totalSeconds), "executions": statistics[.executions],
      "executions_per_second": JSON.tenths(rate), "executions_per_core_second": JSON.tenths(ratePerCore),
      "corpus": corpus, "features": features, "edges": edges, "last_new_s": JSON.tenths(lastNew),
      "accepted": statistics[.accepted],
      "rewritings": statistics[.rewritings],
      "core_seconds": JSON.thousandths(Double(statistics[.microseconds]) / 1e6),
      "stages": JSON.object(statistics.stages.enumerated().map { .init(String($0.offset), $0.element) }),
      "share_stage_8": JSON.decimal(statistics.share(reaching: .signature), digits: 4),
      "share_stage_13": JSON.decimal(statistics.share(reaching: .payload), digits: 4),
      "mutations": JSON.object(
        yields.map { .init($0.mutation.name, JSON(["executions": $0.executions, "kept": $0.kept])) }),
      "findings": JSON.object(findings.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }),
      "unreproducible": JSON.object(unreproducible.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }),
      "session": session,
      "restarts": restarts, "external": external?.document, "warnings": warnings, "numbers": statistics.numbers,
    ]
  }

  /// What occurred in this session, by identifier.
  var session: JSON {
    [
      "findings": failingFindings, "waived": sessionFindings.keys.filter { waiver(for: $0) != nil }.sorted(),
      "unreproducible": sessionUnreproducible.sorted(),
    ]
  }

  /// Reads a run from its `stats.json`. The rate is that of all sessions together.
  package init(_ document: JSON, findings: [FuzzFindingSummary]) {
    self.init(
      target: document["target"]?.string.flatMap(FuzzTarget.init(rawValue:)) ?? .token,
      driver: document["driver"]?.string.flatMap(FuzzPlan.Driver.init(rawValue:)) ?? .loop,
      jobs: document["jobs"]?.count ?? 1, seed: 0)
    restore(document)
    corpus = document["corpus"]?.count ?? 0
    features = document["features"]?.count ?? 0
    edges = document["edges"]?.count ?? 0
    seconds = earlierSeconds
    earlierSeconds = 0
    earlierStatistics = LoopStatistics()
    keepCounts(
      findings: findings.filter { !$0.isUnreproducible }.map(\.id),
      unreproducible: findings.filter(\.isUnreproducible).map(\.id))
  }

  /// Restores the state of earlier sessions.
  package mutating func restore(_ document: JSON) {
    guard case .object = document else { return }
    earlierSeconds = document["elapsed_s"]?.seconds ?? 0
    lastNew = document["last_new_s"]?.seconds ?? 0
    restarts = document["restarts"]?.count ?? 0
    if let numbers = document["numbers"]?.elements?.compactMap(\.count),
      let earlier = LoopStatistics(numbers: numbers)
    {
      statistics = earlier
    }
    external = OracleStatistics(document["external"])
    for finding in document["findings"]?.members ?? [] {
      findings[finding.name] = finding.value.count
    }
    for finding in document["unreproducible"]?.members ?? [] {
      unreproducible[finding.name] = finding.value.count
    }
    earlierStatistics = statistics
  }
}

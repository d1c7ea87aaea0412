import Corpus
import PaymentToken
import Reports
import StrictJSON

/// The state of a run, from which status, events and reports are made.
package struct FuzzState {
  /// A row of the growth curves.
  package struct Point {
    /// Seconds of the run, over all sessions.
    let seconds: Double
    let executions: Int
    let corpus: Int
    let features: Int
    let findings: Int
    /// Shares of executions that reached stages 8 and 13.
    let signature: Double
    let payload: Double
  }

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
  package var statistics = LoopStatistics()
  /// Executions before this session.
  package var earlierExecutions = 0
  package var corpus = 0
  package var features = 0
  /// Edges of the engines' control flow that were reached; 0 without coverage.
  package var edges = 0
  /// When a sample was last kept, in seconds of the run.
  package var lastNew = 0.0
  /// How often each finding occurred, by its identifier.
  package var findings: [String: Int] = [:]
  package var points: [Point] = []
  /// What an external program was asked; nil without one.
  package var external: OracleStatistics?
  /// Restarts of worker processes that ended outside of an execution.
  package var restarts = 0

  package init(target: FuzzTarget, driver: FuzzPlan.Driver, jobs: Int, seed: UInt64) {
    self.target = target
    self.driver = driver
    self.jobs = jobs
    self.seed = seed
  }

  var totalSeconds: Double { earlierSeconds + seconds }

  /// Executions per second in this session.
  package var rate: Double {
    seconds > 0 ? Double(statistics[.executions] - earlierExecutions) / seconds : 0
  }

  /// Executions per second of processor time over all sessions, which does not depend on the machine's load.
  var ratePerCore: Double { rate(of: .executions, in: .microseconds) }

  /// The same for samples whose certificates no mutation changed.
  var unchangedChainRatePerCore: Double { rate(of: .unchangedChainExecutions, in: .unchangedChainMicroseconds) }

  private func rate(of executions: LoopStatistics.Counter, in microseconds: LoopStatistics.Counter) -> Double {
    let time = statistics[microseconds]
    return time > 0 ? Double(statistics[executions]) / Double(time) * 1e6 : 0
  }

  package mutating func addPoint() {
    points.append(
      Point(
        seconds: totalSeconds, executions: statistics[.executions], corpus: corpus, features: features,
        findings: findings.count, signature: statistics.share(reaching: .signature),
        payload: statistics.share(reaching: .payload)))
  }

  /// Warnings about the effectiveness of the run.
  package var warnings: [String] {
    var warnings: [String] = []
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
      "unchanged_chain": [
        "executions": statistics[.unchangedChainExecutions],
        "core_seconds": JSON.thousandths(Double(statistics[.unchangedChainMicroseconds]) / 1e6),
        "executions_per_core_second": JSON.tenths(unchangedChainRatePerCore),
      ] as JSON,
      "stages": JSON.object(statistics.stages.enumerated().map { .init(String($0.offset), $0.element) }),
      "share_stage_8": JSON.decimal(statistics.share(reaching: .signature), digits: 4),
      "share_stage_13": JSON.decimal(statistics.share(reaching: .payload), digits: 4),
      "rejections": JSON.object(statistics.rejections.map { .init($0.code.rawValue, $0.count) }),
      "mutations": JSON.object(
        yields.map { .init($0.mutation.name, JSON(["executions": $0.executions, "kept": $0.kept])) }),
      "findings": JSON.object(findings.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }),
      "restarts": restarts, "external": external?.document, "warnings": warnings, "numbers": statistics.numbers,
    ]
  }

  package static let header = "elapsed_s,executions,corpus,features,findings,share_stage_8,share_stage_13\n"

  var table: String {
    Self.header
      + points.map { point in
        "\(point.seconds.fixed(1)),\(point.executions),\(point.corpus),\(point.features),\(point.findings),"
          + "\(point.signature.fixed(4)),\(point.payload.fixed(4))\n"
      }.joined()
  }

  /// Reads a run from its `stats.json`. The rate is that of all sessions together.
  package init(_ document: JSON, findings: [FuzzFindingSummary]) {
    self.init(
      target: document["target"]?.string.flatMap(FuzzTarget.init(rawValue:)) ?? .token,
      driver: document["driver"]?.string.flatMap(FuzzPlan.Driver.init(rawValue:)) ?? .loop,
      jobs: document["jobs"]?.count ?? 1, seed: 0)
    restore(document, table: nil)
    corpus = document["corpus"]?.count ?? 0
    features = document["features"]?.count ?? 0
    edges = document["edges"]?.count ?? 0
    seconds = earlierSeconds
    earlierSeconds = 0
    earlierExecutions = 0
    self.findings = Dictionary(findings.map { ($0.id, 1) }, uniquingKeysWith: { first, _ in first })
  }

  /// Restores the state of earlier sessions.
  package mutating func restore(_ document: JSON, table: String?) {
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
    earlierExecutions = statistics[.executions]
    for line in (table ?? "").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",").map { JSON.number(String($0)) }
      guard fields.count == 7, let seconds = fields[0].seconds, let executions = fields[1].count,
        let corpus = fields[2].count, let features = fields[3].count, let findings = fields[4].count,
        let signature = fields[5].seconds, let payload = fields[6].seconds
      else { continue }
      points.append(
        Point(
          seconds: seconds, executions: executions, corpus: corpus, features: features, findings: findings,
          signature: signature, payload: payload))
    }
  }
}

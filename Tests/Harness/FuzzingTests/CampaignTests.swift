import Corpus
import Differential
import Foundation
import Fuzzing
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite(.blocking) struct CampaignTests {
  /// Counts in one process: a worker counts from where its parent stood.
  private final class Count {
    var value = 0
  }

  @Test func `a violation whose triage does not end is filed as it was found`() throws {
    let bench = try FuzzingBench()
    let made = Count()
    let wrong = BuggyEngine(engine: bench.fast) { _ in .failure(TokenFault(.malformedJSON)) }
    let ending = BuggyEngine(engine: bench.fast) { _ in _exit(7) }
    let engines = FuzzEngines(
      sampleSigner: bench.sampleSigner, reference: bench.reference,
      pair: { [reference = bench.reference] in
        made.value += 1
        // Those of the loop disagree; those of the triage end the worker.
        return (made.value == 1 ? wrong : ending, reference)
      },
      reusing: { [reference = bench.reference] in reference }, histories: { HistoryCheck(effort: $0) },
      explanation: { _ in "" })
    let path = FileManager.default.temporaryDirectory.appending(path: "assay-campaign-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let seeds = "\(path)/small/seeds/apple/EC_v1"
    try FileManager.default.createDirectory(atPath: seeds, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: URL(filePath: "\(seeds)/0.json"))
    let run = try RunFolder(making: "\(path)/run")
    let plan = FuzzPlan(
      driver: .loop, target: .token, duration: 600, jobs: 1, seed: FuzzingBench.seed, timeout: 60, without: [],
      stopsAtFinding: true)
    let campaign = FuzzCampaign(
      plan, run, try FuzzSettings(plan, run), engines: engines, seeds: CorpusFolder(path: "\(path)/small"),
      display: FuzzDisplay(json: false, quiet: true))
    #expect(try campaign.run() == .finding)
    let findings = try FuzzFindingList.read(run)
    #expect(findings.map(\.violation.kind) == [.disagreement])
    #expect(findings.first?.violation.first == "malformedJSON (stage 2)" && findings.first?.replays == 0)
  }
}

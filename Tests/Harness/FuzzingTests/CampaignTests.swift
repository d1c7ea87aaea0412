import Corpus
import Differential
import Foundation
import Fuzzing
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite(.blocking) struct CampaignTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A count in one process. A forked worker starts with its parent's value.
  private final class Count {
    var value = 0
  }

  @Test func `a violation whose triage does not end is filed as it was found`() throws {
    let bench = try FuzzingBench()
    let made = Count()
    let wrong = BuggyEngine(engine: bench.fast) { _ in .failure(TokenFault(.malformedJSON)) }
    let ending = BuggyEngine(engine: bench.fast) { _ in _exit(7) }
    let (campaign, run) = try campaign(bench, seeds: 1, jobs: 1, seconds: 600) {
      made.value += 1
      // The first engine is the loop's, which disagrees. The next ones are the triage's, which end the worker.
      return made.value == 1 ? wrong : ending
    }
    #expect(try campaign.run() == .finding)
    let findings = try FuzzFindingSummary.all(in: run)
    #expect(findings.map(\.violation.kind) == [.disagreement])
    #expect(findings.first?.violation.first == "malformedJSON (stage 2)" && findings.first?.replays == 0)
  }

  // ThreadSanitizer's shadow memory grows, too.
  @Test(.disabled(if: Sanitizer.has("__tsan_init")))
  func `an input that takes too much memory is replayed by processes that have not grown, and minimized`() throws {
    let bench = try FuzzingBench()
    let greedy = BuggyEngine(engine: bench.fast) { result in
      // The memory is written to, since untouched pages take none.
      if case .failure(let fault) = result, fault.code == .missingMember { _ = Data(repeating: 1, count: 128 << 20) }
      return result
    }
    let (campaign, run) = try campaign(bench, seeds: 1, jobs: 1, seconds: 30) { greedy }
    #expect(try campaign.run() == .finding)
    let finding = try #require(try FuzzFindingSummary.all(in: run).first)
    #expect(finding.violation.kind == .memory && finding.violation.first.hasPrefix("missingMember"))
    #expect(finding.replays == 3 && !finding.isUnreproducible)
    let files = try FindingFiles("\(run.path)/findings/\(finding.id)", defaults: bench.sampleSigner.defaultContext)
    #expect(files.sample.request == Array("{}".utf8))
  }

  /// Notes which process decides which request, and leaves the decision to another engine.
  private struct NotingEngine: TokenDecryptor {
    let engine: any TokenDecryptor
    let file: String
    var name: String { engine.name }

    func decrypt(
      _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
    ) throws(TokenFault) -> DecryptedToken {
      let text = request.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      let line = "\(getpid()) \(text)\n"
      let output = open(file, O_WRONLY | O_APPEND | O_CREAT, 0o600)
      _ = write(output, line, line.utf8.count)
      close(output)
      return try engine.decrypt(request, at: now, under: policy)
    }

    func decryptAllowingUnsigned(
      _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
    ) throws(TokenFault) -> SignedOrUnsignedToken {
      try engine.decryptAllowingUnsigned(request, at: now, under: policy)
    }
  }

  // ThreadSanitizer ends a forked process that starts threads, as histories do.
  @Test(.disabled(if: Sanitizer.has("__tsan_init")))
  func `the first workers of a run divide its initial samples, so that none waits for another`() throws {
    let bench = try FuzzingBench()
    let noting = NotingEngine(engine: bench.reference, file: folder.path("decided"))
    // There are more seeds than minted samples, which are initial samples too.
    let seeds = Set((0..<100).map(Self.seed))
    let (campaign, _) = try campaign(bench, reference: noting, seeds: seeds.count, jobs: 2, seconds: 1) { bench.fast }
    #expect(try campaign.run() == .success)
    var decided: [Substring: Set<String>] = [:]
    for line in try FileText.text(folder.path("decided")).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if let text = words.last.map(String.init), seeds.contains(text) { decided[words[0], default: []].insert(text) }
    }
    #expect(decided.values.reduce(into: Set()) { $0.formUnion($1) } == seeds)
    #expect(decided.values.allSatisfy { $0.count < seeds.count }, "\(decided.mapValues(\.count))")
  }

  @Test(arguments: [(5, [2, 1, 1, 1]), (8, [2, 2, 2, 2]), (3, [1, 1, 1, 0]), (2_000, [400, 400, 400, 400])])
  func `no first worker is without initial samples while another has two`(count: Int, shares: [Int]) {
    #expect(FuzzCampaign.shares(of: count, jobs: 4) == shares)
  }

  private static func seed(_ number: Int) -> String { "{\"\(number)\":0}" }

  /// A run over seeds that no engine accepts.
  private func campaign(
    _ bench: FuzzingBench, reference: (any TokenDecryptor)? = nil, seeds: Int, jobs: Int, seconds: Double,
    engine: @escaping () -> any TokenDecryptor
  ) throws -> (FuzzCampaign, RunFolder) {
    let reference = reference ?? bench.reference
    let setting = TestSetting(of: bench.minter, anchors: bench.sampleSigner.anchors.certificates)
    var engines = FuzzEngines(sampleSigner: bench.sampleSigner, reference: bench.reference) { (engine(), reference) }
    engines.reusing = { reference }
    engines.histories = { effort in
      var check = HistoryCheck(effort: effort)
      check.begin(setting)
      return check
    }
    for number in 0..<seeds {
      try folder.write(Self.seed(number), to: "small/seeds/apple/EC_v1/\(number).json")
    }
    let run = try RunFolder(making: folder.path("run"))
    var plan = FuzzPlan(duration: seconds, jobs: jobs)
    (plan.seed, plan.timeout, plan.stopsAtFinding) = (FuzzingBench.seed, 60, true)
    let campaign = FuzzCampaign(
      plan, run, try FuzzSettings(plan, run), engines: engines, seeds: CorpusFolder(path: folder.path("small")),
      display: FuzzDisplay(json: false, quiet: true))
    return (campaign, run)
  }
}

import Foundation
import Fuzzing
import Minting
import PaymentToken
import TestSupport
import Testing

/// One or two octets changed, at the JSON, base64, DER and plaintext layers, through both engines.
@Suite struct MutationTests {
  /// 200,000, with a tenth more for samples that lack a layer, unless ASSAY_MUTATIONS says otherwise (sanitizer runs ask for fewer).
  private static let count = ProcessInfo.processInfo.environment["ASSAY_MUTATIONS"].flatMap { Int($0) } ?? 200_000
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_121
  private static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  private static let lanes = 2

  @Test(arguments: 0..<lanes) func `mutated minted tokens get one verdict and keep their meaning`(_ lane: Int) throws {
    let minter = try Minter(seed: Self.seed, at: Self.now)
    let samples = try (UInt64(0)..<48).map { index in
      let isRSA = index % 4 == 3
      let minted = try isRSA ? minter.mintRSA(index: index) : minter.mint(index: index)
      return MutationSample(minted, named: "minted \(index)")
    }
    let engines = try Engines.minted(minter)
    let numbers = stride(from: lane, to: Self.count * 11 / 10, by: Self.lanes)
    let run = try MutationRun(
      seed: Self.seed, numbers: numbers, samples: samples, engines: engines.pair,
      at: { _ in (Self.now, VerificationPolicy()) })
    report(run, "minted")
    #expect(Hunt.isShortened || run.accepted > 0)
  }

  @Test(.enabled(if: RealTokens.available), arguments: 0..<lanes)
  func `mutated genuine tokens get one verdict and keep their meaning`(_ lane: Int) throws {
    let samples = RealTokens.all.filter(\.genuine)
      .compactMap { MutationSample($0.token, named: $0.name) }
    let engines = try Engines.genuine()
    let numbers = stride(from: lane, to: Self.count / 5 * 4 / 3, by: Self.lanes)
    let run = try MutationRun(
      seed: Self.seed, numbers: numbers, samples: samples, engines: engines.pair,
      at: { _ in (Self.now, VerificationPolicy(freshness: .signingTime)) })
    report(run, "genuine")
  }

  private func report(_ run: MutationRun, _ what: String) {
    print("seed \(Self.seed): \(run.count) mutations of \(what) tokens, \(run.accepted) accepted")
    print(
      run.rejected.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", "))
    for finding in run.findings.prefix(5) {
      Issue.record(
        """
        \(finding.kind.rawValue): seed \(Self.seed), number \(finding.number), \(finding.mutation) of \(finding.sample): \
        \(finding.comparison.first) / \(finding.comparison.second): \(Base64.encode(finding.token))
        """)
    }
    #expect(run.findings.isEmpty)
  }
}

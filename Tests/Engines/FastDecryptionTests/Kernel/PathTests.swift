import FastDecryption
import Foundation
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// A token gets the same verdict, code and plaintext on every path through the engine.
@Suite struct PathTests {
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_208
  /// ASSAY_TOKENS; else 4,000 in the second ring, and in the first a fiftieth of ASSAY_MUTATIONS, 50 or more.
  private static let count =
    Ring.count(max(50, Ring.count(20_000, deep: 200_000) / 50), deep: 4_000, unless: "ASSAY_TOKENS")

  /// Made once for all paths: all named cases, in the first ring every eighth; `MintedCaseTests` has one of each rule.
  private static let made = Result { () throws in
    let minter = try Minter(seed: 31, at: mintingTime)
    let recipes = stride(from: 0, to: CaseRecipe.all.count, by: Ring.isDeep ? 1 : 8).map { CaseRecipe.all[$0] }
    return (minter: minter, keys: try minter.merchantKeySet(), cases: try recipes.map { try minter.make($0) })
  }

  /// In the first ring the paths take turns.
  @Test(arguments: Path.allCases) func `every named case gets its expected verdict`(_ path: Path) throws {
    let (_, keys, cases) = try Self.made.get()
    #expect(cases.count >= CaseRecipe.all.count / (Ring.isDeep ? 1 : 8))
    let turn = Path.allCases.firstIndex(of: path)
    for (number, minted) in cases.enumerated() where !minted.test.context.policy.isUnsigned {
      guard Ring.isDeep || number % Path.allCases.count == turn else { continue }
      let verdicts = try path.verdicts(
        on: minted.test.context.prelude + [minted.test.request], keys: keys, anchors: minted.trustAnchors,
        at: minted.test.context.now,
        under: minted.test.context.policy.verificationPolicy())
      let name = Comment(rawValue: "\(path.name): \(minted.test.name)")
      #expect(verdicts.last.map(TestVerdict.init) == minted.test.expected, name)
    }
  }

  @Test(arguments: Path.allCases) func `a batch of valid and invalid tokens keeps their order`(_ path: Path) throws {
    let (minter, keys, all) = try Self.made.get()
    let cases = all.filter(\.isSingleToken)
    let verdicts = try path.verdicts(
      on: cases.map(\.test.request), keys: keys, anchors: minter.anchors, at: mintingTime,
      under: VerificationPolicy())
    #expect(verdicts.count == cases.count && cases.count > (Ring.isDeep ? 1_500 : 150))
    for (minted, verdict) in zip(cases, verdicts) {
      #expect(TestVerdict(verdict) == minted.test.expected, Comment(rawValue: "\(path.name): \(minted.test.name)"))
    }
  }

  @Test func `random and altered tokens get the same verdict on every path`() throws {
    var random = try RandomTokens(seed: Self.seed)
    let (minter, keys) = (random.minter, try random.minter.merchantKeySet())
    var (count, accepted, codes) = (0, 0, [TokenFault.Code: Int]())
    while count < Self.count {
      // Batches of every size, so that windows and lanes are full or not.
      let size = random.number(in: 1..<600)
      let samples = try (0..<min(size, Self.count - count)).map { _ in try random.next() }
      let verdicts = try Path.allCases.map {
        try $0.verdicts(
          on: samples.map(\.token), keys: keys, anchors: minter.anchors, at: mintingTime, under: VerificationPolicy())
      }
      for path in Self.differing(verdicts) {
        Issue.record(
          "\(path.name) differs within tokens \(count + 1)...\(count + samples.count) of seed \(Self.seed)")
      }
      for index in Path.allCases.indices.dropFirst() {
        var planted = verdicts
        planted[index][samples.count - 1] = .failure(TokenFault(.keyUnavailable))
        #expect(Self.differing(planted).contains(Path.allCases[index]), "a planted verdict is not detected")
      }
      for (sample, verdict) in zip(samples, verdicts[0]) {
        if let plaintext = sample.plaintext { #expect(verdict == .success(plaintext)) }
        switch verdict {
        case .success: accepted += 1
        case .failure(let fault): codes[fault.code, default: 0] += 1
        }
      }
      count += samples.count
    }
    print("seed \(Self.seed): \(count) tokens by \(Path.allCases.count) paths, \(accepted) accepted")
    print(codes.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", "))
    #expect(accepted > 0 && accepted < count)
  }

  /// The paths whose verdicts differ from those of the first.
  private static func differing(_ verdicts: [[Result<[UInt8], TokenFault>]]) -> [Path] {
    zip(Path.allCases, verdicts).filter { $1 != verdicts[0] }.map(\.0)
  }

  @Test(.enabled(if: RealTokens.available), arguments: Path.allCases)
  func `genuine tokens are accepted on every path`(_ path: Path) throws {
    let tokens = RealTokens.all.filter { $0.genuine && $0.expected != nil && $0.privateKeyPEM != nil }
    let verdicts = try path.verdicts(
      on: tokens.map(\.token), keys: try RealTokens.keys(), anchors: .apple, at: mintingTime,
      under: VerificationPolicy(freshness: .signingTime))
    #expect(verdicts.count == tokens.count && !tokens.isEmpty)
    for (token, verdict) in zip(tokens, verdicts) {
      #expect(try verdict.get() == token.expected, Comment(rawValue: "\(path.name): \(token.name)"))
    }
  }

  @Test func `replays are detected within a batch, in the order of its tokens`() throws {
    let minter = try Minter(seed: 33, at: mintingTime)
    let token = try minter.mint(index: 1).bytes
    let other = try minter.mint(index: 2).bytes
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: MemoryReplayStore(capacity: 100)))
    let verdicts = try Path.batch.verdicts(
      on: [token, other, token, other], keys: minter.merchantKeySet(), anchors: minter.anchors, at: mintingTime,
      under: policy)
    let faults = verdicts.map { verdict -> TokenFault? in
      if case .failure(let fault) = verdict { fault } else { nil }
    }
    #expect(faults == [nil, nil, TokenFault(.replayedTransaction), TokenFault(.replayedTransaction)])
  }
}

extension TestVerdict {
  init(_ verdict: Result<[UInt8], TokenFault>) {
    switch verdict {
    case .success(let plaintext): self = .accept(plaintext: plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }
}

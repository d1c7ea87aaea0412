import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// Whichever way a token takes, it gets the same verdict, code and plaintext.
@Suite struct PathTests {
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_208
  /// A fiftieth of the mutations that ASSAY_MUTATIONS asks for, 200,000 by default.
  private static let count =
    (ProcessInfo.processInfo.environment["ASSAY_MUTATIONS"].flatMap { Int($0) } ?? 200_000) / 50

  @Test(arguments: Path.allCases) func `every named case gets its one right answer`(_ path: Path) throws {
    let minter = try Minter(seed: 31, at: mintingTime)
    let keys = try minter.merchantKeySet()
    for minted in try minter.cases() where !minted.policy.isUnsigned {
      let verdicts = try path.verdicts(
        on: minted.prelude + [minted.token], keys: keys, anchors: minted.trustAnchors, at: minted.now,
        under: minted.policy.policy())
      let name = Comment(rawValue: "\(path.rawValue): \(minted.name)")
      #expect(verdicts.last.map(MintedVerdict.init) == minted.expected, name)
    }
  }

  @Test(arguments: Path.allCases) func `a batch of good and bad tokens keeps their order`(_ path: Path) throws {
    let minter = try Minter(seed: 32, at: mintingTime)
    let cases = try minter.cases().filter(\.isSingleToken)
    let verdicts = try path.verdicts(
      on: cases.map(\.token), keys: minter.merchantKeySet(), anchors: minter.anchors, at: mintingTime,
      under: VerificationPolicy())
    #expect(verdicts.count == cases.count)
    for (minted, verdict) in zip(cases, verdicts) {
      #expect(MintedVerdict(verdict) == minted.expected, Comment(rawValue: "\(path.rawValue): \(minted.name)"))
    }
  }

  @Test func `random and altered tokens get the same verdict on every path`() throws {
    print("seed \(Self.seed): \(Self.count) tokens")
    let minter = try Minter(seed: Self.seed, at: mintingTime)
    let keys = try minter.merchantKeySet()
    var numbers = minter.generator.stream("paths")
    var position: UInt64 = 0
    while position < UInt64(Self.count) {
      let tokens = try (0..<500).map { _ in
        position += 1
        var layers = try minter.layers(TokenRecipe(index: position))
        switch Int.random(in: 0..<8, using: &numbers) {
        case 0: layers.data[Int.random(in: 0..<layers.data.count, using: &numbers)] ^= 1
        case 1:
          let bit = UInt8.random(in: 0..<8, using: &numbers)
          layers.ephemeralPublicKey[Int.random(in: 27..<91, using: &numbers)] ^= 1 << bit
          try layers.sign()
        case 2: layers.signature[layers.signature.count - Int.random(in: 1...60, using: &numbers)] ^= 1
        default: break
        }
        return layers.token
      }
      let verdicts = try Path.allCases.map {
        try $0.verdicts(
          on: tokens, keys: keys, anchors: minter.anchors, at: mintingTime, under: VerificationPolicy())
      }
      for other in verdicts.dropFirst() { #expect(other == verdicts[0]) }
      #expect(verdicts[0].contains { if case .success = $0 { true } else { false } })
    }
  }

  @Test(.enabled(if: RealTokens.available), arguments: Path.allCases)
  func `genuine tokens open on every path`(_ path: Path) throws {
    let tokens = RealTokens.all.filter { $0.genuine && $0.expected != nil && $0.privateKeyPEM != nil }
    let verdicts = try path.verdicts(
      on: tokens.map(\.token), keys: try GenuineKeys.keys(), anchors: .apple, at: mintingTime,
      under: VerificationPolicy(freshness: .signingTime))
    for (token, verdict) in zip(tokens, verdicts) {
      #expect(try verdict.get() == token.expected, Comment(rawValue: "\(path.rawValue): \(token.name)"))
    }
  }

  @Test func `replays are found within a batch, in the order of its tokens`() throws {
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

extension MintedVerdict {
  init(_ verdict: Result<[UInt8], TokenFault>) {
    switch verdict {
    case .success(let plaintext): self = .accept(plaintext: plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }
}

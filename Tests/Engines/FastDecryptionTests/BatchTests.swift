import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// Batches through their closures, and through external keys.
@Suite struct BatchTests {
  private struct Report: Equatable {
    let index: Int
    let fault: TokenFault?
  }

  @Test func `each verdict comes once, in order, with the index of its request`() throws {
    let fixture = try Fixture(seed: 54)
    let engine = try fixture.engine()
    let hostile = try HostileTokens.ofEveryStage(fixture)
    var tokens: [[UInt8]] = []
    var expected: [Report] = []
    // Three windows of up to 64 tokens, of which the first two have a fault of every stage.
    for index in 0..<150 {
      let (fault, token) =
        index % 3 == 0
        ? (nil, try fixture.minter.mint(index: UInt64(index)).bytes)
        : (hostile[index / 3 % hostile.count].0, hostile[index / 3 % hostile.count].1)
      tokens.append(token)
      expected.append(Report(index: index, fault: fault))
    }
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    var reports: [Report] = []
    engine.decryptBatch(
      tokens, at: mintingTime, under: VerificationPolicy(), in: &batch,
      opened: { index, _ in reports.append(Report(index: index, fault: nil)) },
      refused: { index, fault in reports.append(Report(index: index, fault: fault)) })
    #expect(reports == expected)
  }

  @Test func `a fault that the closure throws is reported with the index of its request`() throws {
    let fixture = try Fixture(seed: 55)
    let tokens = try (UInt64(0)..<70).map { try fixture.minter.mint(index: $0).bytes }
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    var reports: [Report] = []
    try fixture.engine().decryptBatch(
      tokens, at: mintingTime, under: VerificationPolicy(), in: &batch,
      opened: { _, _ throws(TokenFault) in throw TokenFault(.amountMismatch) },
      refused: { index, fault in reports.append(Report(index: index, fault: fault)) })
    #expect(reports == tokens.indices.map { Report(index: $0, fault: TokenFault(.amountMismatch)) })
  }

  private func keys(_ merchant: TestMerchant, _ agreement: any KeyAgreement) throws -> MerchantKeySet {
    let certificate = try Certificate(der: merchant.keys[0].certificate)
    return try MerchantKeySet([
      MerchantKeySource(
        secret: .external(try ExternalECKey(of: certificate, agreement: agreement)), certificate: certificate)
    ])
  }

  @Test(arguments: Path.allCases)
  func `an external key without an answer is unavailable, which says nothing of the token`(_ path: Path) throws {
    let minter = try Minter(seed: 62, at: mintingTime)
    let tokens = try (UInt64(0)..<3).map { try minter.mint(TokenRecipe(index: $0)).bytes }
    let verdicts = try path.verdicts(
      on: tokens, keys: keys(minter.merchants[0], ExternalKeyStandIn()), anchors: minter.anchors, at: mintingTime,
      under: VerificationPolicy())
    #expect(verdicts == tokens.map { _ in .failure(TokenFault(.keyUnavailable)) })
  }

  @Test(arguments: Path.allCases)
  func `an external key is asked about the ephemeral point of each token`(_ path: Path) throws {
    let minter = try Minter(seed: 56, at: mintingTime)
    let merchant = minter.merchants[0]
    let pair = merchant.keys[0].pair
    let outside = ExternalKeyStandIn { point, _ in try? pair.sharedSecret(with: point) }
    let keys = try keys(merchant, outside)
    let tokens = try (UInt64(0)..<12).map { try minter.mint(TokenRecipe(index: $0)) }
    let verdicts = try path.verdicts(
      on: tokens.map(\.bytes), keys: keys, anchors: minter.anchors, at: mintingTime, under: VerificationPolicy())
    #expect(verdicts == tokens.map { .success($0.plaintext) })
    #expect(outside.asked == tokens.map { Array($0.layers.ephemeralPublicKey.suffix(65)) })
  }
}

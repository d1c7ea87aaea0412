import CP256
import FastDecryption
import Minting
import PaymentToken
import Testing

/// The lanes decide whatever they can. libcrypto would give the same verdicts, so the tests look at the lanes'
/// statuses.
@Suite struct LaneTests {
  private static let withAgreement = P256Kernel.underTest.filter { $0.agreementKernel == $0.rawValue }
  private static let withTables = P256Kernel.underTest.filter { $0.signatureKernel == $0.rawValue }
  private static let done = UInt8(ASSAY_P256_DONE)
  private static let refused = UInt8(ASSAY_P256_REFUSED)

  @Test(arguments: withAgreement)
  func `the lanes compute the secret of every token that they can take`(_ kernel: P256Kernel) throws {
    let minter = try Minter(seed: 51, at: mintingTime)
    let engine = try FastDecryptor(
      keys: minter.merchantKeySet(), anchors: minter.anchors, kernel: kernel, tables: .atOnce)
    var unknown = try minter.layers(TokenRecipe(index: 101))
    unknown.publicKeyHash[0] ^= 1
    var offCurve = try minter.layers(TokenRecipe(index: 102))
    offCurve.ephemeralPublicKey[90] ^= 1
    try offCurve.sign()
    // Two that the lanes cannot take, then 16 that they can.
    var tokens = [try minter.mintRSA(index: 100).bytes, unknown.token]
    tokens += try (UInt64(0)..<16).map { $0 == 5 ? offCurve.token : try minter.mint(index: $0).bytes }
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    // The batch runs twice: in the first run, its first token has its chain verified.
    for _ in 0..<2 {
      let faults = engine.faults(of: tokens, in: &batch)
      #expect(faults[1] == TokenFault(.unknownMerchantKey) && faults[7] == TokenFault(.invalidEphemeralKey))
      #expect(faults.indices.allSatisfy { $0 == 1 || $0 == 7 || faults[$0] == nil })
      let statuses = batch.statuses
      #expect(statuses == (0..<16).map { $0 == 5 ? Self.refused : Self.done })
    }
  }

  /// Verified five minutes late, so that no token needs an agreement, whose statuses would replace those of signatures.
  @Test(arguments: withTables, [1, 2, 3, 4, 5, 16, 64, 70])
  func `a kernel decides every signature of a signer with a table`(_ kernel: P256Kernel, count: Int) throws {
    let fixture = try Fixture(seed: 52)
    let engine = try FastDecryptor(
      keys: fixture.keys, anchors: fixture.minter.anchors, kernel: kernel, tables: .atOnce)
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    #expect(engine.faults(of: [try fixture.minter.mint(TokenRecipe(index: 99)).bytes], in: &batch) == [nil])
    let pki = fixture.minter.pki
    var tokens = try (1..<UInt64(count)).map { try fixture.minter.mint(TokenRecipe(index: $0)).bytes }
    tokens.append(try fixture.tokenOfOtherSigner(in: [pki.leaf, pki.intermediate]))
    let late = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + 301)
    let faults = engine.faults(of: tokens, at: late, in: &batch)
    // Stage 8 comes before stage 9: the forged token's fault is its signature.
    #expect(faults.dropLast().allSatisfy { $0 == TokenFault(.signingTimeOutsideWindow) })
    #expect(faults.last == TokenFault(.signatureMismatch))
    let inLastWindow = (count - 1) % 64
    let statuses = batch.statuses
    #expect(statuses == [UInt8](repeating: Self.done, count: inLastWindow) + [Self.refused])
  }
}

extension FastDecryptor {
  /// The fault of each token of a batch, by the index that it is reported with; nil where it is accepted, and
  /// `keyUnavailable` where nothing is reported.
  func faults(
    of tokens: [[UInt8]], at now: UnixTime = mintingTime, in batch: inout BatchWorkspace
  ) -> [TokenFault?] {
    var faults = [TokenFault?](repeating: TokenFault(.keyUnavailable), count: tokens.count)
    decryptBatch(
      tokens, at: now, under: VerificationPolicy(), in: &batch, opened: { index, _ in faults[index] = nil },
      refused: { index, fault in faults[index] = fault })
    return faults
  }
}

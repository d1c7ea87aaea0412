import Differential
import Fuzzing
import Minting
import PaymentToken
import Testing

/// An engine that says something else of every token: a comparison that sees no difference from it sees none at all.
struct LyingEngine: TokenDecryptor {
  /// The least that a verdict can differ by.
  enum Lie: CaseIterable {
    /// The plaintext's last bit.
    case bit
    /// A fault's member.
    case member
    /// A fault in place of a token, and another code in place of a fault's.
    case verdict
  }

  let engine: any TokenDecryptor
  var lie = Lie.bit

  var name: String { engine.name }

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    let token: DecryptedToken
    do { token = try engine.decrypt(request, at: now, under: policy) } catch { throw changed(error) }
    return try changed(token)
  }

  func decryptUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> TokenUnderUnsignedPolicy {
    let token: TokenUnderUnsignedPolicy
    do { token = try engine.decryptUnsigned(request, at: now, under: policy) } catch { throw changed(error) }
    switch token {
    case .signed(let token): return .signed(try changed(token))
    case .unsigned(let token):
      if lie == .verdict { throw TokenFault(.decryptionFailed) }
      return .unsigned(
        UnsignedToken(
          envelope: token.envelope, publicKeyHash: token.publicKeyHash, payment: token.payment,
          plaintext: changed(token.plaintext)))
    }
  }

  private func changed(_ token: DecryptedToken) throws(TokenFault) -> DecryptedToken {
    if lie == .verdict { throw TokenFault(.decryptionFailed) }
    return DecryptedToken(
      envelope: token.envelope, version: token.version, transactionId: token.transactionId,
      publicKeyHash: token.publicKeyHash, ephemeralPublicKey: token.ephemeralPublicKey,
      applicationData: token.applicationData, signedAt: token.signedAt, verifiedAt: token.verifiedAt,
      payment: token.payment, plaintext: changed(token.plaintext))
  }

  private func changed(_ fault: TokenFault) -> TokenFault {
    lie == .verdict
      ? TokenFault(fault.code == .malformedJSON ? .wrongType : .malformedJSON)
      : TokenFault(fault.code, stage: fault.stage, member: fault.member == .data ? .signature : .data)
  }

  private func changed(_ plaintext: [UInt8]) -> [UInt8] {
    plaintext.dropLast() + plaintext.suffix(1).map { $0 ^ 1 }
  }
}

extension Engines {
  /// The fast engine, and the reference engine with a lie.
  func lyingPair(_ lie: LyingEngine.Lie = .bit) -> (any TokenDecryptor, any TokenDecryptor) {
    (fast, LyingEngine(engine: reference, lie: lie))
  }
}

extension MutationRun {
  /// Whether the same run finds something wrong with every sample when one of the engines lies.
  static func seesLies(
    seed: UInt64, samples: [Sample], mutations: [Mutation] = Mutation.all, workshop: Workshop, engines: Engines
  ) throws -> Bool {
    let run = try MutationRun(
      seed: seed, numbers: 0..<60, samples: samples, mutations: mutations, workshop: workshop,
      engines: { engines.lyingPair() }, alsoAccepts: { _ in true })
    return run.count > 20 && run.findings.count == run.count
  }
}

@Suite struct LyingEngineTests {
  @Test(arguments: LyingEngine.Lie.allCases)
  func `two engines that differ in one bit, a member or the verdict do not agree`(_ lie: LyingEngine.Lie) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    let sound = try minter.layers()
    var refused = sound
    refused.data[0] ^= 1
    for (token, isSigned) in [(sound.token, true), (refused.token, true), (sound.token, false)] {
      func agrees(_ pair: (any TokenDecryptor, any TokenDecryptor)) -> Bool {
        Comparison(of: token, by: pair, at: Hunt.now, isUnsigned: !isSigned, under: { VerificationPolicy() }).agrees
      }
      #expect(agrees(engines.pair))
      #expect(!agrees(engines.lyingPair(lie)))
    }
  }
}

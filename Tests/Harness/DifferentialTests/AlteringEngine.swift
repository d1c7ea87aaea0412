import Differential
import Minting
import PaymentToken
import TestCases
import Testing

/// An engine that alters every verdict of another one. A comparison that sees no difference between the two is broken.
struct AlteringEngine: TokenDecryptor {
  enum Alteration: CaseIterable {
    /// The last bit of a plaintext, or the member of a fault.
    case bit
    /// A fault in place of a token, or the code of a fault.
    case verdict
  }

  let engine: any TokenDecryptor
  var alteration = Alteration.bit

  var name: String { engine.name }

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    let token: DecryptedToken
    do { token = try engine.decrypt(request, at: now, under: policy) } catch { throw changed(error) }
    return try changed(token)
  }

  func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    let token: SignedOrUnsignedToken
    do { token = try engine.decryptAllowingUnsigned(request, at: now, under: policy) } catch { throw changed(error) }
    switch token {
    case .signed(let token): return .signed(try changed(token))
    case .unsigned(let token):
      if alteration == .verdict { throw TokenFault(.decryptionFailed) }
      return .unsigned(
        UnsignedToken(
          envelope: token.envelope, publicKeyHash: token.publicKeyHash, payment: token.payment,
          plaintext: changed(token.plaintext)))
    }
  }

  private func changed(_ token: DecryptedToken) throws(TokenFault) -> DecryptedToken {
    if alteration == .verdict { throw TokenFault(.decryptionFailed) }
    return DecryptedToken(
      envelope: token.envelope, version: token.version, transactionId: token.transactionId,
      publicKeyHash: token.publicKeyHash, ephemeralPublicKey: token.ephemeralPublicKey,
      applicationData: token.applicationData, signedAt: token.signedAt, verifiedAt: token.verifiedAt,
      isFromSandbox: token.isFromSandbox,
      payment: token.payment, plaintext: changed(token.plaintext))
  }

  private func changed(_ fault: TokenFault) -> TokenFault {
    alteration == .verdict
      ? TokenFault(fault.code == .malformedJSON ? .wrongType : .malformedJSON)
      : TokenFault(fault.code, stage: fault.stage, member: fault.member == .data ? .signature : .data)
  }

  private func changed(_ plaintext: [UInt8]) -> [UInt8] {
    plaintext.dropLast() + plaintext.suffix(1).map { $0 ^ 1 }
  }
}

extension Engines {
  /// The fast engine, and the reference engine with every answer altered.
  func alteredPair(_ alteration: AlteringEngine.Alteration = .bit) -> (any TokenDecryptor, any TokenDecryptor) {
    (fast, AlteringEngine(engine: reference, alteration: alteration))
  }
}

@Suite struct AlteringEngineTests {
  @Test(arguments: AlteringEngine.Alteration.allCases)
  func `two engines that differ in one bit, a member or the verdict do not agree`(
    _ alteration: AlteringEngine.Alteration
  ) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    let sound = try minter.layers()
    var refused = sound
    refused.data[0] ^= 1
    for (token, isSigned) in [(sound.token, true), (refused.token, true), (sound.token, false)] {
      func agrees(_ pair: (any TokenDecryptor, any TokenDecryptor)) -> Bool {
        let policy = TestPolicy(isUnsigned: !isSigned)
        return Comparison(of: TestInput(token, TestContext(now: Hunt.now, policy: policy)), by: pair).agrees
      }
      #expect(agrees(engines.pair))
      #expect(!agrees(engines.alteredPair(alteration)))
    }
  }
}

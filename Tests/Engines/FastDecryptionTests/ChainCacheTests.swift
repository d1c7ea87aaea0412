import FastDecryption
import Minting
import PaymentToken
import Testing

/// A cached chain saves the verification of its certificates, and nothing else.
@Suite struct ChainCacheTests {
  private let fixture: Fixture
  private let engine: FastDecryptor

  init() throws {
    fixture = try Fixture()
    engine = try fixture.engine()
  }

  @Test func `hostile tokens add no chain to the cache`() throws {
    var workspace = makeWorkspace()
    var signer = TokenSigner(fixture.minter.pki)
    for index in 0..<40 {
      signer.certificates = [fixture.minter.foreign.leaf, fixture.minter.pki.intermediate]
      signer.certificates[0][signer.certificates[0].count - 1] ^= UInt8(index)
      signer.key = fixture.minter.foreign.leafKey
      signer.issuer = fixture.minter.foreign.leafRecipe.issuer
      signer.serial = fixture.minter.foreign.leafRecipe.serial
      #expect(engine.fault(try fixture.token(signedBy: signer), in: &workspace) == TokenFault(.untrustedChain))
    }
    #expect(engine.knownChains == 0)
    #expect(engine.fault(try fixture.minter.mint().bytes, in: &workspace) == nil)
    #expect(engine.knownChains == 1, "the chain of a valid token is not counted either")
  }

  @Test func `a call for known signers decides their tokens alike, and no others`() throws {
    var workspace = makeWorkspace()
    let good = try fixture.minter.layers(TokenRecipe(index: 1))
    var forged = good
    forged.transactionId[0] ^= 1
    var foreign = good
    foreign.signer = TokenSigner(fixture.minter.foreign)
    try foreign.sign()
    func decide(_ token: [UInt8]) -> Result<[UInt8]?, TokenFault> {
      do throws(TokenFault) {
        return .success(
          try engine.decryptOfKnownSigner(
            token.span, at: mintingTime, under: VerificationPolicy(), in: &workspace
          ) { token throws(TokenFault) in try token.copy().plaintext })
      } catch {
        return .failure(error)
      }
    }
    #expect(decide(Array("{".utf8)) == .failure(TokenFault(.malformedJSON)))
    for token in [good.token, forged.token, foreign.token] { #expect(decide(token) == .success(nil)) }
    #expect(engine.knownChains == 0)
    #expect(engine.fault(try fixture.minter.mint().bytes, in: &workspace) == nil)
    #expect(decide(good.token) == .success(good.plaintext))
    #expect(decide(forged.token) == .failure(TokenFault(.signatureMismatch)))
    #expect(decide(foreign.token) == .success(nil))
    #expect(engine.knownChains == 1 && workspace.isWiped)
  }

  @Test func `a cached chain is rejected for another signer identifier`() throws {
    var workspace = makeWorkspace()
    #expect(engine.fault(try fixture.minter.mint().bytes, in: &workspace) == nil)
    var signer = TokenSigner(fixture.minter.pki)
    signer.serial = fixture.minter.foreign.leafRecipe.serial
    let token = try fixture.token(signedBy: signer)
    var fresh = makeWorkspace()
    #expect(engine.fault(token, in: &workspace) == TokenFault(.signerMismatch))
    #expect(engine.fault(token, in: &fresh) == TokenFault(.signerMismatch))
  }

  @Test func `a cached chain does not verify signatures of another key`() throws {
    var workspace = makeWorkspace()
    #expect(engine.fault(try fixture.minter.mint().bytes, in: &workspace) == nil)
    var signer = TokenSigner(fixture.minter.pki)
    signer.key = fixture.minter.foreign.leafKey
    #expect(engine.fault(try fixture.token(signedBy: signer), in: &workspace) == TokenFault(.signatureMismatch))
  }

  @Test func `a chain that differs in one byte is verified again`() throws {
    var workspace = makeWorkspace()
    #expect(engine.fault(try fixture.minter.mint().bytes, in: &workspace) == nil)
    for part in 0..<2 {
      var signer = TokenSigner(fixture.minter.pki)
      signer.certificates[part][signer.certificates[part].count - 1] ^= 1
      #expect(engine.fault(try fixture.token(signedBy: signer), in: &workspace) == TokenFault(.untrustedChain))
      // The lookup's fingerprint does not cover every byte, so the chain must be compared in full.
      for position in stride(from: 0, to: signer.certificates[part].count - 1, by: 5) {
        var signer = TokenSigner(fixture.minter.pki)
        signer.certificates[part][position] ^= 1
        #expect(engine.fault(try fixture.token(signedBy: signer), in: &workspace) != nil, "\(part), \(position)")
      }
    }
    #expect(engine.knownChains == 1)
  }

  @Test func `each of many chains is found, also by a workspace that did not verify it`() throws {
    let tokens = try RewrittenChains.forms(of: fixture.minter.pki).map { try fixture.layers(in: $0).token }
    var workspace = makeWorkspace()
    for (count, token) in tokens.enumerated() {
      #expect(try !knowsChain(of: token, engine))
      #expect(engine.fault(token, in: &workspace) == nil)
      #expect(engine.knownChains == count + 1)
    }
    for token in tokens + tokens.reversed() {
      #expect(try knowsChain(of: token, engine))
      #expect(engine.fault(token, in: &workspace) == nil)
    }
    #expect(engine.knownChains == tokens.count)
  }

  /// Whether an engine has the chain of a token in its cache.
  private func knowsChain(of token: [UInt8], _ engine: FastDecryptor) throws -> Bool {
    guard var stages = StagedDecryption(token, engine: engine, at: mintingTime, under: VerificationPolicy()) else {
      fatalError("no memory")
    }
    for stage in [StagedDecryption.Stage.json, .encodings, .cms, .chain] { try stages.run(stage) }
    return stages.hasKnownChain
  }

  @Test func `what one workspace learns, others find, and engines with other keys too`() throws {
    let other = engine.replacingKeys(with: fixture.keys)
    var first = makeWorkspace()
    var second = makeWorkspace()
    let token = try fixture.minter.mint().bytes
    #expect(other.fault(token, in: &second) == nil)
    var leaves = fixture.minter.generator.stream("leaves")
    for number in 2...6 {
      let signer = TokenSigner(try fixture.minter.pki.withAnotherLeaf(from: &leaves))
      let token = try fixture.token(signedBy: signer)
      #expect(try !knowsChain(of: token, other))
      #expect(engine.fault(token, in: &first) == nil)
      #expect(try knowsChain(of: token, other))
      #expect(other.fault(token, in: &second) == nil)
      #expect(engine.knownChains == number && other.knownChains == number)
    }
  }

  @Test func `revocation and dates are checked at every use`() throws {
    let token = try fixture.minter.mint().bytes
    var workspace = makeWorkspace()
    let revoked = [fixture.minter.pki.leaf, fixture.minter.pki.intermediate].map { certificate in
      VerificationPolicy(revoked: RevokedCertificates([digest(of: certificate)]))
    }
    let year = TestPKI.year
    func later(_ seconds: Int64) -> UnixTime {
      UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + seconds)
    }
    for _ in 0..<2 {
      #expect(engine.fault(token, in: &workspace) == nil)
      for policy in revoked {
        #expect(engine.fault(token, under: policy, in: &workspace) == TokenFault(.certificateRevoked))
      }
      #expect(engine.fault(token, at: later(5 * year), in: &workspace) == TokenFault(.certificateExpired))
      #expect(engine.fault(token, at: later(-2 * year), in: &workspace) == TokenFault(.certificateNotYetValid))
    }
  }

  @Test func `archival verification uses the signing time and no replay store`() throws {
    let token = try fixture.minter.mint().bytes
    var workspace = makeWorkspace()
    let archival = VerificationPolicy(freshness: .signingTime)
    for seconds in [Int64.min, 0, Int64.max] {
      let now = UnixTime(secondsSinceEpoch: seconds)
      #expect(engine.fault(token, at: now, under: archival, in: &workspace) == nil)
      #expect(engine.fault(token, at: now, in: &workspace) != nil)
    }
  }
}

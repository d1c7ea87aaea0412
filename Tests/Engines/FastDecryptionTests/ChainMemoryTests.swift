import FastDecryption
import Gateways
import Minting
import PaymentToken
import TestSupport
import Testing

/// A chain is cached only after its leaf's key has verified a token's signature (stage 8).
@Suite struct ChainMemoryTests {
  private let fixture: Fixture
  private let forms: [[[UInt8]]]

  init() throws {
    fixture = try Fixture()
    forms = try RewrittenChains.forms(of: fixture.minter.pki)
  }

  private func engine(_ path: Path) throws -> FastDecryptor {
    try path.engine(keys: fixture.keys, anchors: fixture.minter.anchors)
  }

  @Test func `genuine tokens are accepted with every form of their chain, and each form is cached once`() throws {
    #expect(Set(forms).count == 32)
    for form in forms {
      let engine = try fixture.engine()
      var workspace = makeWorkspace()
      for index in 0..<3 {
        #expect(engine.fault(try fixture.layers(index: UInt64(index), in: form).token, in: &workspace) == nil)
      }
      #expect(engine.knownChains == 1)
    }
  }

  @Test(arguments: Path.allCases) func `forged tokens with rewritten chains are not cached`(_ path: Path) throws {
    let engine = try engine(path)
    let forgeries = try forms.flatMap {
      [try fixture.tokenOfOtherContent(in: $0), try fixture.tokenOfOtherSigner(in: $0)]
    }
    for known in 0...1 {
      #expect(try faults(of: forgeries, path, engine).allSatisfy { $0 == TokenFault(.signatureMismatch) })
      #expect(engine.knownChains == known)
      #expect(try faults(of: [try fixture.minter.layers().token], path, engine) == [nil])
      #expect(engine.knownChains == 1)
    }
  }

  private func faults(of tokens: [[UInt8]], _ path: Path, _ engine: FastDecryptor) throws -> [TokenFault?] {
    if path.isBatch {
      return engine.decryptBatch(tokens, at: mintingTime, under: VerificationPolicy()).map {
        if case .failure(let fault) = $0 { fault } else { nil }
      }
    }
    var workspace = makeWorkspace()
    return tokens.map { engine.fault($0, in: &workspace) }
  }

  @Test func `forged tokens with rewritten chains are not cached without a workspace`() throws {
    let engine = try fixture.engine()
    func fault(_ token: [UInt8]) -> TokenFault? {
      do {
        _ = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
        return nil
      } catch {
        return error
      }
    }
    for form in forms {
      #expect(fault(try fixture.tokenOfOtherContent(in: form)) == TokenFault(.signatureMismatch))
      #expect(engine.knownChains == 0)
    }
    #expect(fault(try fixture.minter.layers().token) == nil)
    #expect(engine.knownChains == 1)
  }

  @Test func `forged tokens with rewritten chains are not cached under the unsigned policy`() throws {
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    for form in forms {
      var forged = try fixture.layers(in: form)
      forged.transactionId[0] ^= 1
      #expect(
        engine.unsignedVerdict(Wrapping.parts(forged), in: &workspace) == .refused(TokenFault(.signatureMismatch)))
      #expect(engine.knownChains == 0)
    }
    let genuine = try fixture.layers(in: forms[0])
    #expect(engine.unsignedVerdict(Wrapping.parts(genuine), in: &workspace) == .signed(genuine.plaintext))
    #expect(engine.knownChains == 1)
  }

  @Test(arguments: Path.allCases.filter(\.isBatch))
  func `the chain of a genuine token among forged ones is cached at each position of a batch`(_ path: Path) throws {
    // Eight of the forms; the genuine token is placed before, between and after them.
    let forgeries = try stride(from: 1, to: 32, by: 4).map { try fixture.tokenOfOtherSigner(in: forms[$0]) }
    let genuine = try fixture.layers(in: forms[0])
    for position in 0...forgeries.count {
      let engine = try engine(path)
      var tokens = forgeries
      tokens.insert(genuine.token, at: position)
      let verdicts = engine.decryptBatch(tokens, at: mintingTime, under: VerificationPolicy())
      for (index, verdict) in verdicts.enumerated() {
        #expect(
          verdict.map(\.plaintext)
            == (index == position ? .success(genuine.plaintext) : .failure(TokenFault(.signatureMismatch))))
      }
      #expect(engine.knownChains == 1)
    }
  }

  @Test(arguments: Path.allCases.filter(\.isBatch))
  func `a forged token does not affect genuine ones of its chain in a batch`(_ path: Path) throws {
    for position in [0, 1, 63, 64, 65, 69] {
      let engine = try engine(path)
      var tokens = try (0..<70).map { try fixture.minter.layers(TokenRecipe(index: UInt64($0))).token }
      tokens[position] = try fixture.tokenOfOtherSigner(in: forms[0])
      let faults = try faults(of: tokens, path, engine)
      #expect(faults.indices.allSatisfy { faults[$0] == ($0 == position ? TokenFault(.signatureMismatch) : nil) })
      #expect(engine.knownChains == 1)
    }
  }

  @Test func `a chain that is expired, not yet valid or revoked is not cached`() throws {
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    let token = try fixture.minter.layers().token
    let revoked = VerificationPolicy(revoked: RevokedCertificates([digest(of: fixture.minter.pki.leaf)]))
    let year = TestPKI.year
    let later = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + 5 * year)
    #expect(engine.fault(token, under: revoked, in: &workspace) == TokenFault(.certificateRevoked))
    #expect(engine.fault(token, at: later, in: &workspace) == TokenFault(.certificateExpired))
    let earlier = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch - 2 * year)
    #expect(engine.fault(token, at: earlier, in: &workspace) == TokenFault(.certificateNotYetValid))
    #expect(engine.knownChains == 0)
  }

  @Test func `a chain whose token fails after stage 8 is cached`() throws {
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    let late = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + 301)
    let token = try fixture.minter.layers().token
    #expect(engine.fault(token, at: late, in: &workspace) == TokenFault(.signingTimeOutsideWindow))
    #expect(engine.knownChains == 1)
  }
}

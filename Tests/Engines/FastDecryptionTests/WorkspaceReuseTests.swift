import FastDecryption
import Minting
import PaymentToken
import Testing

/// A workspace does not affect later tokens, engines or verdicts.
@Suite struct WorkspaceReuseTests {
  @Test func `a chain that another engine trusts is not trusted by this one through a shared workspace`() throws {
    let fixture = try Fixture()
    let token = try fixture.token(signedBy: TokenSigner(fixture.minter.foreign))
    let trusting = try fixture.engine(fixture.minter.foreign.anchors)
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    #expect(trusting.fault(token, in: &workspace) == nil)
    #expect(engine.fault(token, in: &workspace) == TokenFault(.untrustedChain))
    #expect(trusting.fault(token, in: &workspace) == nil)
  }

  @Test func `a workspace outlives the engine of its last chain`() throws {
    let fixture = try Fixture()
    let token = try fixture.token(signedBy: TokenSigner(fixture.minter.foreign))
    var workspace = makeWorkspace()
    for _ in 0..<20 {
      do {
        let trusting = try fixture.engine(fixture.minter.foreign.anchors)
        #expect(trusting.fault(token, in: &workspace) == nil)
      }
      let engine = try fixture.engine()
      #expect(engine.fault(token, in: &workspace) == TokenFault(.untrustedChain))
    }
  }

  @Test func `engines with other keys share a workspace`() throws {
    let (first, second) = (try Fixture(seed: 1), try Fixture(seed: 2))
    let engines = (try first.engine(), try second.engine())
    let tokens = (try first.minter.mint(), try second.minter.mint())
    var workspace = makeWorkspace()
    for _ in 0..<3 {
      #expect(try engines.0.verdict(tokens.0.bytes, in: &workspace).get() == tokens.0.plaintext)
      #expect(engines.1.fault(tokens.0.bytes, in: &workspace) == TokenFault(.untrustedChain))
      #expect(try engines.1.verdict(tokens.1.bytes, in: &workspace).get() == tokens.1.plaintext)
    }
  }

  @Test func `a rejection at any stage does not affect the next verdict`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let sound = try fixture.minter.mint()
    var workspace = makeWorkspace()
    for (fault, token) in try HostileTokens.ofEveryStage(fixture) {
      #expect(engine.fault(token, in: &workspace) == fault)
      #expect(try engine.verdict(sound.bytes, in: &workspace).get() == sound.plaintext, "after \(fault.code)")
    }
  }

  @Test func `a shorter token after a long one is read correctly`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    for length in [9_000, 10, 4_500, 0] {
      var recipe = TokenRecipe(index: UInt64(length))
      recipe.payload.cardholderName = String(repeating: "A", count: length)
      let token = try fixture.minter.mint(recipe)
      #expect(try engine.verdict(token.bytes, in: &workspace).get() == token.plaintext)
    }
  }

  @Test func `an error thrown by the body is rethrown, and the workspace stays usable`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let sound = try fixture.minter.mint()
    var workspace = makeWorkspace()
    #expect(throws: TokenFault(.amountMismatch)) {
      try engine.decrypt(sound.bytes.span, at: mintingTime, under: VerificationPolicy(), in: &workspace) {
        _ throws(TokenFault) in throw TokenFault(.amountMismatch)
      }
    }
    #expect(try engine.verdict(sound.bytes, in: &workspace).get() == sound.plaintext)
  }

  @Test func `a body may decrypt another token in another workspace`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let (outer, inner) = (try fixture.minter.mint(index: 1), try fixture.minter.mint(index: 2))
    var workspace = makeWorkspace()
    let plaintexts = try engine.decrypt(
      outer.bytes.span, at: mintingTime, under: VerificationPolicy(), in: &workspace
    ) { opened throws(TokenFault) in
      let other = try engine.decrypt(inner.bytes.span, at: mintingTime, under: VerificationPolicy())
      return (try opened.copy().plaintext, other.plaintext)
    }
    #expect(plaintexts.0 == outer.plaintext)
    #expect(plaintexts.1 == inner.plaintext)
  }
}

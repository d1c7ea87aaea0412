import FastDecryption
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// What an opened token says besides its plaintext.
@Suite struct OpenedTokenTests {
  @Test func `a copy says what was signed, for which key, and when it was verified`() throws {
    let fixture = try Fixture(seed: 58)
    var recipe = TokenRecipe(index: 3)
    recipe.applicationData = [UInt8](repeating: 9, count: 32)
    recipe.signedAfter = -60
    let layers = try fixture.minter.layers(recipe)
    let engine = try fixture.engine()
    let alone = try engine.decrypt(layers.token.span, at: mintingTime, under: VerificationPolicy())
    let inBatch = try engine.decryptBatch([layers.token], at: mintingTime, under: VerificationPolicy())[0].get()
    #expect(alone == inBatch)
    #expect(alone.envelope == "apple" && alone.version == .ecV1)
    #expect(alone.transactionId.bytes == layers.transactionId)
    #expect(alone.publicKeyHash.bytes == layers.publicKeyHash)
    #expect(alone.ephemeralPublicKey == layers.ephemeralPublicKey)
    #expect(alone.applicationData?.bytes == layers.applicationData)
    #expect(alone.signedAt == layers.signedAt && alone.verifiedAt == mintingTime)
    #expect(alone.signedAt != alone.verifiedAt)
    #expect(alone.plaintext == layers.plaintext)
  }

  /// The first name is that of Apple's own sandbox.
  @Test(arguments: [
    ("ecc-smp-broker-sign_UC4-SANDBOX", true), ("Sandbox", true), ("ecc-smp-broker-sign_UC4-PROD", false),
    ("SANDBO", false), ("SAND-BOX", false),
  ]) func `a token is from the sandbox if its signer's name says so`(_ name: String, _ isFromSandbox: Bool) throws {
    let fixture = try Fixture(seed: 59)
    var pki = fixture.minter.pki
    pki.leafRecipe.subject = .sequence([.set([.sequence([.oid([2, 5, 4, 3]), .utf8String(name)])])])
    try pki.issueLeaf()
    let token = try fixture.token(signedBy: TokenSigner(pki))
    let reference = try ReferenceDecryptor(keys: fixture.keys, anchors: fixture.minter.anchors)
    let engine = try fixture.engine()
    // The second time the chain is known.
    for _ in 0..<2 {
      let alone = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
      let inBatch = try engine.decryptBatch([token], at: mintingTime, under: VerificationPolicy())[0].get()
      #expect(alone.isFromSandbox == isFromSandbox && inBatch == alone)
      #expect(try reference.decrypt(token.span, at: mintingTime, under: VerificationPolicy()) == alone)
    }
  }

  @Test func `a token of RSA_v1 has no ephemeral key`() throws {
    let minter = try Minter(seed: 61, at: mintingTime)
    let engine = try FastDecryptor(keys: minter.merchantKeySet(), anchors: minter.anchors)
    let token = try minter.mintRSA(index: 1)
    let alone = try engine.decrypt(token.bytes.span, at: mintingTime, under: VerificationPolicy())
    let inBatch = try engine.decryptBatch([token.bytes], at: mintingTime, under: VerificationPolicy())[0].get()
    #expect(alone == inBatch && alone.version == .rsaV1)
    #expect(alone.ephemeralPublicKey == nil)
    #expect(alone.plaintext == token.plaintext)
  }
}

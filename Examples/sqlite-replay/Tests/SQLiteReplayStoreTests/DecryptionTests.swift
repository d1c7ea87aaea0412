import FastDecryption
import Minting
import PaymentToken
import SQLiteReplayStore
import Testing

/// The store as an engine uses it: in the last check.
struct DecryptionTests {
  @Test func `a token is accepted once, and not at all while the store cannot answer`() throws {
    let minter = try Minter(seed: 7, at: noon)
    let engine = try FastDecryptor(keys: try minter.merchantKeySet(), anchors: minter.anchors)
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database)
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    let (first, second) = (try minter.mint(TokenRecipe(index: 1)).bytes, try minter.mint(TokenRecipe(index: 2)).bytes)
    #expect(try engine.decrypt(first.span, at: noon, under: policy).payment.currencyCode == "978")
    #expect(throws: TokenFault(.replayedTransaction)) { try engine.decrypt(first.span, at: noon, under: policy) }
    #expect(throws: TokenFault(.amountMismatch)) {
      try engine.decrypt(
        second.span, at: noon,
        under: VerificationPolicy(freshness: policy.freshness, expectations: Expectations(transactionAmount: 1)))
    }
    // The second token was refused for its amount, and so not remembered.
    #expect(try engine.decrypt(second.span, at: noon, under: policy).payment.transactionAmount == 1_250)

    let other = try SQLiteReplayStore(path: folder.database)
    let elsewhere = VerificationPolicy(freshness: .window(seconds: 300, replay: other))
    #expect(throws: TokenFault(.replayedTransaction)) { try engine.decrypt(first.span, at: noon, under: elsewhere) }
  }
}

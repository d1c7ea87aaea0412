import Foundation
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization
import Testing

/// An external key that answers only so many times.
private final class ShortLivedKey: KeyAgreement {
  private let pair: KeyPair
  private let answers: Int
  private let count = Mutex(0)

  init(_ pair: KeyPair, answers: Int) {
    self.pair = pair
    self.answers = answers
  }

  var calls: Int { count.withLock { $0 } }

  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let point = peer.indices.map { peer[$0] }
    guard number <= answers, let made = try? pair.sharedSecret(with: point) else { throw KeyUnavailable() }
    for index in made.indices { secret[index] = made[index] }
  }
}

/// External keys (rules 11.1 and 11.3), and the stages in groups.
struct StagedReferenceTests {
  private let minter: Minter
  private let layers: TokenLayers

  init() throws {
    minter = try Minted.minter()
    layers = try minter.layers()
  }

  private func engine(_ key: ShortLivedKey) throws -> ReferenceDecryptor {
    let external = try ExternalECKey(publicKey: minter.merchants[0].keys[0].pair.point, agreement: key)
    let source = MerchantKeySource(secret: .external(external), merchantID: minter.merchants[0].identifier)
    return try ReferenceDecryptor(keys: MerchantKeySet([source]), anchors: minter.anchors)
  }

  private func staged(
    _ engine: ReferenceDecryptor? = nil, _ policy: VerificationPolicy = VerificationPolicy()
  ) throws -> StagedReference {
    try StagedReference(layers.token, engine: engine ?? Minted.engine(minter), at: Minted.time, under: policy)
  }

  @Test func `an external key is asked about points of the curve alone`() throws {
    let key = ShortLivedKey(minter.merchants[0].keys[0].pair, answers: 1)
    let engine = try engine(key)
    let edits: [@Sendable (inout [UInt8]) -> Void] = [
      { $0[90] ^= 1 },  // off the curve
      { $0[26] = 0x06 | $0[90] & 1 },  // the hybrid form of the same point
      { for index in 27..<59 { $0[index] = 0xFF } },  // x above p
      { for index in 59..<91 { $0[index] = 0xFF } },  // y above p
    ]
    for (index, edit) in edits.enumerated() {
      var other = layers
      edit(&other.ephemeralPublicKey)
      try other.sign()
      #expect(engine.code(other.token) == .invalidEphemeralKey, "edit \(index)")
    }
    #expect(key.calls == 0)
    #expect(engine.code(layers.token) == nil)
    #expect(engine.code(layers.token) == .keyUnavailable)
    #expect(key.calls == 2)
  }

  @Test func `the groups in order decrypt the token`() throws {
    let staged = try staged()
    for group in StagedReference.Group.allCases { try staged.run(group) }
    #expect(staged.plaintext == layers.plaintext)
    let refused = try self.staged(nil, VerificationPolicy(expectations: Expectations(currencyCode: "000")))
    for group in StagedReference.Group.allCases.dropLast() { try refused.run(group) }
    #expect(throws: TokenFault(.currencyMismatch)) { try refused.run(.payload) }
  }

  @Test func `a group before whose input is made is a wrong call, and no fault of the token`() async {
    await #expect(processExitsWith: .failure) {
      do { try StagedReferenceTests().staged().run(.cmsChainSignature) } catch { exit(0) }
    }
    await #expect(processExitsWith: .failure) {
      do { try StagedReferenceTests().staged().run(.keyDecryption) } catch { exit(0) }
    }
    await #expect(processExitsWith: .failure) {
      do {
        let staged = try StagedReferenceTests().staged()
        try staged.run(.jsonEncodings)
        guard staged.plaintext.isEmpty else { exit(0) }
        try staged.run(.payload)
      } catch {
        exit(0)
      }
    }
    await #expect(processExitsWith: .failure) {
      do { try StagedReferenceTests().staged().run(.payload) } catch { exit(0) }
    }
  }

  @Test func `a decryption that fails leaves no plaintext of an earlier one`() throws {
    let key = ShortLivedKey(minter.merchants[0].keys[0].pair, answers: 1)
    let staged = try staged(engine(key))
    try staged.run(.jsonEncodings)
    try staged.run(.keyDecryption)
    #expect(staged.plaintext == layers.plaintext)
    #expect(throws: TokenFault(.keyUnavailable)) { try staged.run(.keyDecryption) }
    #expect(staged.plaintext.isEmpty)
  }
}

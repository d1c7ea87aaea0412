import Foundation
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

/// External keys (rules 11.1 and 11.3), and the stages in groups.
struct StagedReferenceTests {
  private let minter: Minter
  private let layers: TokenLayers

  init() throws {
    minter = try Minted.minter()
    layers = try minter.layers()
  }

  /// An external key that answers once.
  private func shortLivedKey() -> ExternalKeyStandIn {
    let pair = minter.merchants[0].keys[0].pair
    return ExternalKeyStandIn { point, number in number < 1 ? try? pair.sharedSecret(with: point) : nil }
  }

  private func engine(_ key: ExternalKeyStandIn) throws -> ReferenceDecryptor {
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
    let key = shortLivedKey()
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
    #expect(key.asked.count == 0)
    #expect(engine.code(layers.token) == nil)
    #expect(engine.code(layers.token) == .keyUnavailable)
    #expect(key.asked.count == 2)
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
    let key = shortLivedKey()
    let staged = try staged(engine(key))
    try staged.run(.jsonEncodings)
    try staged.run(.keyDecryption)
    #expect(staged.plaintext == layers.plaintext)
    #expect(throws: TokenFault(.keyUnavailable)) { try staged.run(.keyDecryption) }
    #expect(staged.plaintext.isEmpty)
  }
}

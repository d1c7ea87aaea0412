import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization
import Testing

/// The engine for harnesses, which may reuse the results of signature checks.
struct SignatureReuseTests {
  private let minter: Minter

  init() throws { minter = try Minted.minter() }

  /// Remembers what an engine asked for.
  private final class Record: Sendable {
    private let seen = Mutex<[[[UInt8]]]>([])

    var inputs: [[[UInt8]]] { seen.withLock { $0 } }

    func add(_ inputs: [[UInt8]]) { seen.withLock { $0.append(inputs) } }
  }

  /// The code for a token, and what the engine asked for. `answer` gets the call of libcrypto.
  private func verdict(
    on token: TokenLayers, anchors: TrustAnchors? = nil, _ answer: @escaping @Sendable (() -> Bool) -> Bool
  ) throws -> (code: TokenFault.Code?, inputs: [[[UInt8]]]) {
    let record = Record()
    let engine = try ReferenceDecryptor(keys: Minted.keys(minter), anchors: anchors ?? minter.anchors) {
      inputs, verify in
      record.add(inputs)
      return answer(verify)
    }
    return (engine.code(token.token), record.inputs)
  }

  @Test func `each signature is asked for once, with everything that its result depends on`() throws {
    var pki = minter.pki
    pki.leafRecipe.sign(with: .sequence([.oid([1, 2, 840, 10045, 4, 3, 3])]), .sha384)
    try pki.issue()
    var token = try minter.layers()
    token.signer = TokenSigner(pki)
    try token.sign()
    let (code, inputs) = try verdict(on: token, anchors: pki.anchors) { verify in verify() }
    #expect(code == nil)
    try #require(inputs.map(\.count) == [4, 4, 4])
    #expect(Array(pki.intermediate.suffix(inputs[0][0].count)) == inputs[0][0])
    #expect(Array(pki.leaf.suffix(inputs[1][0].count)) == inputs[1][0])
    let attributes = token.signer.attributes(over: token.signedContent, at: token.signedAt)
    let messages = [
      pki.intermediateRecipe.body.encoded, pki.leafRecipe.body.encoded, ASN1Node.set(attributes).encoded,
    ]
    #expect(inputs.map { $0[1] } == messages)
    let signers = [pki.rootRecipe, pki.intermediateRecipe, pki.leafRecipe]
    #expect(inputs.map { $0[2] } == signers.map(\.publicKeyInfo.encoded))
    // The sizes of SHA-256 and SHA-384, in bytes.
    #expect(inputs.map { $0[3] } == [[32], [48], [32]])
  }

  @Test func `the answer decides, and libcrypto's is the right one`() throws {
    let sound = try minter.layers()
    var forged = sound
    forged.signer.key = minter.foreign.leafKey
    try forged.sign()
    var pki = minter.pki
    pki.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
    try pki.issueLeaf()
    var untrusted = sound
    untrusted.signer = TokenSigner(pki)
    try untrusted.sign()

    #expect(try verdict(on: sound) { verify in verify() }.code == nil)
    #expect(try verdict(on: forged) { verify in verify() }.code == .signatureMismatch)
    #expect(try verdict(on: untrusted) { verify in verify() }.code == .untrustedChain)
    #expect(try verdict(on: sound) { _ in false }.code == .untrustedChain)
    #expect(try verdict(on: forged) { _ in true }.code == nil)
    #expect(try verdict(on: untrusted) { _ in true }.code == nil)
  }
}

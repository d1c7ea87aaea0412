import MerchantKeys
import Minting
import ReferenceDecryption
import Testing

/// Tests the OpenSSL oracle alone: it must report what OpenSSL rejects.
struct CrossCheckTests {
  private let minter: Minter
  private let layers: TokenLayers

  init() throws {
    minter = try Minted.minter()
    layers = try minter.layers()
  }

  private func outcome(
    _ token: TokenLayers? = nil, content: [UInt8]? = nil, root: [UInt8]? = nil, intermediate: [UInt8]? = nil,
    leaf: [UInt8]? = nil
  ) throws -> CrossCheckOutcome {
    let token = token ?? layers
    let chain = CertificateChain(
      root: try Certificate(der: root ?? minter.pki.root),
      intermediate: try Certificate(der: intermediate ?? minter.pki.intermediate),
      leaf: try Certificate(der: leaf ?? minter.pki.leaf))
    return CrossCheck.outcome(
      contentInfo: token.signature, content: content ?? token.signedContent, chain: chain)
  }

  @Test func `OpenSSL agrees with a valid token, with either form of signer identifier`() throws {
    #expect(try outcome() == .agreed)
    var other = layers
    other.signatureRecipe.identifier = .subjectKeyIdentifier
    try other.sign()
    #expect(try outcome(other) == .agreed)
  }

  @Test func `OpenSSL disagrees with each broken link, with other content and with another signer`() throws {
    #expect(try outcome(content: layers.signedContent + [0]) == .disagreed)
    #expect(try outcome(root: minter.foreign.root) == .disagreed)
    var pki = minter.pki
    pki.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
    try pki.issueLeaf()
    #expect(try outcome(leaf: pki.leaf) == .disagreed)
    pki = minter.pki
    pki.intermediateRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
    try pki.issueIntermediate()
    #expect(try outcome(intermediate: pki.intermediate) == .disagreed)
    #expect(try outcome(intermediate: minter.foreign.intermediate) == .disagreed)
    // Another leaf, correctly issued by the same CA.
    var stream = minter.generator.stream("another leaf")
    let another = try minter.pki.withAnotherLeaf(from: &stream)
    #expect(try outcome(leaf: another.leaf) == .disagreed)
    var unknownKeyAlgorithm = minter.pki
    unknownKeyAlgorithm.rootRecipe.publicKeyInfo = .sequence([.sequence([.oid([2, 999, 1])]), .bitString([1])])
    let root = try unknownKeyAlgorithm.rootRecipe.issue(by: unknownKeyAlgorithm.rootKey)
    #expect(try outcome(root: root) == .disagreed)
    var forged = layers
    forged.signer.key = minter.foreign.leafKey
    try forged.sign()
    #expect(try outcome(forged) == .disagreed)
  }

  @Test func `what OpenSSL cannot read is not compared`() throws {
    var other = layers
    other.signature.removeLast()
    #expect(try outcome(other) == .notComparable)
    other.signature = layers.signature + [0]
    #expect(try outcome(other) == .notComparable)
  }
}

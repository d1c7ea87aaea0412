import Minting
import PaymentToken

/// Roots and signers in addition to the minter's, to test the choice among several roots and the rules for each of
/// them. The engines trust all of these roots.
struct TestAuthorities {
  /// A root, and the key that signs with it.
  struct Root {
    let certificate: [UInt8]
    let subject: ASN1Node
    let key: SigningKey
    let algorithm: ASN1Node
    let digest: SignatureDigest
  }

  /// All roots, including the minter's. A root with the same name comes before it.
  let roots: [Root]
  /// The key of a second leaf that the test authorities may certify.
  let spareLeaf: KeyPair
  /// An RSA key one bit too short to sign certificates or tokens.
  let shortRSA: RSAKeyPair
  /// A key on P-384, which leaves must not use.
  let p384: KeyPair

  init(_ minter: Minter) throws(MintingError) {
    var stream = minter.generator.stream("fuzzing authorities")
    spareLeaf = try KeyPair(.p256, from: &stream)
    shortRSA = try RSAKeyPair(bits: 2_047, from: &stream)
    p384 = try KeyPair(.p384, from: &stream)
    let longRSA = try RSAKeyPair(bits: 2_048, from: &stream)
    var roots: [Root] = []

    func add(
      _ key: SigningKey, _ algorithm: ASN1Node, _ digest: SignatureDigest, name: String?, _ entry: ASN1Node? = nil
    ) throws(MintingError) {
      var recipe = minter.pki.rootRecipe
      recipe.publicKeyInfo = key.publicKeyInfo
      recipe.sign(with: algorithm, digest)
      if let name {
        recipe.subject = Self.renamed(recipe.subject, name)
        recipe.issuer = recipe.subject
      }
      if let entry {
        recipe.extensions.removeAll { $0.children.first == entry.children.first }
        recipe.extensions.append(entry)
      }
      roots.append(
        Root(
          certificate: try recipe.issue(by: key), subject: recipe.subject, key: key, algorithm: algorithm,
          digest: digest))
    }
    func elliptic() throws(MintingError) -> SigningKey { .ec(try KeyPair(.p384, from: &stream)) }

    try add(try elliptic(), Algorithms.ecdsaSHA384, .sha384, name: nil)
    roots.append(
      Root(
        certificate: minter.pki.root, subject: minter.pki.rootRecipe.subject, key: minter.pki.rootKey,
        algorithm: Algorithms.ecdsaSHA256, digest: .sha256))
    try add(.rsa(longRSA), Algorithms.rsaSHA256, .sha256, name: "RSA")
    try add(.rsa(shortRSA), Algorithms.rsaSHA256, .sha256, name: "short RSA")
    let entries = [
      ("path 0", Extensions.basicConstraints(authority: true, pathLength: 0)),
      ("path 1", Extensions.basicConstraints(authority: true, pathLength: 1)),
      ("no authority", Extensions.basicConstraints(authority: false)), ("no signer", Extensions.keyUsage(0x02)),
      ("critical", Extensions.make(OID.unknown, critical: true, .null)),
    ]
    for (name, entry) in entries {
      try add(try elliptic(), Algorithms.ecdsaSHA384, .sha384, name: name, entry)
    }
    self.roots = roots
  }

  var anchors: TrustAnchors { TrustAnchors(certificates: roots.map(\.certificate)) }

  private static func renamed(_ name: ASN1Node, _ text: String) -> ASN1Node {
    var name = name
    name.edit(path: [0, 0, 1]) { $0.contents += Array(" \(text)".utf8) }
    return name
  }
}

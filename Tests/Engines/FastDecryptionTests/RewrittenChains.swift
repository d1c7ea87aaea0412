import Minting

/// The forms into which anyone can rewrite the certificates of a genuine token without a key. All of them are valid.
enum RewrittenChains {
  /// 32 certificate lists, the usual one first: leaf and intermediate with (r, s) or (r, n − s), in every order, with
  /// the root and without it.
  static func forms(of pki: TestPKI) throws -> [[[UInt8]]] {
    let leaves = [pki.leaf, try withOtherValue(pki.leaf, pki.leafRecipe, by: pki.intermediateKey)]
    let intermediates = [
      pki.intermediate, try withOtherValue(pki.intermediate, pki.intermediateRecipe, by: pki.rootKey),
    ]
    return leaves.flatMap { leaf in
      intermediates.flatMap { intermediate in
        [
          [leaf, intermediate], [intermediate, leaf], [leaf, intermediate, pki.root], [leaf, pki.root, intermediate],
          [intermediate, leaf, pki.root], [intermediate, pki.root, leaf], [pki.root, leaf, intermediate],
          [pki.root, intermediate, leaf],
        ]
      }
    }
  }

  /// The certificate with (r, n − s) in place of (r, s).
  private static func withOtherValue(
    _ certificate: [UInt8], _ recipe: CertificateRecipe, by issuer: SigningKey
  ) throws -> [UInt8] {
    guard case .ec(let key) = issuer else { throw MintingError.recipe("an issuer with an EC key") }
    let other = try key.negated(key.sign(digest: Hashing.sha256(body(of: certificate)))).node.encoded
    var recipe = recipe
    recipe.editSignature = { $0 = other }
    return try recipe.issue(by: issuer)
  }

  /// The tbsCertificate. It and the certificate are longer than 255 bytes, so each length has two bytes.
  private static func body(of certificate: [UInt8]) -> [UInt8] {
    Array(certificate[4..<(8 + Int(certificate[6]) << 8 + Int(certificate[7]))])
  }
}

extension Fixture {
  /// A token with the certificates in this form.
  func layers(index: UInt64 = 0, in form: [[UInt8]]) throws -> TokenLayers {
    var layers = try minter.layers(TokenRecipe(index: index))
    layers.signer.certificates = form
    try layers.sign()
    return layers
  }

  /// The same with a transactionId that nobody signed (8.1).
  func tokenOfOtherContent(in form: [[UInt8]]) throws -> [UInt8] {
    var layers = try layers(in: form)
    layers.transactionId[0] ^= 1
    return layers.token
  }

  /// The same signed by a key that is not the leaf's (8.2).
  func tokenOfOtherSigner(in form: [[UInt8]]) throws -> [UInt8] {
    var layers = try layers(in: form)
    layers.signer.key = minter.foreign.leafKey
    try layers.sign()
    return layers.token
  }
}

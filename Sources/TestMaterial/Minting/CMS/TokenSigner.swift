import PaymentToken

/// The signer of a token: the leaf's key, the signer identifier, and the certificates in the CMS.
package struct TokenSigner: Sendable {
  /// The key that signs, unless `rsaKey` does.
  package var key: KeyPair
  /// The key that signs a token of RSA_v1.
  package var rsaKey: RSAKeyPair?
  /// The issuer's Name as the signer identifier writes it.
  package var issuer: ASN1Node
  /// The serial number as the signer identifier writes it.
  package var serial: ASN1Node
  /// The contents of the leaf's subjectKeyIdentifier.
  package var keyIdentifier: [UInt8]
  /// Each certificate as DER; a test may add something else, which must be refused.
  package var certificates: [[UInt8]]

  /// The signer with a PKI's leaf for tokens of a version; the CMS holds the leaf and then the intermediate.
  package init(_ pki: TestPKI, version: TokenVersion = .ecV1) {
    let (recipe, leaf, rsaKey) =
      switch version {
      case .ecV1: (pki.leafRecipe, pki.leaf, nil as RSAKeyPair?)
      case .rsaV1: (pki.rsaLeafRecipe, pki.rsaLeaf, pki.rsaLeafKey)
      }
    key = pki.leafKey
    self.rsaKey = rsaKey
    issuer = recipe.issuer
    serial = recipe.serial
    keyIdentifier = Extensions.keyIdentifier(of: recipe.publicKeyInfo)
    certificates = [leaf, pki.intermediate]
  }

  /// Signs `content` and returns a complete ContentInfo (RFC 5652, 5).
  package func sign(
    _ content: [UInt8], at time: UnixTime, as recipe: SignedDataRecipe = SignedDataRecipe()
  ) throws(MintingError) -> [UInt8] {
    let attributes = attributes(over: content, at: time, as: recipe)
    var value = try value(over: attributes)
    recipe.editValue?(&value)

    let identified: [ASN1Node] =
      switch recipe.identifier {
      case .issuerAndSerialNumber: [.integer(1), .sequence([issuer, serial])]
      case .subjectKeyIdentifier: [.integer(3), .contextPrimitive(0, keyIdentifier)]
      }
    let signerInfo = ASN1Node.sequence(
      identified + [recipe.sha256, .context(0, attributes), algorithm(recipe), .octetString(value)])
    func wrapper(_ node: ASN1Node) -> ASN1Node {
      ASN1Node(identifier: node.identifier, length: recipe.wrappers, body: node.body)
    }
    let signedData = wrapper(
      .sequence([
        .integer(1), .set([recipe.sha256]), wrapper(.sequence([OID.data])),
        wrapper(.context(0, certificates.map { .raw($0) })), .set([signerInfo]),
      ]))
    var contentInfo = wrapper(.sequence([OID.signedData, wrapper(.context(0, [signedData]))]))
    recipe.editTree?(&contentInfo)
    return contentInfo.encoded
  }

  /// The signed attributes over a content.
  package func attributes(
    over content: [UInt8], at time: UnixTime, as recipe: SignedDataRecipe = SignedDataRecipe()
  ) -> [ASN1Node] {
    func attribute(_ type: ASN1Node, _ value: ASN1Node) -> ASN1Node { .sequence([type, .set([value])]) }
    var list = [
      attribute(OID.contentType, OID.data), attribute(OID.signingTime, recipe.signingTime ?? .time(time)),
    ]
    if recipe.attributes == .four {
      let repeated = recipe.protectedAlgorithm ?? algorithm(recipe)
      list.append(
        attribute(OID.algorithmProtection, .sequence([recipe.sha256, .context(1, repeated.children)])))
    }
    list.append(attribute(OID.messageDigest, .octetString(Hashing.sha256(content))))
    guard let edit = recipe.editAttributes else { return list }
    edit(&list)
    if recipe.sortsAttributes { list.sort { $0.encoded.lexicographicallyPrecedes($1.encoded) } }
    return list
  }

  /// The signature value over attributes.
  package func value(over attributes: [ASN1Node]) throws(MintingError) -> [UInt8] {
    let message = ASN1Node.set(attributes).encoded
    if let rsaKey { return try rsaKey.sign(message, .sha256) }
    return try key.sign(digest: Hashing.sha256(message)).node.encoded
  }

  /// The algorithm of the signature value.
  package func algorithm(_ recipe: SignedDataRecipe = SignedDataRecipe()) -> ASN1Node {
    rsaKey == nil ? Algorithms.ecdsaSHA256 : recipe.rsaForm.algorithm
  }
}

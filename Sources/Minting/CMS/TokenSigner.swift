import PaymentToken

/// Who signs a token: a leaf's key, how the leaf is named, and the certificates that travel along.
public struct TokenSigner: Sendable {
  /// The key that signs.
  public var key: KeyPair
  /// The issuer's Name as the signer identifier writes it.
  public var issuer: ASN1Node
  /// The serial number as the signer identifier writes it.
  public var serial: ASN1Node
  /// The contents of the leaf's subjectKeyIdentifier.
  public var keyIdentifier: [UInt8]
  /// Each a certificate's DER, or something else that must be refused among them.
  public var certificates: [[UInt8]]

  /// The PKI's leaf, with leaf and intermediate in this order.
  public init(_ pki: TestPKI) {
    key = pki.leafKey
    issuer = pki.leafRecipe.issuer
    serial = pki.leafRecipe.serial
    keyIdentifier = Extensions.keyIdentifier(of: pki.leafKey.publicKeyInfo)
    certificates = [pki.leaf, pki.intermediate]
  }

  /// A complete ContentInfo over `content` (RFC 5652, 5).
  public func sign(
    _ content: [UInt8], at time: UnixTime, as recipe: SignedDataRecipe = SignedDataRecipe()
  ) throws(MintingError) -> [UInt8] {
    let attributes = recipe.signedAttributes(digest: Hashing.sha256(content), at: time)
    let signed = ASN1Node.set(attributes).encoded
    var value = try key.sign(digest: Hashing.sha256(signed)).node.encoded
    recipe.editValue?(&value)

    let identified: [ASN1Node] =
      switch recipe.identifier {
      case .issuerAndSerialNumber: [.integer(1), .sequence([issuer, serial])]
      case .subjectKeyIdentifier: [.integer(3), .contextPrimitive(0, keyIdentifier)]
      }
    let signerInfo = ASN1Node.sequence(
      identified + [recipe.sha256, .context(0, attributes), Algorithms.ecdsaSHA256, .octetString(value)])
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
}

/// The contents of a certificate. Every part can be replaced before signing, so that one rule fails and the signature
/// is valid.
package struct CertificateRecipe: Sendable {
  /// [0] with the INTEGER 2 for X.509 v3; nil leaves it out.
  package var version: ASN1Node? = .context(0, [.integer(2)])
  /// INTEGER.
  package var serial: ASN1Node
  /// The AlgorithmIdentifier in tbsCertificate and, if `outerAlgorithm` is nil, after it.
  package var algorithm: ASN1Node
  /// The AlgorithmIdentifier after tbsCertificate, if it differs from the one inside.
  package var outerAlgorithm: ASN1Node?
  /// The digest that the signature is computed over.
  package var digest: SignatureDigest
  /// Name.
  package var issuer: ASN1Node
  /// UTCTime or GeneralizedTime.
  package var notBefore: ASN1Node
  /// UTCTime or GeneralizedTime.
  package var notAfter: ASN1Node
  /// Name.
  package var subject: ASN1Node
  /// SubjectPublicKeyInfo.
  package var publicKeyInfo: ASN1Node
  /// Each is an Extension; when empty, the field is absent.
  package var extensions: [ASN1Node]
  /// Edits tbsCertificate before it is signed; its fields are in the order of RFC 5280.
  package var editBody: (@Sendable (inout ASN1Node) -> Void)?
  /// Edits the signature value inside its BIT STRING.
  package var editSignature: (@Sendable (inout [UInt8]) -> Void)?
  /// Edits the whole certificate after it was signed.
  package var editCertificate: (@Sendable (inout ASN1Node) -> Void)?

  /// Sets the algorithm and the digest.
  package mutating func sign(with algorithm: ASN1Node, _ digest: SignatureDigest) {
    self.algorithm = algorithm
    self.digest = digest
  }

  /// Replaces the extension of that OID, or adds it; nil removes it.
  package mutating func replaceExtension(_ oid: ASN1Node, with replacement: ASN1Node?) {
    guard let index = extensions.firstIndex(where: { $0.children.first == oid }) else {
      if let replacement { extensions.append(replacement) }
      return
    }
    if let replacement { extensions[index] = replacement } else { extensions.remove(at: index) }
  }

  /// Replaces the subject's key and the key identifier derived from it.
  mutating func replaceKey(with publicKeyInfo: ASN1Node) {
    self.publicKeyInfo = publicKeyInfo
    let identifier = Extensions.keyIdentifier(of: publicKeyInfo)
    replaceExtension(OID.subjectKeyIdentifier, with: Extensions.subjectKeyIdentifier(identifier))
  }

  /// tbsCertificate as it is signed.
  package var body: ASN1Node {
    var fields = version.map { [$0] } ?? []
    fields += [serial, algorithm, issuer, .sequence([notBefore, notAfter]), subject, publicKeyInfo]
    if !extensions.isEmpty { fields.append(.context(3, [.sequence(extensions)])) }
    var body = ASN1Node.sequence(fields)
    editBody?(&body)
    return body
  }

  /// Signs and encodes the certificate.
  package func issue(by key: SigningKey) throws(MintingError) -> [UInt8] {
    let body = body.encoded
    var signature = try key.sign(body, digest)
    editSignature?(&signature)
    var certificate = ASN1Node.sequence([.raw(body), outerAlgorithm ?? algorithm, .bitString(signature)])
    editCertificate?(&certificate)
    return certificate.encoded
  }
}

package import PaymentToken

/// Everything in a file, for people: also requests and public keys, which ``MerchantKeySet`` does not use.
package struct KeyFileInspection: Sendable {
  /// The encoding of a file.
  package enum Encoding: String, Hashable, Sendable {
    /// PEM (RFC 7468).
    case pem = "PEM"
    /// One DER value.
    case der = "DER"
    /// PKCS #12 (RFC 7292).
    case pkcs12 = "PKCS #12"
    /// A JSON Web Key (RFC 7517).
    case webKey = "JWK"
    /// A private key as 64 hexadecimal digits.
    case hexadecimal
  }

  /// An item in a file.
  package enum Item: Sendable {
    /// A private key.
    case privateKey(MerchantSecret)
    /// A public key, with SHA-256 of its SubjectPublicKeyInfo.
    case publicKey(PublicKey, hash: Bytes32)
    /// A certificate.
    case certificate(Certificate)
    /// A certificate signing request.
    case request(CertificateRequest)
  }

  /// The encoding of the file.
  package let encoding: Encoding
  /// Whether the file is encrypted.
  package private(set) var isEncrypted = false
  /// The items in the order of the file. In a .p12, private keys come first.
  package private(set) var items: [Item] = []
  private var budget = KeyDerivationBudget()

  /// Reads a file of keys, certificates, requests and public keys.
  ///
  /// - Throws: ``KeyError`` that names the file.
  package init(_ file: KeyFile) throws(KeyError) {
    do throws(KeyError) {
      switch try KeyFileForm(file.bytes) {
      case .pem(let document):
        encoding = .pem
        try readPEM(document, file)
      case .der(let kind):
        encoding = kind == .pkcs12 ? .pkcs12 : .der
        try read(file.bytes, kind, file)
      case .webKey(let key):
        encoding = .webKey
        items = [.privateKey(try key.secret())]
      case .scalar(let key):
        encoding = .hexadecimal
        items = [.privateKey(.p256(key))]
      }
    } catch {
      throw error.refined(by: file.bytes).named(file.name)
    }
  }

  private mutating func readPEM(_ document: PEMDocument, _ file: KeyFile) throws(KeyError) {
    for block in document.blocks where block.label != "EC PARAMETERS" {
      guard block.label != "RSA PUBLIC KEY" else { throw KeyError(.bareRSAPublicKey) }
      try block.withContents { (der, kind) throws(KeyError) in
        switch (block.label, kind) {
        case ("CERTIFICATE REQUEST", .certificate), ("CERTIFICATE REQUEST", .unsupported),
          ("NEW CERTIFICATE REQUEST", .certificate), ("NEW CERTIFICATE REQUEST", .unsupported):
          items.append(.request(try CertificateRequest(der: der)))
        case ("PUBLIC KEY", .unsupported) where !PublicKey.isLikely(der): throw KeyError(.malformedPublicKey)
        default: try read(der, kind, file)
        }
      }
    }
    guard !items.isEmpty else { throw KeyError(.emptyFile) }
  }

  private mutating func read(_ der: [UInt8], _ kind: DERKind, _ file: KeyFile) throws(KeyError) {
    switch kind {
    case .unsupported: try readPublicKey(der)
    case .certificate where (try? Certificate(der: der)) == nil:
      // A request begins like a certificate. Anything else is reported as a malformed certificate.
      guard let request = try? CertificateRequest(der: der) else { return try add(der, kind, file) }
      items.append(.request(request))
    default: try add(der, kind, file)
    }
  }

  private mutating func add(_ der: [UInt8], _ kind: DERKind, _ file: KeyFile) throws(KeyError) {
    let contents = try KeyFileContents(der, kind, file.password, &budget)
    isEncrypted = isEncrypted || contents.isEncrypted
    items += contents.keys.map { .privateKey($0) }
    items += (contents.certificates + contents.companions).map { .certificate($0) }
  }

  private mutating func readPublicKey(_ der: [UInt8]) throws(KeyError) {
    items.append(.publicKey(try PublicKey.read(der), hash: Digest.sha256(der)))
  }
}

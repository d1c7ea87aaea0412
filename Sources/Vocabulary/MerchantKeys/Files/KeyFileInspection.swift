public import PaymentToken

/// All that a file holds, for people to see: also what ``MerchantKeySet`` has no use for.
public struct KeyFileInspection: Sendable {
  /// How the file is written.
  public enum Encoding: String, Hashable, Sendable {
    case pem = "PEM"
    case der = "DER"
    case pkcs12 = "PKCS #12"
  }

  /// One thing in the file.
  public enum Item: Sendable {
    case privateKey(MerchantSecret)
    case publicKey(PublicKey, hash: Bytes32)
    case certificate(Certificate)
    case request(CertificateRequest)
  }

  /// How the file is written.
  public let encoding: Encoding
  /// Whether it took a password to read it.
  public private(set) var isEncrypted = false
  /// What it holds: private keys, then the rest as it comes.
  public private(set) var items: [Item] = []
  private var budget = KeyDerivationBudget()

  /// Reads a file of keys, certificates, requests and public keys.
  ///
  /// - Throws: a `KeyError` that names the file.
  public init(_ file: KeyFile) throws(KeyError) {
    do throws(KeyError) {
      guard file.bytes.count <= KeyFile.sizeLimit else { throw KeyError(.fileTooLarge) }
      if PEMDocument.isLikely(file.bytes) {
        encoding = .pem
        try readPEM(file)
      } else {
        guard let kind = DERKind(guessing: file.bytes) else { throw KeyError(.unrecognisedFile) }
        encoding = kind == .pkcs12 ? .pkcs12 : .der
        try read(file.bytes, kind, file)
      }
    } catch {
      throw error.named(file.name)
    }
  }

  private mutating func readPEM(_ file: KeyFile) throws(KeyError) {
    for block in try PEMDocument(file.bytes).blocks where block.label != "EC PARAMETERS" {
      guard !block.hasHeaders else { throw KeyError(.encryptedKey) }
      try block.withDecoded { (der) throws(KeyError) in
        switch block.label {
        case "PUBLIC KEY": try readPublicKey(der)
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": items.append(.request(try CertificateRequest(der: der)))
        default: try read(der, DERKind(label: block.label) ?? .unsupported, file)
        }
      }
    }
    guard !items.isEmpty else { throw KeyError(.emptyFile) }
  }

  private mutating func read(_ der: [UInt8], _ kind: DERKind, _ file: KeyFile) throws(KeyError) {
    switch kind {
    case .unsupported: try readPublicKey(der)
    case .certificate where (try? Certificate(der: der)) == nil:
      // A request begins like a certificate; one that is neither is a certificate with a fault.
      guard let request = try? CertificateRequest(der: der) else { return try add(der, kind, file) }
      items.append(.request(request))
    default: try add(der, kind, file)
    }
  }

  private mutating func add(_ der: [UInt8], _ kind: DERKind, _ file: KeyFile) throws(KeyError) {
    let contents = try KeyFileContents(der, kind, file.password, &budget)
    isEncrypted = isEncrypted || kind == .pkcs12 || kind == .encryptedPKCS8
    items += contents.keys.map { .privateKey($0) }
    items += (contents.certificates + contents.companions).map { .certificate($0) }
  }

  private mutating func readPublicKey(_ der: [UInt8]) throws(KeyError) {
    guard let element = try? DERReader.single(der[...]), let key = try? PublicKey(subjectPublicKeyInfo: element) else {
      throw KeyError(.unsupportedBlock)
    }
    items.append(.publicKey(key, hash: Digest.sha256(der)))
  }
}

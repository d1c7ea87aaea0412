import COpenSSL

/// The private keys and certificates in a file.
struct KeyFileContents {
  private(set) var keys: [MerchantSecret] = []
  private(set) var certificates: [Certificate] = []
  /// The certificates of a .p12, which may include those of authorities: used only if their key is loaded.
  private(set) var companions: [Certificate] = []
  /// Whether any of the keys or certificates is encrypted.
  private(set) var isEncrypted = false
  private var budget = KeyDerivationBudget()

  /// Reads PEM, DER of one value, a .p12, a JSON Web Key or the hexadecimal of a private key.
  ///
  /// - Throws: a `KeyError` that names the file.
  init(_ file: KeyFile) throws(KeyError) {
    do {
      try read(file.bytes, file.password)
    } catch {
      throw error.refined(by: file.bytes).named(file.name)
    }
  }

  /// Reads one structure of this kind, within the rest of the file's budget.
  init(
    _ der: [UInt8], _ kind: DERKind, _ password: Password?, _ budget: inout KeyDerivationBudget
  ) throws(KeyError) {
    self.budget = budget
    try read(der, kind, password)
    budget = self.budget
  }

  private mutating func read(_ bytes: [UInt8], _ password: Password?) throws(KeyError) {
    switch try KeyFileForm(bytes) {
    case .pem(let document): try readPEM(document, password)
    case .der(let kind): try read(bytes, kind, password)
    case .webKey(let key): keys.append(try key.secret())
    case .scalar(let key): keys.append(.p256(key))
    }
  }

  private mutating func readPEM(_ document: PEMDocument, _ password: Password?) throws(KeyError) {
    for block in document.blocks where block.label != "EC PARAMETERS" {
      try block.withContents { (der, kind) throws(KeyError) in try read(der, kind, password) }
    }
    guard !keys.isEmpty || !certificates.isEmpty || !companions.isEmpty else { throw KeyError(.emptyFile) }
  }

  private mutating func read(_ der: [UInt8], _ kind: DERKind, _ password: Password?) throws(KeyError) {
    switch kind {
    case .certificate:
      do {
        certificates.append(try Certificate(der: der))
      } catch {
        guard (try? CertificateRequest(der: der)) == nil else { throw KeyError(.requestGiven) }
        throw KeyError(.malformedCertificate, certificateError: error)
      }
    case .pkcs8: try add(try MerchantSecret(pkcs8: der))
    case .sec1: keys.append(.p256(try PrivateKey(sec1: der)))
    case .rsa: try add(.rsa(try RSAPrivateKey(pkcs1: der)))
    case .encryptedPKCS8:
      try add(try MerchantSecret(encryptedPKCS8: der, password: password, &budget))
      isEncrypted = true
    case .pkcs12: try readPKCS12(der, password)
    case .certificateBundle: throw KeyError(.certificateBundle)
    case .unsupported: throw KeyError(PublicKey.isLikely(der) ? .publicKeyGiven : .unsupportedBlock)
    }
  }

  private mutating func add(_ key: MerchantSecret) throws(KeyError) {
    try budget.pay(forCheckOf: key)
    keys.append(key)
  }

  /// Skips a certificate that breaks the rules, but throws its error if it belongs to a key in the same file.
  private mutating func readPKCS12(_ bytes: [UInt8], _ password: Password?) throws(KeyError) {
    let contents = try PKCS12Contents(bytes, password: password, &budget)
    guard !contents.secrets.isEmpty else {
      throw KeyError(contents.certificates.isEmpty ? .emptyFile : .archiveWithoutKey)
    }
    keys += contents.secrets
    isEncrypted = isEncrypted || contents.isEncrypted
    for der in contents.certificates {
      do {
        companions.append(try Certificate(der: der))
      } catch {
        guard contents.secrets.contains(where: { $0.owns(certificate: der) }) else { continue }
        throw KeyError(.malformedCertificate, certificateError: error)
      }
    }
  }
}

extension MerchantSecret {
  /// Whether libcrypto reads the certificate and finds this key in it.
  fileprivate func owns(certificate der: [UInt8]) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let certificate = LibcryptoCoding.decoded(der, d2i_X509, free: X509_free) else { return false }
    defer { X509_free(certificate) }
    return subjectPublicKeyInfo
      == LibcryptoCoding.encoded { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
  }
}

/// The contents of a file with keys or certificates, and its name for errors. The caller reads the file and wipes the
/// contents.
public struct KeyFile: Sendable {
  /// The name in errors, by which a ``MerchantIDAssignment`` refers to the file.
  public let name: String
  /// The whole contents: PEM blocks, one DER value, a .p12, a JSON Web Key or the hexadecimal of a private key.
  public private(set) var bytes: [UInt8]
  /// The password, if the file is encrypted.
  public let password: Password?

  /// The contents of a file, with its name for errors.
  public init(name: String, bytes: [UInt8], password: Password? = nil) {
    self.name = name
    self.bytes = bytes
    self.password = password
  }

  /// The maximum size, 64 MiB.
  package static let sizeLimit = 64 << 20

  /// Whether bytes look like a key, a certificate, a signing request or a .p12 in DER, by their first values.
  package static func isDER(_ bytes: [UInt8]) -> Bool {
    switch DERKind(guessing: bytes) {
    case .pkcs8, .encryptedPKCS8, .sec1, .pkcs12, .certificate: true
    // An ECDSA signature begins with two INTEGERs as well, but is shorter.
    case .rsa: bytes.count > 512
    case .unsupported: PublicKey.isLikely(bytes)
    case .certificateBundle, nil: false
    }
  }

  /// Why the reader refuses the file without a password; nil if the reader accepts the file.
  package var defect: KeyError.Code? {
    do throws(KeyError) {
      _ = try KeyFileContents(KeyFile(name: name, bytes: bytes))
      return nil
    } catch {
      return error.code
    }
  }

  /// Overwrites the contents with zeros and removes them. The caller wipes any copies.
  public mutating func wipe() {
    bytes.wipe()
    bytes = []
  }
}

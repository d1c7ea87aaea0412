import COpenSSL

/// The private keys and certificates in a file.
struct KeyFileContents {
  private(set) var keys: [MerchantSecret] = []
  private(set) var certificates: [Certificate] = []
  /// The certificates of a .p12, which may include those of authorities: used only if their key is loaded.
  private(set) var companions: [Certificate] = []
  private var budget = KeyDerivationBudget()

  /// Reads PEM, DER of one value, or a .p12.
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
    try Cryptography.check()
    guard bytes.count <= KeyFile.sizeLimit else { throw KeyError(.fileTooLarge) }
    guard !PEMDocument.isLikely(bytes) else { return try readPEM(bytes, password) }
    guard let kind = DERKind(guessing: bytes) else { throw KeyError(.unrecognisedFile) }
    try read(bytes, kind, password)
  }

  private mutating func readPEM(_ text: [UInt8], _ password: Password?) throws(KeyError) {
    for block in try PEMDocument(text).blocks where block.label != "EC PARAMETERS" {
      guard let kind = DERKind(label: block.label) else { throw KeyError(unsupportedLabel: block.label) }
      guard !block.hasHeaders else { throw KeyError(kind.isPrivate ? .encryptedKey : .malformedPEM) }
      try block.withDecoded { (der) throws(KeyError) in try read(der, kind, password) }
    }
    guard !keys.isEmpty || !certificates.isEmpty else { throw KeyError(.emptyFile) }
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
    case .pkcs8: keys.append(try MerchantSecret(pkcs8: der))
    case .sec1: keys.append(.p256(try PrivateKey(sec1: der)))
    case .rsa: keys.append(.rsa(try RSAPrivateKey(pkcs1: der)))
    case .encryptedPKCS8: keys.append(try MerchantSecret(encryptedPKCS8: der, password: password, &budget))
    case .pkcs12: try readPKCS12(der, password)
    case .unsupported: throw KeyError(PublicKey.isLikely(der) ? .publicKeyGiven : .unsupportedBlock)
    }
  }

  /// Skips certificates that break the rules, except those of a key in the same file.
  private mutating func readPKCS12(_ bytes: [UInt8], _ password: Password?) throws(KeyError) {
    let contents = try PKCS12Contents(bytes, password: password)
    guard !contents.secrets.isEmpty else {
      throw KeyError(contents.certificates.isEmpty ? .emptyFile : .archiveWithoutKey)
    }
    keys += contents.secrets
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

/// The structure in a file or a PEM block.
enum DERKind {
  /// PrivateKeyInfo (RFC 5958)
  case pkcs8
  /// EncryptedPrivateKeyInfo (RFC 5958)
  case encryptedPKCS8
  /// ECPrivateKey (RFC 5915)
  case sec1
  /// RSAPrivateKey (RFC 8017)
  case rsa
  /// PFX (RFC 7292)
  case pkcs12
  case certificate
  /// Something else that is DER, such as a public key
  case unsupported

  var isPrivate: Bool {
    switch self {
    case .pkcs8, .encryptedPKCS8, .sec1, .rsa: true
    case .pkcs12, .certificate, .unsupported: false
    }
  }

  /// The structure of a PEM label (RFC 7468, or OpenSSL's older labels); nil for unsupported labels.
  init?(label: String) {
    switch label {
    case "PRIVATE KEY": self = .pkcs8
    case "ENCRYPTED PRIVATE KEY": self = .encryptedPKCS8
    case "EC PRIVATE KEY": self = .sec1
    case "RSA PRIVATE KEY": self = .rsa
    case "CERTIFICATE": self = .certificate
    default: return nil
    }
  }

  /// Guesses by the first two values in the outer SEQUENCE, so that each structure gets its own error; nil when the
  /// bytes are none of these. The readers decide.
  init?(guessing bytes: [UInt8]) {
    guard bytes.first == DERTag.sequence.byte, bytes.count > 2 else { return nil }
    // A .p12 may be BER: only its first value, version 3, is checked, after a length of any form.
    let header = bytes[1] > 0x80 ? 2 + Int(bytes[1] & 0x7F) : 2
    if bytes.dropFirst(header).starts(with: [0x02, 0x01, 0x03]) {
      self = .pkcs12
      return
    }
    guard var inside = try? DERReader.single(bytes[...]).reader, let first = try? inside.read(),
      let second = try? inside.read()
    else { return nil }
    switch (first.tag, second.tag) {
    case (.integer, .sequence): self = .pkcs8
    case (.integer, .octetString): self = .sec1
    case (.integer, .integer): self = .rsa
    case (.sequence, .octetString): self = .encryptedPKCS8
    case (.sequence, .sequence): self = .certificate
    default: self = .unsupported
    }
  }
}

extension MerchantSecret {
  /// Whether libcrypto reads the certificate and finds this key in it.
  fileprivate func owns(certificate der: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
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
  /// The whole contents: PEM blocks, one DER value, or a .p12.
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
  public static let sizeLimit = 64 << 20

  /// Whether bytes look like a key, a certificate, a signing request or a .p12 in DER, by their first values.
  package static func isDER(_ bytes: [UInt8]) -> Bool {
    switch DERKind(guessing: bytes) {
    case .pkcs8, .encryptedPKCS8, .sec1, .pkcs12, .certificate: true
    // A signature of ECDSA has two integers as well.
    case .rsa: bytes.count > 512
    case .unsupported: PublicKey.isLikely(bytes)
    case nil: false
    }
  }

  /// Overwrites the contents with zeros and removes them. The caller wipes any copies.
  public mutating func wipe() {
    bytes.wipe()
    bytes = []
  }
}

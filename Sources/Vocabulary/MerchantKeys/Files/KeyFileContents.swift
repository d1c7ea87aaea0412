import COpenSSL

/// What a file holds: any number of private keys and certificates.
struct KeyFileContents {
  private(set) var keys: [MerchantSecret] = []
  private(set) var certificates: [Certificate] = []
  /// Those of a .p12 file, which may be any authority's: wanted only if their key is among those loaded.
  private(set) var companions: [Certificate] = []
  private var budget = KeyDerivationBudget()

  /// Reads PEM, DER of one value, or a .p12.
  ///
  /// - Throws: a `KeyError` that names the file.
  init(_ file: KeyFile) throws(KeyError) {
    do {
      try read(file.bytes, file.password)
    } catch {
      throw error.named(file.name)
    }
  }

  /// Reads one structure of this kind, within what is left of the budget of its file.
  init(
    _ der: [UInt8], _ kind: DERKind, _ password: Password?, _ budget: inout KeyDerivationBudget
  ) throws(KeyError) {
    self.budget = budget
    try read(der, kind, password)
    budget = self.budget
  }

  private mutating func read(_ bytes: [UInt8], _ password: Password?) throws(KeyError) {
    guard bytes.count <= KeyFile.sizeLimit else { throw KeyError(.fileTooLarge) }
    guard !PEMDocument.isLikely(bytes) else { return try readPEM(bytes, password) }
    guard let kind = DERKind(guessing: bytes) else { throw KeyError(.unrecognisedFile) }
    try read(bytes, kind, password)
  }

  private mutating func readPEM(_ text: [UInt8], _ password: Password?) throws(KeyError) {
    for block in try PEMDocument(text).blocks where block.label != "EC PARAMETERS" {
      guard let kind = DERKind(label: block.label) else { throw KeyError(.unsupportedBlock) }
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
        throw KeyError(.malformedCertificate, certificateError: error)
      }
    case .pkcs8: keys.append(try MerchantSecret(pkcs8: der))
    case .sec1: keys.append(.p256(try PrivateKey(sec1: der)))
    case .rsa: keys.append(.rsa(try RSAPrivateKey(pkcs1: der)))
    case .encryptedPKCS8: keys.append(try MerchantSecret(encryptedPKCS8: der, password: password, &budget))
    case .pkcs12: try readPKCS12(der, password)
    case .unsupported: throw KeyError(.unsupportedBlock)
    }
  }

  /// A certificate that breaks the rules is passed over unless it is that of a key in the same file.
  private mutating func readPKCS12(_ bytes: [UInt8], _ password: Password?) throws(KeyError) {
    let contents = try PKCS12Contents(bytes, password: password, &budget)
    guard !contents.secrets.isEmpty else { throw KeyError(.emptyFile) }
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

/// The structures a file or PEM block may hold.
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

  /// The structure under a PEM label (RFC 7468; the older names are OpenSSL's); nil for every label not read here.
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

  /// Guesses from the first two values within the outer SEQUENCE, so that each structure gets its own error; nil when
  /// the bytes are no such thing. The readers decide.
  init?(guessing bytes: [UInt8]) {
    guard bytes.first == DERTag.sequence.byte, bytes.count > 2 else { return nil }
    // A .p12 may be BER: only the first value, the version 3, is looked at, after a length of any form.
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
  /// Whether a certificate that breaks the rules here is, by libcrypto's, one of this key.
  fileprivate func owns(certificate der: [UInt8]) -> Bool {
    defer { ERR_clear_error() }
    let certificate = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_X509(nil, &next, bytes.count)
    }
    guard let certificate else { return false }
    defer { X509_free(certificate) }
    return subjectPublicKeyInfo
      == LibcryptoCoding.encoded { i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
  }
}

/// The contents of a file with keys or certificates, and its name for errors. The caller reads it and wipes it.
public struct KeyFile: Sendable {
  /// What errors call it; merchant IDs are bound to it by this name.
  public let name: String
  /// The whole contents: PEM blocks, one DER value, or a .p12.
  public private(set) var bytes: [UInt8]
  /// What opens the file, should it be encrypted.
  public let password: Password?

  /// The contents of a file under the name that errors are to show.
  public init(name: String, bytes: [UInt8], password: Password? = nil) {
    self.name = name
    self.bytes = bytes
    self.password = password
  }

  /// The most bytes accepted, 64 MiB.
  public static let sizeLimit = 64 << 20

  /// Overwrites the contents with zeros and drops them. Copies made of them are the caller's to wipe.
  public mutating func wipe() {
    bytes.wipe()
    bytes = []
  }
}

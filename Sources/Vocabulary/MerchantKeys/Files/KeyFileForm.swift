/// The form of a file of keys or certificates, by its content.
enum KeyFileForm {
  case pem(PEMDocument)
  case der(DERKind)
  case webKey(WebKey)
  /// The private key of P-256 as 64 hexadecimal digits.
  case scalar(PrivateKey)

  /// Reads enough of a file to see what it is. The caller wipes the bytes.
  ///
  /// - Throws: `cryptographyUnavailable`, `fileTooLarge`, `malformedPEM`, `scalarOutOfRange`, or `unrecognisedFile`.
  init(_ bytes: [UInt8]) throws(KeyError) {
    try Cryptography.check()
    guard bytes.count <= KeyFile.sizeLimit else { throw KeyError(.fileTooLarge) }
    let document = try PEMDocument(bytes)
    if !document.blocks.isEmpty {
      self = .pem(document)
    } else if let kind = DERKind(guessing: bytes) {
      self = .der(kind)
    } else if let key = WebKey(bytes) {
      self = .webKey(key)
    } else if let key = try PrivateKey(hexadecimal: bytes) {
      self = .scalar(key)
    } else {
      throw KeyError(.unrecognisedFile)
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
  /// Certificates in a CMS SignedData (RFC 5652), as in a .p7b
  case certificateBundle
  /// Something else that is DER, such as a public key
  case unsupported

  /// The structure that a PEM label names (RFC 7468, or OpenSSL's older labels); nil for unsupported labels. The
  /// contents of the block take precedence, because some programs write the wrong label.
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

  /// Guesses by the first two values in the outer SEQUENCE, so that each structure gets its own error; nil if there is
  /// no such SEQUENCE. The reader of that structure validates it.
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
    case (.objectIdentifier, _) where first.contents.elementsEqual(ObjectIdentifiers.signedData):
      self = .certificateBundle
    default: self = .unsupported
    }
  }
}

/// Errors for files that have to be converted, and for files of another kind.
extension KeyError {
  /// The error for a PEM label that names neither a private key nor a certificate.
  init(unsupportedLabel label: String) {
    switch label {
    case "PUBLIC KEY", "EC PUBLIC KEY", "RSA PUBLIC KEY": self.init(.publicKeyGiven)
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self.init(.requestGiven)
    case "OPENSSH PRIVATE KEY": self.init(.openSSHKey)
    case "TRUSTED CERTIFICATE": self.init(.trustedCertificate)
    default: self.init(.unsupportedBlock)
    }
  }

  /// The error that names the file's form, if the file has to be converted; otherwise this error.
  func refined(by bytes: [UInt8]) -> KeyError {
    switch code {
    case .unrecognisedFile, .malformedPEM: MistakenText(bytes).map { KeyError($0.code) } ?? self
    default: self
    }
  }
}

/// A key or certificate in an encoding or a container that the readers do not support.
private struct MistakenText {
  let code: KeyError.Code

  private static let begin = Array("-----BEGIN ".utf8)
  /// The end of a BEGIN line, then an escaped line end.
  private static let escapedEnds = ["-----\\n", "-----\\r"].map { Array($0.utf8) }
  /// The first bytes of a JKS and of a JCEKS.
  private static let javaMarks: [[UInt8]] = [[0xFE, 0xED, 0xFE, 0xED], [0xCE, 0xCE, 0xCE, 0xCE]]
  private static let sizeLimit = 1 << 20

  /// Nil when the file is none of these. Copies are wiped.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else { return nil }
    if Self.isWide(bytes) {
      code = .notPlainText
    } else if bytes.contains(Self.begin) {
      guard Self.escapedEnds.contains(where: { bytes.contains($0) }) else { return nil }
      code = .escapedPEM
    } else if Self.javaMarks.contains(where: { bytes.starts(with: $0) }) {
      code = .javaKeyStore
    } else if bytes.starts(with: "PuTTY-User-Key-File-".utf8) {
      code = .puttyKey
    } else if bytes.contains(Array("\"keys\"".utf8)), bytes.contains(Array("\"kty\"".utf8)) {
      code = .webKeySet
    } else if let code = Self.code(of: HexadecimalText.decoded(bytes), as: .bareHexadecimal) {
      self.code = code
    } else if let code = Self.code(of: Self.base64(bytes), as: .bareBase64) {
      self.code = code
    } else if bytes.count == PrivateKey.scalarSize, bytes.contains(where: { !(0x20..<0x7F).contains($0) }) {
      code = .bareScalar
    } else {
      return nil
    }
  }

  /// UTF-16 of ASCII has a zero in every other byte.
  private static func isWide(_ bytes: [UInt8]) -> Bool {
    var text = without([0], bytes)
    defer { text.wipe() }
    return text.count <= bytes.count / 2 + 1 && text.contains(begin)
  }

  /// The error for decoded bytes, which are wiped: `encoding` if they are a key or certificate in DER or PEM.
  ///
  /// - Parameter decoded: consumed. If the caller still held the bytes, only a copy of them would be wiped.
  private static func code(of decoded: consuming [UInt8]?, as encoding: KeyError.Code) -> KeyError.Code? {
    guard var decoded = decoded else { return nil }
    defer { decoded.wipe() }
    if DERKind(guessing: decoded) != nil || decoded.contains(begin) { return encoding }
    switch decoded.count {
    case PrivateKey.scalarSize: return .bareScalar
    case 65 where decoded.first == 0x04: return .publicKeyGiven
    default: return nil
    }
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? { PEMDocument.decoded(text[...]) }

  /// A copy without some bytes, for the caller to wipe. It never grows, which would leave unwiped copies.
  private static func without(_ removed: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes where !removed.contains(byte) { kept.append(byte) }
    return kept
  }
}

/// Hexadecimal as programs print it.
enum HexadecimalText {
  /// What may stand between digits.
  private static let separators = Array(" \t\r\n:,".utf8)

  /// The bytes of pairs of digits, with `0x` or `\x` before them and separators between them, for the caller to wipe;
  /// nil for anything else, or nothing.
  static func decoded(_ text: [UInt8]) -> [UInt8]? {
    // Neither array grows, because growing would leave unwiped copies.
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    defer { digits.wipe() }
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "0") || text[index] == UInt8(ascii: "\\"), index + 1 < text.count,
        text[index + 1] | 0x20 == UInt8(ascii: "x")
      {
        index += 2
        continue
      }
      if !separators.contains(text[index]) {
        guard let digit = Character(Unicode.Scalar(text[index])).hexDigitValue else { return nil }
        digits.append(UInt8(digit))
      }
      index += 1
    }
    guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for start in stride(from: 0, to: digits.count, by: 2) { bytes.append(digits[start] << 4 | digits[start + 1]) }
    return bytes
  }
}

extension PublicKey {
  /// Whether the bytes are a SubjectPublicKeyInfo, even of a key that is not supported.
  static func isLikely(_ der: [UInt8]) -> Bool { PublicKeyParts(der) != nil }

  /// Reads a SubjectPublicKeyInfo.
  ///
  /// - Throws: ``KeyError`` with the reason that the key cannot be used.
  static func read(_ der: [UInt8]) throws(KeyError) -> PublicKey {
    if let element = try? DERReader.single(der[...]), let key = try? PublicKey(subjectPublicKeyInfo: element) {
      return key
    }
    throw KeyError(PublicKeyParts(der)?.defect ?? .unsupportedBlock)
  }
}

/// The algorithm and the key of a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7), whatever they contain.
private struct PublicKeyParts {
  let algorithm: [UInt8]
  let key: [UInt8]

  init?(_ der: [UInt8]) {
    let parts = try? DERReader.single(der[...]).readAll { (inside) throws(DERError) in
      (try inside.readAlgorithmIdentifier().oid, Array(try inside.read(.bitString).wholeBitString()))
    }
    guard let parts else { return nil }
    (algorithm, key) = parts
  }

  /// Why the key cannot be used.
  var defect: KeyError.Code {
    switch algorithm {
    case ObjectIdentifiers.ecPublicKey: [2, 3].contains(key.first) ? .compressedPublicKey : .malformedPublicKey
    case ObjectIdentifiers.rsaEncryption: rsaDefect
    default: .malformedPublicKey
    }
  }

  private var rsaDefect: KeyError.Code {
    let numbers = try? DERReader.single(key[...]).readAll { (inside) throws(DERError) in
      (try inside.read(.integer).contents, try inside.read(.integer).contents)
    }
    guard let (modulus, exponent) = numbers else { return .malformedPublicKey }
    if Array(exponent) != [0x01, 0x00, 0x01] { return .rsaExponent }
    return modulus.drop { $0 == 0 }.count > 512 ? .rsaKeySize : .malformedPublicKey
  }
}

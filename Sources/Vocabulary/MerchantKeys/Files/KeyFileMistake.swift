/// Files of keys and certificates in a form that has to be converted, or of another kind.
extension KeyError {
  /// The error of a PEM label that is neither a private key nor a certificate.
  init(unsupportedLabel label: String) {
    switch label {
    case "PUBLIC KEY", "EC PUBLIC KEY", "RSA PUBLIC KEY": self.init(.publicKeyGiven)
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self.init(.requestGiven)
    case "OPENSSH PRIVATE KEY": self.init(.openSSHKey)
    default: self.init(.unsupportedBlock)
    }
  }

  /// The form that the file has to be converted from, if that is why it could not be read; otherwise this error.
  func refined(by bytes: [UInt8]) -> KeyError {
    switch code {
    case .unrecognisedFile, .malformedPEM: MistakenText(bytes).map { KeyError($0.code) } ?? self
    default: self
    }
  }
}

/// The text of a key or certificate, encoded once more.
private struct MistakenText {
  let code: KeyError.Code

  private static let begin = Array("-----BEGIN ".utf8)
  private static let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
  /// The end of a BEGIN line, then an escaped line end.
  private static let escapedEnds = ["-----\\n", "-----\\r"].map { Array($0.utf8) }
  private static let sizeLimit = 1 << 20

  /// Nil when the file is none of these. Copies are wiped.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else { return nil }
    if Self.isWideOrMarked(bytes) {
      code = .notPlainText
    } else if bytes.contains(Self.begin) {
      guard Self.escapedEnds.contains(where: { bytes.contains($0) }) else { return nil }
      code = .escapedPEM
    } else if Self.holdsDER(Self.hexadecimal(bytes)) {
      code = .bareHexadecimal
    } else if Self.holdsDER(Self.base64(bytes)) {
      code = .bareBase64
    } else {
      return nil
    }
  }

  /// UTF-16 of ASCII has a zero in every other byte.
  private static func isWideOrMarked(_ bytes: [UInt8]) -> Bool {
    var text = without([0], bytes)
    defer { text.wipe() }
    let isMarked = marks.contains { bytes.starts(with: $0) }
    return (isMarked || text.count <= bytes.count / 2 + 1) && text.contains(begin)
  }

  private static func holdsDER(_ decoded: [UInt8]?) -> Bool {
    guard var decoded else { return false }
    defer { decoded.wipe() }
    return DERKind(guessing: decoded) != nil
  }

  private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    var digits = without(spaces, text)
    defer { digits.wipe() }
    for index in digits.indices {
      guard let digit = Character(Unicode.Scalar(digits[index])).hexDigitValue else { return nil }
      digits[index] = UInt8(digit)
    }
    guard digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var body = without(spaces, text)
    defer { body.wipe() }
    return PEMDocument.decoded(body[...])
  }

  private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

  /// A copy without some bytes, for the caller to wipe. It never grows, which would leave unwiped copies.
  private static func without(_ removed: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    for byte in bytes where !removed.contains(byte) { kept.append(byte) }
    return kept
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

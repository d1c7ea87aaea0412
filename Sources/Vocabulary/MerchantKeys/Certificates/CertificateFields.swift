/// Certificate: exactly tbsCertificate, AlgorithmIdentifier and BIT STRING (rule 5.13).
struct OuterFields {
  let tbsCertificate: DERElement
  let algorithm: AlgorithmIdentifier
  let signature: ArraySlice<UInt8>

  init(_ certificate: DERElement) throws(DERError) {
    guard certificate.tag == .sequence else { throw .unexpectedValue }
    (tbsCertificate, algorithm, signature) = try certificate.readAll { (inside) throws(DERError) in
      (
        try inside.read(.sequence), try inside.readAlgorithmIdentifier(), try inside.read(.bitString).wholeBitString()
      )
    }
  }
}

/// TBSCertificate of version 3, without unique identifiers (rule 5.13). `Certificate` checks the contents of the names,
/// validity, key and extensions.
struct SignedFields {
  let serialNumber: ArraySlice<UInt8>
  let issuer: DERElement
  let validity: DERElement
  let subject: DERElement
  let subjectPublicKeyInfo: DERElement
  let extensions: DERElement?

  init(_ tbsCertificate: DERElement, algorithm: AlgorithmIdentifier) throws(DERError) {
    var inside = tbsCertificate.reader
    let version = try inside.read(.constructedContext(0)).readAll { (inside) throws(DERError) in
      try inside.read(.integer)
    }
    guard version.contents.elementsEqual([2]) else { throw .unexpectedValue }
    serialNumber = try inside.read(.integer).contents
    let innerAlgorithm = try inside.readAlgorithmIdentifier()
    guard innerAlgorithm.encoded.elementsEqual(algorithm.encoded) else { throw .unexpectedValue }
    issuer = try inside.read(.sequence)
    validity = try inside.read(.sequence)
    subject = try inside.read(.sequence)
    subjectPublicKeyInfo = try inside.read(.sequence)
    extensions = try inside.readOptional(.constructedContext(3))
    try inside.finish()
  }
}

extension DERElement {
  /// Name: SETs of at least one SEQUENCE of exactly an OID and one value (rule 5.14).
  package func checkName() throws(DERError) {
    guard tag == .sequence else { throw .unexpectedValue }
    var relativeNames = reader
    while !relativeNames.isAtEnd {
      var attributes = try relativeNames.read(.set).reader
      repeat {
        try attributes.read(.sequence).readAll { (inside) throws(DERError) in
          _ = try inside.read(.objectIdentifier)
          _ = try inside.read()
        }
      } while !attributes.isAtEnd
    }
  }

  /// [3]: exactly one SEQUENCE of at least one Extension, no OID twice (rule 5.15).
  func readExtensions() throws(DERError) -> [CertificateExtension] {
    var list = try readAll { (inside) throws(DERError) in try inside.read(.sequence).reader }
    var extensions: [CertificateExtension] = []
    var seen: Set<[UInt8]> = []
    repeat {
      let next = try list.read(.sequence).readAll { (inside) throws(DERError) in
        CertificateExtension(
          oid: Array(try inside.read(.objectIdentifier).contents),
          critical: try inside.readOptional(.boolean)?.isTrue ?? false,
          value: Array(try inside.read(.octetString).contents))
      }
      guard seen.insert(next.oid).inserted else { throw .unexpectedValue }
      extensions.append(next)
    } while !list.isAtEnd
    return extensions
  }
}

/// The three extensions whose values are checked (rule 5.17).
struct KnownExtensions {
  private(set) var basicConstraints: BasicConstraints?
  private(set) var keyUsage: KeyUsage?
  private(set) var subjectKeyIdentifier: [UInt8]?

  init(_ extensions: [CertificateExtension]) throws(DERError) {
    for entry in extensions {
      switch entry.oid {
      case ObjectIdentifiers.basicConstraints:
        basicConstraints = try BasicConstraints(DERReader.single(entry.value[...]))
      case ObjectIdentifiers.keyUsage:
        let bits = try DERReader.single(entry.value[...])
        guard bits.tag == .bitString else { throw .unexpectedValue }
        keyUsage = KeyUsage(bytes: Array(bits.contents.dropFirst()))
      case ObjectIdentifiers.subjectKeyIdentifier:
        let identifier = try DERReader.single(entry.value[...])
        guard identifier.tag == .octetString else { throw .unexpectedValue }
        subjectKeyIdentifier = Array(identifier.contents)
      default:
        continue
      }
    }
  }
}

extension BasicConstraints {
  init(_ sequence: DERElement) throws(DERError) {
    guard sequence.tag == .sequence else { throw .unexpectedValue }
    self = try sequence.readAll { (inside) throws(DERError) in
      let isAuthority = try inside.readOptional(.boolean)?.isTrue ?? false
      guard let length = try inside.readOptional(.integer)?.contents else {
        return BasicConstraints(isAuthority: isAuthority, pathLength: nil)
      }
      guard let first = length.first, first < 0x80 else { throw .unexpectedValue }
      let value = length.count > 8 ? Int.max : length.reduce(0) { $0 << 8 | Int($1) }
      return BasicConstraints(isAuthority: isAuthority, pathLength: value)
    }
  }
}

import COpenSSL
public import PaymentToken

/// An X.509 version 3 certificate (RFC 5280 section 4.1) that keeps the rules for certificates in tokens: 5.1, 5.3 to
/// 5.5 and 5.12 to 5.18. Its signature is not verified.
public struct Certificate: Sendable {
  /// The whole certificate.
  public let der: [UInt8]
  /// tbsCertificate, the whole TLV: the signed bytes.
  package let tbsCertificate: [UInt8]
  /// The contents bytes of the serial number's INTEGER.
  package let serialNumber: [UInt8]
  /// The issuer's Name, the whole TLV.
  package let issuer: [UInt8]
  /// The subject's Name, the whole TLV.
  package let subject: [UInt8]
  /// SubjectPublicKeyInfo, the whole TLV.
  public let subjectPublicKeyInfo: [UInt8]
  /// The bytes of the signature's BIT STRING.
  package let signatureValue: [UInt8]
  /// The first second of the validity.
  public let notBefore: UnixTime
  /// The last second of the validity.
  public let notAfter: UnixTime
  /// The key of the subject.
  public let publicKey: PublicKey
  /// The algorithm of the signature.
  package let signatureAlgorithm: SignatureAlgorithm
  /// All extensions in order. No OID occurs twice.
  package let extensions: [CertificateExtension]
  /// basicConstraints, if present.
  package let basicConstraints: BasicConstraints?
  /// keyUsage, if present.
  package let keyUsage: KeyUsage?
  /// The contents of the subjectKeyIdentifier's OCTET STRING, if present.
  package let subjectKeyIdentifier: [UInt8]?

  /// The maximum size in bytes, 65,536, for certificates that are loaded. In a token, rule 5.8 allows 4,096.
  package static let sizeLimit = 65_536

  /// The nesting depth of a certificate in a token: inside ContentInfo, [0], SignedData and [0].
  static let depth = 5

  /// Reads a certificate, which must take up all of `der`.
  ///
  /// - Throws: ``CertificateError`` for the first broken rule.
  public init(der: [UInt8]) throws(CertificateError) {
    guard der.count <= Certificate.sizeLimit else { throw .tooLarge }
    let whole = try CertificateError.malformedEncoding.ifFails { () throws(DERError) in
      try DERReader(der).walk(depth: Certificate.depth)
      return try DERReader.single(der[...])
    }
    let outer = try CertificateError.malformedStructure.ifFails { () throws(DERError) in try OuterFields(whole) }
    let fields = try CertificateError.malformedStructure.ifFails { () throws(DERError) in
      try SignedFields(outer.tbsCertificate, algorithm: outer.algorithm)
    }
    try CertificateError.malformedName.ifFails { () throws(DERError) in
      try fields.issuer.checkName()
      try fields.subject.checkName()
    }
    (notBefore, notAfter) = try CertificateError.malformedValidity.ifFails { () throws(DERError) in
      try fields.validity.readAll { (inside) throws(DERError) in (try inside.read().time(), try inside.read().time()) }
    }
    publicKey = try CertificateError.malformedPublicKey.ifFails { () throws(DERError) in
      try PublicKey(subjectPublicKeyInfo: fields.subjectPublicKeyInfo)
    }
    let extensions = try CertificateError.malformedExtensions.ifFails { () throws(DERError) in
      try fields.extensions?.readExtensions() ?? []
    }
    let known = try CertificateError.malformedKnownExtension.ifFails { () throws(DERError) in
      try KnownExtensions(extensions)
    }
    self.der = der
    tbsCertificate = Array(outer.tbsCertificate.encoded)
    signatureAlgorithm = SignatureAlgorithm(outer.algorithm)
    signatureValue = Array(outer.signature)
    serialNumber = Array(fields.serialNumber)
    issuer = Array(fields.issuer.encoded)
    subject = Array(fields.subject.encoded)
    subjectPublicKeyInfo = Array(fields.subjectPublicKeyInfo.encoded)
    self.extensions = extensions
    basicConstraints = known.basicConstraints
    keyUsage = known.keyUsage
    subjectKeyIdentifier = known.subjectKeyIdentifier
  }

  /// SHA-256 of the whole certificate.
  public func fingerprint() -> Bytes32 { Digest.sha256(der) }

  /// SHA-256 of the SubjectPublicKeyInfo, the whole TLV.
  public func publicKeyHash() -> Bytes32 { Digest.sha256(subjectPublicKeyInfo) }

  /// The extension with this OID (contents bytes, see `ObjectIdentifiers`), if present.
  package func firstExtension(_ oid: [UInt8]) -> CertificateExtension? {
    extensions.first { $0.oid == oid }
  }
}

// The DER determines every other property.
extension Certificate: Hashable {
  /// Whether both have the same DER.
  public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

  /// Hashes the DER.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

extension CertificateError {
  /// Runs a step of the reader and replaces any error with this one.
  fileprivate func ifFails<Result>(_ step: () throws(DERError) -> Result) throws(CertificateError) -> Result {
    do {
      return try step()
    } catch {
      throw self
    }
  }
}

/// The first rule that a certificate breaks. The numbers are rules of Docs/Verification.md.
@nonexhaustive
public enum CertificateError: String, Error, Hashable, Sendable, CaseIterable {
  /// More than 65,536 bytes.
  case tooLarge
  /// A value breaks the encoding rules 5.1 or 5.3 to 5.5, or other bytes follow the certificate.
  case malformedEncoding
  /// Not a version 3 Certificate (5.13).
  case malformedStructure
  /// An issuer or subject that is not a Name (5.14).
  case malformedName
  /// A validity that is not two real times (5.12).
  case malformedValidity
  /// The extensions are not a list of at least one, or one occurs twice (5.15).
  case malformedExtensions
  /// A malformed SubjectPublicKeyInfo, or an invalid key (5.16).
  case malformedPublicKey
  /// A malformed basicConstraints, keyUsage or subjectKeyIdentifier (5.17).
  case malformedKnownExtension
}

/// SHA-256 (FIPS 180-4) of public data.
enum Digest {
  static func sha256(_ bytes: [UInt8]) -> Bytes32 {
    // These functions need no provider, so they do not depend on libcrypto's configuration.
    var context = SHA256_CTX()
    var output = [UInt8](repeating: 0, count: Bytes32.count)
    SHA256_Init(&context)
    SHA256_Update(&context, bytes, bytes.count)
    SHA256_Final(&output, &context)
    guard let digest = Bytes32(output) else { preconditionFailure("the array has 32 bytes") }
    return digest
  }
}

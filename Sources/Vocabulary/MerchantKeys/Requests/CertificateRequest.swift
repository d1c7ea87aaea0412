import COpenSSL
public import PaymentToken

/// A certificate signing request (PKCS #10, RFC 2986) with a valid signature of its own key.
public struct CertificateRequest: Hashable, Sendable {
  /// The whole request.
  public let der: [UInt8]
  /// The requested key, the whole TLV.
  public let subjectPublicKeyInfo: [UInt8]
  /// The requested key.
  public let publicKey: PublicKey
  /// The subject's common name, if present.
  public let commonName: String?

  /// Reads a request, which must take up all of `der`, and verifies its signature.
  ///
  /// - Throws: `KeyError.Code.malformedRequest` or `memoryUnavailable`.
  public init(der: [UInt8]) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard let request = LibcryptoCoding.decoded(der, d2i_X509_REQ, free: X509_REQ_free) else {
      throw CallersErrors.failure(.malformedRequest)
    }
    defer { X509_REQ_free(request) }
    guard let key = X509_REQ_get0_pubkey(request), X509_REQ_verify(request, key) == 1,
      let info = LibcryptoCoding.encoded({ i2d_X509_PUBKEY(X509_REQ_get_X509_PUBKEY(request), $0) }),
      let subject = LibcryptoCoding.encoded({ i2d_X509_NAME(X509_REQ_get_subject_name(request), $0) }),
      let publicKey = try? PublicKey(subjectPublicKeyInfo: DERReader.single(info[...]))
    else { throw CallersErrors.failure(.malformedRequest) }
    self.der = der
    self.publicKey = publicKey
    subjectPublicKeyInfo = info
    commonName = DistinguishedName(subject).commonName
  }

  /// SHA-256 of the SubjectPublicKeyInfo: the publicKeyHash of tokens for the future certificate.
  public func publicKeyHash() -> Bytes32 { Digest.sha256(subjectPublicKeyInfo) }
}

import COpenSSL

/// A new private key and its certificate signing request. The caller stores them, then calls ``wipe()``.
public struct NewKey: Sendable {
  /// The keys that Apple's portal accepts.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// P-256, for payment processing certificates of EC_v1.
    case p256
    /// RSA with 2,048 bits, for payment processing certificates of RSA_v1 and merchant identity certificates.
    case rsa2048
  }

  /// PrivateKeyInfo (PKCS #8) as PEM.
  public private(set) var privateKeyPEM: [UInt8]
  /// The request, signed with ECDSA or RSASSA-PKCS1-v1_5 and SHA-256.
  public let request: CertificateRequest

  /// The allowed length of a common name, in characters (RFC 5280 appendix A.1).
  package static let commonNameLength = 1...64

  /// Makes a key with libcrypto's random numbers, and a request with only this common name.
  ///
  /// - Throws: ``KeyError`` with `unusableCommonName` or `keyGenerationFailed`.
  public init(_ kind: Kind, commonName: String) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard NewKey.commonNameLength.contains(commonName.unicodeScalars.count),
      !commonName.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw KeyError(.unusableCommonName) }
    guard let key = NewKey.generate(kind) else { throw KeyError(.keyGenerationFailed) }
    defer { EVP_PKEY_free(key) }
    guard let request = NewKey.request(key, commonName) else { throw KeyError(.keyGenerationFailed) }
    self.request = try CertificateRequest(der: request)
    privateKeyPEM = try NewKey.pem(of: key)
  }

  /// Overwrites the private key with zeros and removes it. The caller wipes any copies.
  public mutating func wipe() {
    privateKeyPEM.wipe()
    privateKeyPEM = []
  }

  private static func generate(_ kind: Kind) -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_id(kind == .p256 ? EVP_PKEY_EC : EVP_PKEY_RSA, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_keygen_init(context) == 1 else { return nil }
    switch kind {
    case .p256:
      guard EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
        EVP_PKEY_CTX_set_ec_param_enc(context, OPENSSL_EC_NAMED_CURVE) == 1
      else { return nil }
    case .rsa2048:
      guard EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2_048) == 1 else { return nil }
    }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen(context, &key) == 1 else { return nil }
    return key
  }

  private static func request(_ key: OpaquePointer, _ commonName: String) -> [UInt8]? {
    guard let request = X509_REQ_new() else { return nil }
    defer { X509_REQ_free(request) }
    let text = Array(commonName.utf8)
    let name = X509_REQ_get_subject_name(request)
    guard X509_REQ_set_version(request, 0) == 1,
      X509_NAME_add_entry_by_NID(
        name, NID_commonName, utf8Text, text, Int32(text.count), -1, 0) == 1,
      X509_REQ_set_pubkey(request, key) == 1, X509_REQ_sign(request, key, EVP_sha256()) > 0
    else { return nil }
    return LibcryptoCoding.encoded { i2d_X509_REQ(request, $0) }
  }

  /// MBSTRING_UTF8, a macro that Swift does not import.
  private static let utf8Text: Int32 = 0x1000

  private static func pem(of key: OpaquePointer) throws(KeyError) -> [UInt8] {
    guard let info = EVP_PKEY2PKCS8(key) else { throw KeyError(.keyGenerationFailed) }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    let count = i2d_PKCS8_PRIV_KEY_INFO(info, nil)
    guard count > 0 else { throw KeyError(.keyGenerationFailed) }
    // libcrypto writes into `der`, because it would not wipe a buffer of its own.
    var der = [UInt8](repeating: 0, count: Int(count))
    defer { der.wipe() }
    let written = der.withUnsafeMutableBufferPointer { bytes in
      var next = bytes.baseAddress
      return i2d_PKCS8_PRIV_KEY_INFO(info, &next)
    }
    guard written == count else { throw KeyError(.keyGenerationFailed) }
    return PEMText.encode(der, label: "PRIVATE KEY")
  }
}

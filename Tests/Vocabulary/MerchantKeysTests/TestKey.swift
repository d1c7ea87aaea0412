import COpenSSL
import MerchantKeys
import PaymentToken

/// A key made by OpenSSL, in each supported format.
struct TestKey {
  let scalar: [UInt8]
  let point: [UInt8]
  /// ECPrivateKey with parameters and public key, as OpenSSL writes it.
  let sec1: [UInt8]
  /// PrivateKeyInfo as OpenSSL writes it.
  let pkcs8: [UInt8]

  init(curve: Int32 = NID_X9_62_prime256v1, explicitParameters: Bool = false) {
    let key = EC_KEY_new_by_curve_name(curve)!
    defer { EC_KEY_free(key) }
    if explicitParameters { EC_KEY_set_asn1_flag(key, 0) }
    precondition(EC_KEY_generate_key(key) == 1)
    var scalar = [UInt8](repeating: 0, count: Int(EC_GROUP_get_degree(EC_KEY_get0_group(key)) + 7) / 8)
    BN_bn2binpad(EC_KEY_get0_private_key(key), &scalar, Int32(scalar.count))
    self.scalar = scalar
    var point = [UInt8](repeating: 0, count: 1 + 2 * scalar.count)
    EC_POINT_point2oct(
      EC_KEY_get0_group(key), EC_KEY_get0_public_key(key), POINT_CONVERSION_UNCOMPRESSED, &point, point.count, nil)
    self.point = point
    sec1 = TestKey.encoded { i2d_ECPrivateKey(key, $0) }
    let wrapped = EVP_PKEY_new()!
    defer { EVP_PKEY_free(wrapped) }
    precondition(EVP_PKEY_set1_EC_KEY(wrapped, key) == 1)
    pkcs8 = TestKey.pkcs8(wrapped)
  }

  /// ECPrivateKey, built from its parts.
  static func sec1(
    scalar: [UInt8], curve: [UInt8]? = ObjectIdentifiers.prime256v1, point: [UInt8]? = nil
  ) -> [UInt8] {
    DER.sequence(
      DER.integer([1]), DER.bytes(scalar), curve.map { DER.value(0xA0, DER.oid($0)) } ?? [],
      point.map { DER.value(0xA1, DER.bits($0)) } ?? [])
  }

  /// PrivateKeyInfo, built from its parts.
  static func pkcs8(algorithm: [UInt8], key: [UInt8]) -> [UInt8] {
    DER.sequence(DER.integer([0]), algorithm, DER.bytes(key))
  }

  /// An RSA key as RSAPrivateKey and as PrivateKeyInfo.
  static func rsa(bits: Int32, exponent value: UInt = 65_537) -> (pkcs1: [UInt8], pkcs8: [UInt8]) {
    let key = RSA_new()!
    let exponent = BN_new()!
    defer {
      RSA_free(key)
      BN_free(exponent)
    }
    BN_set_word(exponent, value)
    precondition(RSA_generate_key_ex(key, bits, exponent, nil) == 1)
    let wrapped = EVP_PKEY_new()!
    defer { EVP_PKEY_free(wrapped) }
    precondition(EVP_PKEY_set1_RSA(wrapped, key) == 1)
    return (encoded { i2d_RSAPrivateKey(key, $0) }, pkcs8(wrapped))
  }

  /// Ed25519 as PrivateKeyInfo (RFC 8410).
  static let ed25519 = pkcs8(algorithm: DER.algorithm([0x2B, 0x65, 0x70]), key: DER.bytes(Array(1...32)))

  /// A certificate of this key. A merchant ID is written as its hash in Apple's extension.
  func certificate(
    merchantID: String? = nil, extensionValue: [UInt8]? = nil, until: String = "350101000000Z"
  ) -> [UInt8] {
    var recipe = CertificateRecipe()
    recipe.publicKey = DER.publicKey(point)
    recipe.validity = DER.sequence(DER.utcTime("250101000000Z"), DER.utcTime(until))
    let hash = merchantID.map { DER.value(0x0C, Array(TestKey.sha256($0).hex.uppercased().utf8)) }
    if let value = extensionValue ?? hash {
      recipe.extensions = [DER.extensionEntry(ObjectIdentifiers.appleMerchantIDHash, value)]
    }
    return recipe.der
  }

  static func sha256(_ text: String) -> Bytes32 { sha256(Array(text.utf8)) }

  static func sha256(_ bytes: [UInt8]) -> Bytes32 {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256(bytes, bytes.count, &digest)
    return Bytes32(digest)!
  }

  private static func pkcs8(_ key: OpaquePointer) -> [UInt8] {
    let info = EVP_PKEY2PKCS8(key)!
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    return encoded { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
  }

  private static func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(encode(nil)))
    bytes.withUnsafeMutableBufferPointer { buffer in
      var next = buffer.baseAddress
      precondition(encode(&next) > 0)
    }
    return bytes
  }
}

enum PEM {
  static func block(_ label: String, _ der: [UInt8], lineEnd: String = "\n") -> [UInt8] {
    let text = Array(Base64.encode(der).utf8)
    let lines = stride(from: 0, to: text.count, by: 64).map {
      String(decoding: text[$0..<min($0 + 64, text.count)], as: UTF8.self)
    }
    return Array(
      (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).map { $0 + lineEnd }.joined().utf8)
  }
}

extension KeyFile {
  init(_ name: String, _ parts: [UInt8]...) {
    self.init(name: name, bytes: parts.flatMap { $0 })
  }
}

/// The error that `body` throws; nil if it throws none.
func keyError<Result>(_ body: () throws(KeyError) -> Result) -> KeyError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

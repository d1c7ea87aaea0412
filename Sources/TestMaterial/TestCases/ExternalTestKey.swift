import COpenSSL
import MerchantKeys
import PaymentToken

extension TestKey {
  /// Adds the external key that computes with this private key to those of its version.
  ///
  /// - Throws: `KeyError` when the private key cannot be loaded or is of another kind.
  func addExternalKey(
    named name: String, to ecKeys: inout [ExternalECKey], _ rsaKeys: inout [ExternalRSAKey]
  ) throws(KeyError) {
    var file = KeyFile(name: name, bytes: [UInt8](privateKeyPem.utf8))
    defer { file.wipe() }
    // This set only computes shared secrets and unwraps keys, so its merchant identifier does not matter.
    let held = try MerchantKeySet(files: [file], merchantIDs: [.uncertified(merchantID: name)])
    guard held.count == 1 else { throw KeyError(.unsupportedCurve, file: name) }
    let answers = holder == .external
    switch held[0].publicKey {
    case .p256(let point):
      ecKeys.append(try ExternalECKey(publicKey: point, agreement: TestAgreement(key: held, answers: answers)))
    case .rsa(let modulus, _):
      rsaKeys.append(try ExternalRSAKey(modulus: modulus, transport: TestTransport(key: held, answers: answers)))
    case .p384, .other: throw KeyError(.unsupportedCurve, file: name)
    }
  }
}

/// The agreement of an external test key, with libcrypto.
private struct TestAgreement: KeyAgreement {
  /// A set of this key alone.
  let key: MerchantKeySet
  /// Whether the external key answers.
  let answers: Bool

  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    guard answers, let x = key.withScalar(at: 0, { Self.product(of: $0, peer) }), x.count == secret.count else {
      throw KeyUnavailable()
    }
    for index in x.indices { secret[index] = x[index] }
  }

  /// The x-coordinate of a scalar times a point (NIST SP 800-56A section 5.7.1.2); nil for no point of P-256.
  private static func product(of scalar: UnsafeRawBufferPointer, _ peer: Span<UInt8>) -> [UInt8]? {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let point = EC_POINT_new(group),
      let result = EC_POINT_new(group), let number = BN_secure_new(), let x = BN_new()
    else { return nil }
    defer {
      BN_clear_free(x)
      BN_clear_free(number)
      EC_POINT_clear_free(result)
      EC_POINT_free(point)
      EC_GROUP_free(group)
    }
    let isPoint = peer.withUnsafeBufferPointer { EC_POINT_oct2point(group, point, $0.baseAddress, $0.count, nil) == 1 }
    guard isPoint,
      BN_bin2bn(scalar.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(scalar.count), number) != nil,
      EC_POINT_mul(group, result, nil, point, number, nil) == 1,
      EC_POINT_get_affine_coordinates(group, result, x, nil, nil) == 1
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 32)
    return BN_bn2binpad(x, &bytes, 32) == 32 ? bytes : nil
  }
}

/// The key transport of an external RSA test key, with libcrypto.
private struct TestTransport: KeyTransport {
  /// A set of this key alone.
  let key: MerchantKeySet
  /// Whether the external key answers.
  let answers: Bool

  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    guard answers else { throw KeyUnavailable() }
    var message = [UInt8](repeating: 0, count: self.key.modulusSize(at: 0))
    defer { OPENSSL_cleanse(&message, message.count) }
    let count = self.key.withRSAKey(at: 0) { Self.decrypt(wrapped, with: $0, into: &message) }
    guard let count, count == key.count else { return false }
    for index in 0..<count { key[index] = message[index] }
    return true
  }

  /// RSAES-OAEP (RFC 8017 section 7.1.2). Returns the length of the message; nil for an invalid ciphertext.
  private static func decrypt(_ wrapped: Span<UInt8>, with key: OpaquePointer, into message: inout [UInt8]) -> Int? {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var count = message.count
    let isDecrypted = wrapped.withUnsafeBufferPointer { wrapped in
      EVP_PKEY_decrypt_init(context) == 1 && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
        && EVP_PKEY_decrypt(context, &message, &count, wrapped.baseAddress, wrapped.count) == 1
    }
    return isDecrypted ? count : nil
  }
}

import COpenSSL
import MerchantKeys
import PaymentToken

extension TestKey {
  /// The key as an external one, with the public key of its private key.
  ///
  /// - Throws: `KeyError` when the private key cannot be loaded or is of another kind.
  func externalKey(named name: String) throws(KeyError) -> ExternalKey {
    var file = KeyFile(name: name, bytes: [UInt8](privateKeyPem.utf8))
    defer { file.wipe() }
    // The hash of the merchant identifier is the caller's; this set only computes.
    let held = try MerchantKeySet.load(files: [file], merchantIDs: [.uncertified(merchantID: name)])
    guard held.count == 1, case .p256(let point) = held[0].publicKey else {
      throw KeyError(.unsupportedCurve, file: name)
    }
    return try ExternalKey(publicKey: point, agreement: TestAgreement(key: held, answers: holder == .external))
  }
}

/// The agreement of an external test key, with libcrypto.
private struct TestAgreement: KeyAgreement {
  /// A set of this key alone.
  let key: MerchantKeySet
  /// Whether it answers.
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

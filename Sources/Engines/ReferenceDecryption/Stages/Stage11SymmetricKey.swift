import MerchantKeys
import PaymentToken

extension ReferenceDecryptor {
  /// 11.1: the 26 bytes before the point in a SubjectPublicKeyInfo on prime256v1 (RFC 5480).
  private static let ephemeralKeyPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
    0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// Stage 11 of EC_v1.
  ///
  /// - Returns: the AES key; the caller wipes it.
  /// - Throws: `invalidEphemeralKey`, `keyUnavailable`.
  static func deriveSymmetricKey(
    _ fields: SealedFields, from keys: MerchantKeySet, at index: Int, trace: inout Trace
  ) throws(TokenFault) -> WipedBytes {
    trace.begin(.symmetricKey)
    let secret = try sharedSecret(fields, from: keys, at: index)
    defer { secret.wipe() }
    return P256Agreement.derivedKey(sharedSecret: secret, merchantIDHash: keys.merchantIDHash(at: index))
  }

  /// Z for the token's ephemeral key, 32 bytes; the caller wipes it.
  ///
  /// - Throws: `invalidEphemeralKey`, `keyUnavailable`.
  static func sharedSecret(
    _ fields: SealedFields, from keys: MerchantKeySet, at index: Int
  ) throws(TokenFault) -> WipedBytes {
    // 11.1
    let point = fields.keyField.dropFirst(ephemeralKeyPrefix.count)
    guard fields.keyField.starts(with: ephemeralKeyPrefix), P256Agreement.isOnCurve(point) else {
      throw TokenFault(.invalidEphemeralKey)
    }
    // 11.2
    return try sharedSecret(with: point, from: keys, at: index)
  }

  /// Z, computed here or by the external key (11.3); the caller wipes it.
  private static func sharedSecret(
    with point: ArraySlice<UInt8>, from keys: MerchantKeySet, at index: Int
  ) throws(TokenFault) -> WipedBytes {
    guard let external = keys.externalAgreement(at: index) else {
      let secret = keys.withScalar(at: index) { P256Agreement.sharedSecret(scalar: $0, point: point) }
      // The group has prime order and the scalar is within 1...n-1, so this fails only without memory or random
      // numbers.
      guard let secret else { throw TokenFault(.keyUnavailable) }
      return secret
    }
    let secret = WipedBytes(count: P256Agreement.size)
    do {
      try secret.withMutableBytes { (bytes) throws(KeyUnavailable) in
        var room = bytes.mutableSpan
        try external.deriveSecret(with: Array(point).span, into: &room)
      }
    } catch {
      throw TokenFault(.keyUnavailable)
    }
    return secret
  }
}

extension ReferenceDecryptor {
  /// Stage 11 of RSA_v1. It never rejects a token.
  ///
  /// - Returns: the AES key, or a random key if unwrapping fails (11.5); the caller wipes it.
  /// - Throws: `keyUnavailable`, if an external key does not answer.
  static func unwrapSymmetricKey(
    _ fields: SealedFields, from keys: MerchantKeySet, at index: Int, trace: inout Trace
  ) throws(TokenFault) -> WipedBytes {
    trace.begin(.symmetricKey)
    // Stage 10 selects keys by the version of the token, so this one is an RSA key.
    guard case .rsa(let modulus, _) = keys[index].publicKey else {
      preconditionFailure("stage 10 found a key of the wrong kind")
    }
    if let external = keys.externalTransport(at: index) {
      do {
        return try KeyUnwrapping.key(from: fields.keyField, modulus: modulus, by: external)
      } catch {
        throw TokenFault(.keyUnavailable)
      }
    }
    return keys.withRSAKey(at: index) { KeyUnwrapping.key(from: fields.keyField, privateKey: $0, modulus: modulus) }
  }
}

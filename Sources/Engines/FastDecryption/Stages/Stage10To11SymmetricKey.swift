import CSecrecy
import CSodium
import MerchantKeys
import PaymentToken
import TokenScanning

extension Workspace {
  /// Decides stages 10 (10.1) and 11, and writes the content key to `secrets.key`.
  mutating func deriveKey(for content: EncryptedContent, with keys: MerchantKeySet) throws(TokenFault) {
    guard let index = keys.index(of: content.publicKeyHash, for: content.version) else {
      throw TokenFault(.unknownMerchantKey)
    }
    switch content.version.traits.keyEstablishment {
    case .agreement: try agreeOnKey(content, with: keys, at: index)
    case .unwrapping: try unwrapKey(content, with: keys, at: index)
    }
  }

  /// Stage 11 for a wrapped key (11.3, 11.4). Fails only if an external key does not answer; see `RSAKeyUnwrapping`.
  private mutating func unwrapKey(
    _ content: EncryptedContent, with keys: MerchantKeySet, at index: Int
  ) throws(TokenFault) {
    if let external = keys.externalTransport(at: index) {
      let wrapped = signed.span.extracting(content.keyOffset..<content.keyOffset + content.keySize)
      let isInRange = keys.isInRange(wrapped, at: index)
      guard unwrapping.unwrap(wrapped, isInRange: isInRange, with: external, in: secrets) else {
        throw TokenFault(.keyUnavailable)
      }
      return
    }
    let wrapped = signed.address(at: content.keyOffset, count: content.keySize)
    keys.withRSAKey(at: index) { key in
      unwrapping.unwrap(wrapped, count: content.keySize, with: key, in: secrets)
    }
  }

  /// Stage 11 for an agreed key.
  private mutating func agreeOnKey(
    _ content: EncryptedContent, with keys: MerchantKeySet, at index: Int
  ) throws(TokenFault) {
    let info = content.keyOffset..<EncryptedContent.dataOffset
    guard P256KeyInfo.isUncompressed(signed.span.extracting(info)),
      agreement.setPeer(
        signed.address(at: info.lowerBound + P256KeyInfo.pointOffset, count: P256KeyAgreement.pointSize))
    else { throw TokenFault(.invalidEphemeralKey) }
    try deriveSecret(with: keys, at: index)
    hashSecret(with: keys, at: index)
  }

  /// Derives the content key from Z by the concatenation KDF of NIST SP 800-56A 5.8.1 with Apple's party information
  /// (11.2).
  mutating func hashSecret(with keys: MerchantKeySet, at index: Int) {
    assay_mark_secret(secrets.sharedSecret, P256KeyAgreement.secretSize)
    secrets.surroundSharedSecret(with: keys.merchantIDHash(at: index))
    var hash = SHA256()
    hash.update(secrets.derivation)
    hash.finish(into: secrets.key)
    assay_mark_secret(secrets.key, Bytes32.count)
  }

  /// Writes Z to `secrets.sharedSecret`. The peer is known to be on the curve.
  private mutating func deriveSecret(with keys: MerchantKeySet, at index: Int) throws(TokenFault) {
    let secret = secrets.sharedSecret
    if let external = keys.externalAgreement(at: index) {
      let point = (EncryptedContent.dataOffset - P256KeyAgreement.pointSize)..<EncryptedContent.dataOffset
      var room = MutableSpan(_unsafeStart: secret, count: P256KeyAgreement.secretSize)
      // The external key's code runs on this thread and may leave Z on the stack.
      defer { assay_wipe_stack() }
      do {
        try external.deriveSecret(with: signed.span.extracting(point), into: &room)
      } catch {
        throw TokenFault(.keyUnavailable)
      }
      return
    }
    let isDerived = keys.withScalar(at: index) { scalar in
      guard let scalar = scalar.baseAddress else { return false }
      return agreement.deriveSecret(scalar: scalar.assumingMemoryBound(to: UInt8.self), into: secret)
    }
    // The scalar is within 1...n-1 and the peer is on a curve of prime order, so this fails only without memory or
    // random numbers.
    guard isDerived else { throw TokenFault(.keyUnavailable) }
  }
}

/// The fixed parts of the KDF's input. The input is the counter, Z, the algorithm, party U, and the merchant
/// identifier's hash as party V (Apple, "Restoring the symmetric key").
extension SecretBuffer {
  static var counter: InlineArray<4, UInt8> { [0, 0, 0, 1] }

  /// The length 0x0D, "id-aes256-GCM" and "Apple".
  static var algorithmAndPartyU: InlineArray<19, UInt8> {
    [
      0x0D, 0x69, 0x64, 0x2D, 0x61, 0x65, 0x73, 0x32, 0x35, 0x36, 0x2D, 0x47, 0x43, 0x4D, 0x41, 0x70, 0x70, 0x6C,
      0x65,
    ]
  }
}

/// The only encoding of an ephemeral key: a SubjectPublicKeyInfo of 91 bytes (RFC 5480; Docs/Verification.md 11.1).
enum P256KeyInfo {
  /// The offset of the uncompressed point.
  static var pointOffset: Int { 26 }
  /// The offset of x ‖ y, after the byte 04.
  static var coordinatesOffset: Int { pointOffset + 1 }

  private static var prefix: InlineArray<27, UInt8> {
    [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
      0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]
  }

  /// Whether 91 bytes have the named-curve form with an uncompressed point. Does not check that the point is on the
  /// curve.
  static func isUncompressed(_ info: Span<UInt8>) -> Bool {
    info.extracting(first: prefix.count).elementsEqual(prefix.span)
  }
}

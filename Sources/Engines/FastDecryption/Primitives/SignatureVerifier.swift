import COpenSSL
import CP256
import PaymentToken
import TokenScanning

/// ECDSA verification on P-256 (FIPS 186-5 6.4.2), by a kernel if the signer has a table, else by libcrypto.
struct SignatureVerifier: ~Copyable {
  private let signature: OpaquePointer
  /// Owned by `signature`.
  private let r: OpaquePointer
  private let s: OpaquePointer

  /// Nil if libcrypto is out of memory.
  init?() {
    let signature = ECDSA_SIG_new()
    let r = BN_new()
    let s = BN_new()
    guard let signature, let r, let s, ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(s)
      BN_free(r)
      ECDSA_SIG_free(signature)
      return nil
    }
    (self.signature, self.r, self.s) = (signature, r, s)
  }

  deinit {
    ECDSA_SIG_free(signature)
  }

  /// Whether a range of `bytes` is a signature value in strict DER that signs the digest (8.3). libcrypto decides if
  /// the signer has no table or the kernel cannot decide.
  ///
  /// - Parameters:
  ///   - table: the signer's table, if it has one.
  ///   - operations: the kernel's functions, if there are any.
  func verifies(
    _ bytes: Span<UInt8>, in range: Range<Int>, digest: Bytes32, by signer: P256SignerKey,
    table: UnsafePointer<UInt64>?, _ operations: P256Operations?
  ) -> Bool {
    if let table, let operations {
      guard let signature = assay_p256_signature(bytes, in: range, digest: digest, by: table) else { return false }
      if let verdict = signature.isGenuine(by: operations) { return verdict }
    }
    guard let value = try? ECDSASignatureValue(bytes, in: range) else { return false }
    return verifiesByLibcrypto(r: bytes.extracting(value.r), s: bytes.extracting(value.s), digest: digest, by: signer)
  }

  /// Whether a signature that a kernel could not decide signs the digest.
  func verifiesByLibcrypto(_ signature: assay_p256_signature, digest: Bytes32, by signer: P256SignerKey) -> Bool {
    withUnsafeBytes(of: signature.r) { r in
      withUnsafeBytes(of: signature.s) { s in
        verifiesByLibcrypto(
          r: r.bindMemory(to: UInt8.self).span, s: s.bindMemory(to: UInt8.self).span, digest: digest, by: signer)
      }
    }
  }

  /// Whether (r, s), big-endian magnitudes, sign the digest; integers outside 1...n-1 do not.
  private func verifiesByLibcrypto(
    r first: Span<UInt8>, s second: Span<UInt8>, digest: Bytes32, by signer: P256SignerKey
  ) -> Bool {
    // A longer integer exceeds n, and BN_bin2bn would grow the number.
    guard first.count <= 32, second.count <= 32 else { return false }
    let isRead =
      first.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32($0.count), r) != nil }
      && second.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32($0.count), s) != nil }
    guard isRead else { return false }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return digest.withUnsafeBytes { bytes in
      ECDSA_do_verify(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count), signature, signer.key) == 1
    }
  }
}

import COpenSSL
import CSecrecy
import CSodium
import PaymentToken

/// RSAES-OAEP with SHA-256, MGF1 with SHA-256 and an empty label, for keys of 16 bytes (RFC 8017 7.1.2).
///
/// A wrapped key that cannot be unwrapped yields a random key, without a branch on the failure (Scripts/check-secrecy).
/// So the sender cannot tell an OAEP failure from a wrong key: both show only when the content cannot be decrypted
/// (Docs/Verification.md 11.5; Bleichenbacher 1998, Manger 2001).
package struct RSAKeyUnwrapping: ~Copyable {
  /// The size of a content key in bytes.
  static var keySize: Int { 16 }
  /// The size of the largest modulus in bytes.
  static var largestModulus: Int { 512 }

  /// The number that is decrypted instead of a ciphertext that is too long, too short or not below the modulus. It is
  /// cut to the size of the modulus. The first byte is zero, so that the number is below the modulus. The others are
  /// not zero, since libcrypto would take less time for a short number.
  private let substitute: ByteBuffer
  private let number: OpaquePointer

  /// Nil if libcrypto is out of memory.
  package init?() {
    guard let number = BN_new() else { return nil }
    self.number = number
    substitute = ByteBuffer(capacity: Self.largestModulus)
    var allButFirst = substitute.mutableSpan(from: 1)
    allButFirst.update(repeating: 0x55)
  }

  deinit {
    BN_free(number)
  }

  /// Writes a content key to `secrets.key`: the unwrapped one, or a random one.
  ///
  /// - Parameters:
  ///   - wrapped: `count` bytes, 512 at most.
  ///   - key: an EVP_PKEY of RSA, 4,096 bits at most.
  package func unwrap(
    _ wrapped: UnsafePointer<UInt8>, count: Int, with key: OpaquePointer, in secrets: borrowing SecretBuffer
  ) {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let key = EVP_PKEY_get0_RSA(key) else { fatalError("an RSA key is one") }
    let size = Int(RSA_size(key))
    // The sender knows the wrapped key and the modulus, so branches on them are safe. Only what RSA decrypts is secret.
    let candidate = count == size ? wrapped : UnsafePointer(substitute.address(count: size))
    let isBelow = isBelow(RSA_get0_n(key), candidate, count: size)
    let isCiphertext = count == size && isBelow
    let input = isBelow ? candidate : UnsafePointer(substitute.address(count: size))
    let length = RSA_private_decrypt(Int32(size), input, secrets.encoded, key, RSA_NO_PADDING)
    assay_mark_secret(secrets.encoded, size)
    let unwrapped = RSA_padding_check_PKCS1_OAEP_mgf1(
      secrets.unwrapped, Int32(Self.keySize), secrets.encoded, Int32(size), Int32(size), nil, 0, EVP_sha256(),
      EVP_sha256())
    // The decrypted substitute could be an OAEP encoding by chance, so it is never used.
    let isUsable = isCiphertext && length == Int32(size)
    finish(unwrapped, isUsable, in: secrets)
  }

  /// Writes the unwrapped key of `count` bytes or a random one to `secrets.key`, and wipes the stack. The
  /// other buffers of `secrets` are wiped with the token.
  private func finish(_ count: Int32, _ isUsable: Bool, in secrets: borrowing SecretBuffer) {
    randombytes_buf(secrets.fallback, Self.keySize)
    assay_mark_secret(secrets.unwrapped, Self.keySize)
    assay_mark_secret(secrets.fallback, Self.keySize)
    choose(count, isUsable, in: secrets)
    assay_mark_secret(secrets.key, Self.keySize)
    // libcrypto or an external key leaves the padded block on the stack, and `choose` leaves the key in a register.
    assay_wipe_stack()
  }

  /// Writes a content key to `secrets.key`: the one that the external key unwraps, or a random one.
  ///
  /// - Parameter isInRange: whether the wrapped key has the size of the modulus and is below it.
  /// - Returns: false if the external key does not answer.
  func unwrap(
    _ wrapped: Span<UInt8>, isInRange: Bool, with external: any KeyTransport, in secrets: borrowing SecretBuffer
  ) -> Bool {
    var room = MutableSpan(_unsafeStart: secrets.unwrapped, count: Self.keySize)
    var isUnwrapped = false
    if isInRange {
      do {
        isUnwrapped = try external.unwrapKey(wrapped, into: &room)
      } catch {
        assay_wipe_stack()
        return false
      }
    }
    finish(isUnwrapped ? Int32(Self.keySize) : 0, true, in: secrets)
    return true
  }

  private func isBelow(_ modulus: OpaquePointer?, _ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    BN_bin2bn(bytes, Int32(count), number) != nil && BN_ucmp(number, modulus) < 0
  }

  /// Selects the unwrapped key if it has 16 bytes, else the random one, without a branch on the choice.
  private func choose(_ count: Int32, _ isUsable: Bool, in secrets: borrowing SecretBuffer) {
    let difference = (UInt32(bitPattern: count) ^ UInt32(Self.keySize)) | (isUsable ? 0 : 1)
    // The highest bit is set unless the difference is zero.
    let isOther = (difference | (0 &- difference)) &>> 31
    let mask = UInt8(truncatingIfNeeded: isOther &- 1)
    let (key, unwrapped, fallback) = (secrets.key, secrets.unwrapped, secrets.fallback)
    for index in 0..<Self.keySize {
      key[index] = (unwrapped[index] & mask) | (fallback[index] & ~mask)
    }
  }
}

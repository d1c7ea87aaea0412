import COpenSSL
import CSecrecy
import CSodium

/// RSAES-OAEP with SHA-256, MGF1 with SHA-256 and an empty label, for keys of 16 bytes (RFC 8017 7.1.2).
///
/// A wrapped key that cannot be unwrapped gives a random one at the same cost: what went wrong, and whether anything did,
/// shows only when the content does not open (Docs/Verification.md 11.5).
package struct RSAKeyUnwrapping: ~Copyable {
  /// The bytes of a content key.
  static var keySize: Int { 16 }
  /// The bytes of the longest modulus.
  static var largestModulus: Int { 512 }

  /// Decrypted in place of a number that no device can have sent: as many bytes of it as the modulus has, of which the first
  /// is zero, so that it is below. The others are not, since libcrypto is faster with short numbers.
  private let substitute: ByteBuffer
  private let number: OpaquePointer

  /// Nil when libcrypto has no memory.
  package init?() {
    guard let number = BN_new() else { return nil }
    self.number = number
    substitute = ByteBuffer(capacity: Self.largestModulus)
    substitute.address(at: 1, count: Self.largestModulus - 1).update(repeating: 0x55, count: Self.largestModulus - 1)
  }

  deinit {
    BN_free(number)
  }

  /// Leaves a content key with the secrets: the unwrapped one, or a random one.
  ///
  /// - Parameters:
  ///   - wrapped: `count` bytes, 512 at most.
  ///   - key: an EVP_PKEY of RSA, 4,096 bits at most.
  package func unwrap(
    _ wrapped: UnsafePointer<UInt8>, count: Int, with key: OpaquePointer, in secrets: borrowing SecretBuffer
  ) {
    randombytes_buf(secrets.fallback, Self.keySize)
    guard let key = EVP_PKEY_get0_RSA(key) else { fatalError("an RSA key is one") }
    let size = Int(RSA_size(key))
    // Both are known to whoever sent the token: only what lies behind the private operation is a secret.
    let candidate = count == size ? wrapped : UnsafePointer(substitute.address(count: size))
    let isBelow = isBelow(RSA_get0_n(key), candidate, count: size)
    let isCiphertext = count == size && isBelow
    let input = isBelow ? candidate : UnsafePointer(substitute.address(count: size))
    let length = RSA_private_decrypt(Int32(size), input, secrets.encoded, key, RSA_NO_PADDING)
    assay_mark_secret(secrets.encoded, size)
    assay_mark_secret(secrets.fallback, Self.keySize)
    let unwrapped = RSA_padding_check_PKCS1_OAEP_mgf1(
      secrets.unwrapped, Int32(Self.keySize), secrets.encoded, Int32(size), Int32(size), nil, 0, EVP_sha256(),
      EVP_sha256())
    ERR_clear_error()
    let isUsable = isCiphertext && length == Int32(size)
    choose(unwrapped, isUsable, in: secrets)
    assay_mark_secret(secrets.key, Self.keySize)
    // libcrypto leaves the padded block on the stack, and `choose` the key in a register.
    assay_wipe_stack()
  }

  private func isBelow(_ modulus: OpaquePointer?, _ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    BN_bin2bn(bytes, Int32(count), number) != nil && BN_ucmp(number, modulus) < 0
  }

  /// Takes the unwrapped key if it has 16 bytes, else the random one, without a branch on which.
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

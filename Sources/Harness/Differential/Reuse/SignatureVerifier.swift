import COpenSSL
import MerchantKeys
import Synchronization

/// Makes the signature checks that an engine in the fuzzing loop leaves to its caller, and keeps decoded keys.
///
/// Nearly all samples have one of a few keys, and OpenSSL takes long to decode a SubjectPublicKeyInfo. Outside the
/// loop, an engine decodes each key itself.
package final class SignatureVerifier: Sendable {
  /// An EVP_PKEY that frees itself, never changed after initialisation.
  private final class Key: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer

    init?(_ subjectPublicKeyInfo: [UInt8]) {
      let key = LibcryptoCoding.decoded(subjectPublicKeyInfo, d2i_PUBKEY, free: EVP_PKEY_free)
      guard let key else { return nil }
      pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }
  }

  package init() {}

  private let keys = Mutex(Generations<[UInt8], Key>(capacity: 64))

  /// Whether the signature is valid; nil if the inputs are not a signature value, a message, the signer's
  /// SubjectPublicKeyInfo and the size of SHA-256 or SHA-384, or if OpenSSL cannot decode the key.
  package func result(of inputs: [[UInt8]]) -> Bool? {
    guard inputs.count == 4, let digest = Self.digest(inputs[3]), let key = key(inputs[2]) else { return nil }
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    return withExtendedLifetime(key) {
      guard EVP_DigestVerifyInit(context, nil, digest, nil, key.pointer) == 1 else { return false }
      return EVP_DigestVerify(context, inputs[0], inputs[0].count, inputs[1], inputs[1].count) == 1
    }
  }

  private static func digest(_ size: [UInt8]) -> OpaquePointer? {
    switch size {
    case [32]: EVP_sha256()
    case [48]: EVP_sha384()
    default: nil
    }
  }

  private func key(_ subjectPublicKeyInfo: [UInt8]) -> Key? {
    if let known = keys.withLock({ $0.value(for: subjectPublicKeyInfo) }) { return known }
    guard let key = Key(subjectPublicKeyInfo) else { return nil }
    keys.withLock { $0.insert(key, for: subjectPublicKeyInfo) }
    return key
  }
}

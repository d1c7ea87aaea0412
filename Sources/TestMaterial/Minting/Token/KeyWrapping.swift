/// Makes the wrapped key of RSA_v1: pads the AES key and encrypts it with the merchant's public key (RFC 8017, 7.1.1).
/// The padding is computed here and not by libcrypto. So a seed gives the same bytes, and every part can be made wrong.
package struct KeyWrapping: Sendable {
  /// The merchant's key that wraps the AES key.
  package var merchantKey: RSATestMerchant.Key
  /// The wrapped bytes: an AES-128 key in a valid token.
  package var key: [UInt8]
  /// OAEP's seed, as long as a digest.
  package var seed: [UInt8]
  /// The padding.
  package var padding = OAEPPadding()

  package init(_ key: [UInt8], under merchantKey: RSATestMerchant.Key, seed: [UInt8]) {
    self.merchantKey = merchantKey
    self.key = key
    self.seed = seed
  }

  /// The decoded wrappedKey, as long as the modulus.
  package func wrapped() throws(MintingError) -> [UInt8] { try wrapped(under: merchantKey.pair.publicKey) }

  /// The same under another merchant's key.
  func wrapped(under publicKey: RSAPublicKey) throws(MintingError) -> [UInt8] {
    try publicKey.encrypt(encoded: padding.encode(key, seed: seed, count: publicKey.modulus.count))
  }
}

/// EME-OAEP encoding (RFC 8017, 7.1.1 step 2); the defaults are Apple's parameters.
package struct OAEPPadding: Sendable {
  /// Empty for Apple.
  package var label: [UInt8] = []
  /// The digest of the label.
  package var digest = SignatureDigest.sha256
  /// The digest of MGF1.
  package var maskDigest = SignatureDigest.sha256
  /// The first byte of the encoding.
  package var firstByte: UInt8 = 0
  /// Edits lHash ‖ zeros ‖ 01 ‖ message, before it is masked.
  package var editBlock: (@Sendable (inout [UInt8]) -> Void)?

  /// Apple's parameters.
  package init() {}

  /// The bytes that are raised to the public exponent.
  ///
  /// - Parameters:
  ///   - message: at most `count` − 2 digests − 2 bytes.
  ///   - seed: as long as a digest; the rest of a longer one is ignored.
  ///   - count: the bytes of the modulus.
  package func encode(_ message: [UInt8], seed: [UInt8], count: Int) -> [UInt8] {
    let hash = digest.hash(label)
    let seed = Array(seed.prefix(hash.count))
    let zeros = [UInt8](repeating: 0, count: count - message.count - hash.count - seed.count - 2)
    var block = hash + zeros + [1] + message
    editBlock?(&block)
    let maskedBlock = masked(block, by: seed)
    return [firstByte] + masked(seed, by: maskedBlock) + maskedBlock
  }

  /// The message after the label's digest, the zeros and the 01, even if the rest is wrong; nil without a 01. Not
  /// constant time: for test keys only.
  package func open(_ encoded: [UInt8]) -> [UInt8]? {
    let size = digest.hash([]).count
    guard encoded.count > 2 * size + 2 else { return nil }
    let maskedBlock = Array(encoded[(1 + size)...])
    let seed = masked(Array(encoded[1...size]), by: maskedBlock)
    let block = masked(maskedBlock, by: seed)
    guard let end = block[size...].firstIndex(where: { $0 != 0 }), block[end] == 1 else { return nil }
    return Array(block[(end + 1)...])
  }

  /// Bytes XOR MGF1 of a seed (RFC 8017, B.2.1).
  private func masked(_ bytes: [UInt8], by seed: [UInt8]) -> [UInt8] {
    var mask: [UInt8] = []
    var counter: UInt8 = 0
    while mask.count < bytes.count {
      mask += maskDigest.hash(seed + [0, 0, 0, counter])
      counter += 1
    }
    return zip(bytes, mask).map { $0 ^ $1 }
  }
}

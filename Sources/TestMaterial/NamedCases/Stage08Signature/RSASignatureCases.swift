import Minting
import PaymentToken

/// RSA_v1 in stage 8: what is signed, and the value over it, always as long as the modulus.
extension CaseList {
  mutating func addRSASignatureCases() {
    let edits: Named<Edit<TokenLayers>> = [
      "a-bit-flipped-in-the-wrapped-key": { $0.wrappedKey[255] ^= 1 },
      "the-first-bit-of-the-wrapped-key-flipped": { $0.wrappedKey[0] ^= 0x80 },
      "a-byte-added-to-the-wrapped-key": { $0.wrappedKey.append(0) },
    ]
    for (name, edit) in edits {
      rsa("8.1", name, .signatureMismatch) { edit(&$0.layers) }
    }
    underRSA(
      "a-bit-flipped-in-the-ciphertext", "a-byte-added-to-the-data", "a-bit-flipped-in-the-transaction-id",
      "application-data-added", "the-signature-of-another-token")
    rsa("8.1", .standing(.apple, .apple, .high, "digest-of-data-before-the-wrapped-key"), .signatureMismatch) { draft in
      let layers = draft.layers
      draft.layers.signature = try layers.signer.sign(
        layers.data + layers.wrappedKey + layers.transactionId, at: layers.signedAt)
    }
    underRSA("signing-time-altered-after-signing")
    let keys: Named<@Sendable (Minter) -> RSAKeyPair> = [
      "the-foreign-leaf": { $0.foreign.rsaLeafKey }, "the-merchant": { $0.rsaMerchants[0].keys[0].pair },
    ]
    for (name, pick) in keys {
      rsa("8.4", .standing(.rsaForgery, "signed-with-the-key-of-\(name)"), .signatureMismatch) {
        try $0.sign(\.signer.rsaKey, pick($0.minter))
      }
    }
    addRSANumberCases()
    addRSAEncodingCases()
  }

  private mutating func addRSANumberCases() {
    let size = 256
    let numbers: Named<@Sendable ([UInt8], RSAKeyPair) throws -> [UInt8]> = [
      "0": { _, _ in zeros(size) },
      "1": { _, _ in zeros(size - 1) + [1] },
      "n": { _, key in key.modulus }, "n-1": { _, key in key.modulus.dropLast() + [key.modulus[size - 1] - 1] },
      "n+1": { _, key in key.modulus.dropLast() + [key.modulus[size - 1] + 1] },
      "of-ones": { _, _ in [UInt8](repeating: 0xFF, count: size) }, "reversed": { value, _ in value.reversed() },
      "with-its-last-bit-flipped": { value, _ in value.dropLast() + [value[size - 1] ^ 1] },
      "with-its-middle-bit-flipped": { value, _ in value[..<128] + [value[128] ^ 0x10] + value[129...] },
      "negated": { value, key in
        try key.modulus(minus: value)
      },
    ]
    for (name, make) in numbers {
      rsa("8.4", .standing(.rsaForgery, "signature-value-\(name)"), .signatureMismatch) { draft in
        guard let key = draft.layers.signer.rsaKey else { throw MintingError.recipe("no RSA key") }
        try draft.sign(value: make(key.sign(ASN1Node.set(draft.signedAttributes).encoded, .sha256), key))
      }
    }
  }

  /// Encodings (RFC 8017, 9.2) that lenient verifiers take, each as long as the modulus and signed with the leaf's key.
  private mutating func addRSAEncodingCases() {
    let prefix = ASN1Node.sequence([Algorithms.sha256WithNull, .octetString(zeros(32))]).encoded
      .dropLast(32)
    @Sendable func padded(_ type: UInt8, _ padding: UInt8, _ info: [UInt8]) -> [UInt8] {
      [0, type] + [UInt8](repeating: padding, count: 253 - info.count) + [0] + info
    }
    @Sendable func info(_ algorithm: ASN1Node, _ hash: [UInt8]) -> [UInt8] {
      ASN1Node.sequence([algorithm, .octetString(hash)]).encoded
    }
    let encodings: Named<@Sendable ([UInt8]) -> [UInt8]> = [
      .standing(.apple, .rfc(8017, "8.2.2"), .strictness, "over-sha-1"): {
        padded(1, 0xFF, info(.sequence([OID.sha1, .null]), SignatureDigest.sha1.hash($0)))
      },
      .standing(.apple, .rfc(8017, "8.2.2"), .strictness, "over-sha-384"): {
        padded(1, 0xFF, info(.sequence([OID.sha384, .null]), SignatureDigest.sha384.hash($0)))
      },
      "over-the-digest-again": { padded(1, 0xFF, prefix + Hashing.sha256(Hashing.sha256($0))) },
      .standing(.apple, .rfc(8017, "8.2.2"), .strictness, "without-null"): {
        padded(1, 0xFF, info(Algorithms.sha256, Hashing.sha256($0)))
      },
      "without-digest-info": { padded(1, 0xFF, Hashing.sha256($0)) },
      "with-sha-1-s-name": { padded(1, 0xFF, info(.sequence([OID.sha1, .null]), Hashing.sha256($0))) },
      "with-an-octet-string-for-null": {
        padded(1, 0xFF, info(.sequence([OID.sha256, .octetString([1, 2])]), Hashing.sha256($0)))
      },
      "with-a-byte-after-the-digest": { padded(1, 0xFF, prefix + Hashing.sha256($0) + [0]) },
      "of-block-type-2": { padded(2, 0xFF, prefix + Hashing.sha256($0)) },
      "of-block-type-0": { padded(0, 0x00, prefix + Hashing.sha256($0)) },
      "padded-with-fe": { padded(1, 0xFE, prefix + Hashing.sha256($0)) },
      "with-one-byte-of-padding-changed": { padded(1, 0xFF, prefix + Hashing.sha256($0)).replacing(100, by: 0xFE) },
      "with-eight-bytes-of-padding-and-the-rest-behind": {
        [0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + prefix + Hashing.sha256($0)
          + zeros(194)
      },
      "with-a-first-byte-of-1": { padded(1, 0xFF, prefix + Hashing.sha256($0)).replacing(0, by: 1) },
      "without-a-zero-before-the-digest-info": {
        padded(1, 0xFF, prefix + Hashing.sha256($0)).replacing(204, by: 0xFF)
      },
      "with-a-long-length-in-digest-info": { bytes in
        var node = ASN1Node.sequence([Algorithms.sha256WithNull, .octetString(Hashing.sha256(bytes))])
        node.length = .long(bytes: 1)
        return padded(1, 0xFF, node.encoded)
      },
    ]
    for (name, encode) in encodings {
      rsa("8.4", "signature-encoding-\(name)", .signatureMismatch) { draft in
        guard let key = draft.layers.signer.rsaKey else { throw MintingError.recipe("no RSA key") }
        try draft.sign(value: key.sign(encoded: encode(ASN1Node.set(draft.signedAttributes).encoded)))
      }
    }
  }
}

extension [UInt8] {
  fileprivate func replacing(_ index: Int, by byte: UInt8) -> [UInt8] {
    var copy = self
    copy[index] = byte
    return copy
  }
}

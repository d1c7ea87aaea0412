import Minting
import PaymentToken

/// Stage 12: data that the key decrypts, or does not. All of these are signed.
extension CaseList {
  mutating func addDecryptionCases() {
    for index in 0..<16 {
      reject("12.1", "tag-with-a-bit-flipped-in-byte-\(index)", .decryptionFailed, note: "forgery G, signed") {
        try $0.sign { $0.data[$0.data.count - 16 + index] ^= 1 }
      }
    }
    let edits: Named<Edit<[UInt8]>> = [
      "first-ciphertext-bit-flipped": { $0[0] ^= 0x80 }, "last-ciphertext-bit-flipped": { $0[$0.count - 17] ^= 1 },
      "ciphertext-cut-by-one-byte": { $0.remove(at: $0.count - 17) },
      "ciphertext-with-a-byte-more": { $0.insert(0, at: $0.count - 16) },
      "tag-cut-by-one-byte": { $0.removeLast() }, "tag-of-12-bytes": { $0.removeLast(4) },
      "tag-of-zeros": { $0.replaceSubrange(($0.count - 16)..., with: zeros(16)) },
      "tag-missing": { $0.removeLast(16) },
      "tag-before-the-ciphertext": { $0 = Array($0.suffix(16) + $0.dropLast(16)) },
      "tag-twice": { $0 += $0.suffix(16) },
      "a-byte-after-the-tag": { $0.append(0) },
      "ciphertext-blocks-swapped": { $0 = Array($0[16..<32] + $0[0..<16] + $0[32...]) },
      "data-of-zeros": { $0 = zeros($0.count) },
      "data-of-17-zeros": { $0 = zeros(17) },
    ]
    for (name, edit) in edits {
      reject("12.1", name, .decryptionFailed) { try $0.sign { edit(&$0.data) } }
    }
    addKeyDerivationCases()
    addCipherCases()
  }

  private mutating func addKeyDerivationCases() {
    let suffix = [0x0D] + Array("id-aes256-GCMApple".utf8)
    let inputs: Named<@Sendable ([UInt8], TokenLayers) -> [UInt8]> = [
      "counter-of-0": { [0, 0, 0, 0] + $0 + suffix + $1.merchantHash },
      "no-counter": { $0 + suffix + $1.merchantHash },
      "little-endian-counter": { [1, 0, 0, 0] + $0 + suffix + $1.merchantHash },
      "no-length-before-the-algorithm": { [0, 0, 0, 1] + $0 + suffix.dropFirst() + $1.merchantHash },
      "another-algorithm": { [0, 0, 0, 1] + $0 + [0x0D] + Array("id-aes128-GCMApple".utf8) + $1.merchantHash },
      "no-party-u": { [0, 0, 0, 1] + $0 + [0x0D] + Array("id-aes256-GCM".utf8) + $1.merchantHash },
      "no-party-v": { secret, _ in [0, 0, 0, 1] + secret + suffix },
      "the-hash-as-text": { [0, 0, 0, 1] + $0 + suffix + Array(Hex.encode($1.merchantHash).utf8) },
      "the-identifier-instead-of-its-hash": { secret, _ in
        [0, 0, 0, 1] + secret + suffix + Array("merchant.test.assay.one".utf8)
      },
      "the-identifier-in-capitals": { secret, _ in
        [0, 0, 0, 1] + secret + suffix + Hashing.sha256(Array("MERCHANT.TEST.ASSAY.ONE".utf8))
      },
      "the-identifier-of-another-merchant": { secret, _ in
        [0, 0, 0, 1] + secret + suffix + Hashing.sha256(Array("merchant.test.assay.two".utf8))
      },
      "the-secret-reversed": { [0, 0, 0, 1] + $0.reversed() + suffix + $1.merchantHash },
      "the-secret-cut-by-a-byte": { [0, 0, 0, 1] + $0.dropFirst() + suffix + $1.merchantHash },
      "the-parties-exchanged": { [0, 0, 0, 1] + $0 + suffix.prefix(14) + $1.merchantHash + Array("Apple".utf8) },
    ]
    for (name, make) in inputs {
      reject("11.2", .standing(.apple, .apple, .strictness, "key-derived-with-\(name)"), .decryptionFailed) { draft in
        let secret = try draft.layers.ephemeral.sharedSecret(with: draft.layers.merchantKey.pair.point)
        draft.layers.data = try TokenEncryption.seal(
          draft.layers.plaintext, key: Hashing.sha256(make(secret, draft.layers)))
        try draft.sign()
      }
    }
    reject("11.2", .choice(.apple, "encrypted-to-another-key-of-the-merchant"), .decryptionFailed) { draft in
      draft.layers.merchantKey = draft.minter.merchants[0].keys[1]
      try draft.layers.encrypt()
      draft.layers.publicKeyHash = draft.minter.merchants[0].keys[0].publicKeyHash
      try draft.sign()
    }
    reject("11.2", "another-ephemeral-key-than-it-was-encrypted-with", .decryptionFailed) { draft in
      let other = try KeyPair(.p256, from: &draft.stream)
      try draft.ephemeral(other.publicKeyInfo.encoded)
    }
  }

  private mutating func addCipherCases() {
    let zeros = zeros(16)
    for (name, iv, additional) in [
      (.standing(.apple, .apple, .strictness, "an-iv-of-12-bytes"), Array(zeros.prefix(12)), []),
      (.standing(.apple, .apple, .strictness, "an-iv-ending-in-1"), zeros.dropLast() + [1], []),
      (.standing(.apple, .apple, .strictness, "an-iv-of-32-bytes"), zeros + zeros, []),
      (.standing(.apple, .apple, .high, "the-version-as-additional-data"), zeros, Array("EC_v1".utf8)),
      (.standing(.apple, .apple, .high, "a-zero-byte-of-additional-data"), zeros, [0]),
    ] as [(CaseName, [UInt8], [UInt8])] {
      reject("12.1", "encrypted-with-\(name)", .decryptionFailed) { draft in
        let secret = try draft.layers.ephemeral.sharedSecret(with: draft.layers.merchantKey.pair.point)
        let key = TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: draft.layers.merchantHash)
        draft.layers.data = try TokenEncryption.seal(draft.layers.plaintext, key: key, iv: iv, additional: additional)
        try draft.sign()
      }
    }
    for (number, count) in [("2000", 2_000), (.renamed(from: "20000", "8000"), 8_000)] as [(CaseName, Int)] {
      let name: CaseName = "a-plaintext-of-\(number)-bytes-more"
      accept("12.1", count > 2_000 ? .choice(.apple, name) : name) { draft in
        try draft.payload { $0.append("unknown", .string(String(repeating: "x", count: count))) }
      }
    }
    for pad in 0..<16 {
      accept("12.1", "a-plaintext-of-\(pad)-bytes-beyond-a-block") { draft in
        var plaintext = PayloadRecipe().plaintext
        while plaintext.count % 16 != pad { plaintext.append(0x20) }
        try draft.reseal(plaintext)
      }
    }
  }

  // MARK: RSA_v1

  mutating func addRSACipherCases() {
    underRSA("first-ciphertext-bit-flipped")
    rsaData("last-tag-bit-flipped") { $0[$0.count - 1] ^= 1 }
    rsaData("first-tag-bit-flipped") { $0[$0.count - 16] ^= 0x80 }
    underRSA("tag-cut-by-one-byte", "data-of-17-zeros")
    let zeros = zeros(16)
    for (name, key, iv, additional) in [
      (.standing(.apple, .apple, .strictness, "an-iv-of-12-bytes"), [], Array(zeros.prefix(12)), []),
      (.standing(.apple, .apple, .strictness, "an-iv-ending-in-1"), [], zeros.dropLast() + [1], []),
      (.standing(.apple, .apple, .high, "additional-data"), [], zeros, Array("RSA_v1".utf8)),
      (.standing(.apple, .apple, .strictness, "the-key-padded-to-aes-256"), zeros, zeros, []),
    ] as [(CaseName, [UInt8], [UInt8], [UInt8])] {
      rsa("12.1", "encrypted-with-\(name)", .decryptionFailed) { draft in
        draft.layers.data = try TokenEncryption.seal(
          draft.layers.plaintext, key: (draft.layers.wrapping?.key ?? []) + key, iv: iv, additional: additional)
        try draft.sign()
      }
    }
    underRSA("a-plaintext-of-8000-bytes-more")
  }

  /// Every byte of the tag.
  mutating func addRSATagCases() {
    for index in 0..<16 { underRSA("tag-with-a-bit-flipped-in-byte-\(index)") }
    underRSA("tag-missing")
    for count in [4, 8, 12, 13, 14, 15] { rsaData("tag-of-\(count)-bytes") { $0.removeLast(16 - count) } }
    underRSA("tag-of-zeros", "tag-before-the-ciphertext", "tag-twice")
    underRSA("a-byte-after-the-tag", as: "tag-with-a-byte-after-it")
  }

  private mutating func rsaData(_ name: CaseName, _ edit: @escaping @Sendable (inout [UInt8]) -> Void) {
    rsa("12.1", name, .decryptionFailed) { try $0.sign { edit(&$0.data) } }
  }
}

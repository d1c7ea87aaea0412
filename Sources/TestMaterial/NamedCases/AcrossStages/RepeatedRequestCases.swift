import Minting
import PaymentToken

/// A token that was refused is refused again: an engine's caches must not let it pass the second time.
extension CaseList {
  mutating func addRepeatedRequestCases() {
    repeated("another-pinned-root-alone", as: "a-token-of-a-chain-to-no-root")
    repeated("leaf-signed-by-itself", as: "a-leaf-signed-by-itself")
    repeated("intermediate-signed-by-itself", as: "an-intermediate-signed-by-itself")
    repeated("intermediate-that-is-no-authority", as: "an-intermediate-that-is-no-authority")
    repeated("leaf-that-is-an-authority", as: "a-leaf-that-is-an-authority")
    repeated("the-leaf-on-the-revoked-list", as: "a-revoked-leaf")
    repeated("the-intermediate-on-the-revoked-list", as: "a-revoked-intermediate")
    addDateCases()
    repeated("signer-with-another-serial-number", as: "a-signer-of-another-serial-number")
    repeated("signed-with-the-key-of-the-foreign-leaf", as: "a-signature-of-another-key")
    again("12.1", "data-that-does-not-open", .decryptionFailed) { try $0.sign { $0.data[0] ^= 1 } }
    addLikeChainCases()
    addVersionCases()
    addStaleKeyCases()
  }

  private mutating func addDateCases() {
    for (name, start, end, code) in [
      ("expired", -9, -1, TokenFault.Code.certificateExpired), ("not-yet-valid", 1, 9, .certificateNotYetValid),
    ] as [(CaseName, Int64, Int64, TokenFault.Code)] {
      again("7.7", "a-leaf-\(name)", code) { try $0.leaf(validFrom: start, to: end) }
      again("7.7", "an-intermediate-\(name)", code) { try $0.intermediate(validFrom: start, to: end) }
    }
  }

  /// Certificates that differ minimally from ones that were just accepted, and have the same length.
  private mutating func addLikeChainCases() {
    let flip: Edit<[UInt8]> = { $0[$0.count - 1] ^= 1 }
    let edits: Named<@Sendable (inout CaseDraft) throws -> Void> = [
      "a-leaf-whose-signature-differs-in-its-last-bit": { try $0.leaf { $0.editSignature = flip } },
      "an-intermediate-whose-signature-differs-in-its-last-bit": { try $0.intermediate { $0.editSignature = flip } },
      "a-leaf-whose-subject-differs-after-signing": { draft in
        try draft.leaf { leaf in
          let name = leaf.subject[0][0][1].contents
          leaf.editCertificate = { $0 = .raw($0.encoded.replacingLast(name)) }
        }
      },
    ]
    for (name, edit) in edits {
      reject("7.2", "\(name)-after-a-sound-token", .untrustedChain) { draft in
        draft.prelude = [draft.layers.token]
        try edit(&draft)
      }
    }
  }

  /// An engine that knows a chain still checks the SignerInfo, the signature's length and the certificates' bytes.
  mutating func addKnownChainCases() {
    reject("6.4", "signer-with-another-serial-number-after-a-sound-token", .signerMismatch) { draft in
      draft.prelude = [draft.layers.token]
      try draft.sign(\.signer.serial, draft.minter.foreign.leafRecipe.serial)
    }
    let edits: Named<Edit<[UInt8]>> = [
      .standing(.rsaForgery, "cut-by-a-byte"): { $0.removeLast() }, "with-a-byte-after-it": { $0.append(0) },
      "with-a-zero-byte-before-it": { $0.insert(0, at: 0) },
    ]
    for (name, edit) in edits {
      rsa("5.19", "signature-value-\(name)-after-a-sound-token", .malformedSignature) { draft in
        draft.prelude = [draft.layers.token]
        try draft.sign { $0.signatureRecipe.editValue = edit }
      }
    }
    reject(
      "7.2", "a-leaf-of-the-same-hash-as-that-of-a-sound-token", .untrustedChain,
      note: "the hash by which the fast engine finds certificates is easy to collide with"
    ) { draft in
      draft.prelude = [draft.layers.token]
      try draft.certificates { $0[0] = Self.withSameHash($0[0], of: $0.reduce(0) { $0 + $1.count }) }
    }
  }

  /// The leaf with another signature value, but the same hash in `LeastRecentlyUsed` if it begins certificates of
  /// `count` bytes in all: a bit of one word is flipped, and the next word compensates for it.
  private static func withSameHash(_ leaf: [UInt8], of count: Int) -> [UInt8] {
    func word(_ offset: Int) -> UInt64 { leaf[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
      let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
      return product ^ product >> 29
    }
    // The last 31 bytes are the low ones of s, so two whole words of the hash are among them.
    let offset = (leaf.count - 31 + 7) / 8 * 8
    let sum = stride(from: 0, to: offset, by: 8).reduce(UInt64(count)) { step($0, word($1)) }
    let first = word(offset) ^ 1
    let second = step(sum, first) ^ step(sum, word(offset)) ^ word(offset + 8)
    var altered = leaf
    for index in 0..<8 {
      altered[offset + index] = UInt8(truncatingIfNeeded: first >> (8 * UInt64(index)))
      altered[offset + 8 + index] = UInt8(truncatingIfNeeded: second >> (8 * UInt64(index)))
    }
    return altered
  }

  /// A leaf that is known from a token of one version signs no token of the other, and a signature is for one version
  /// only.
  private mutating func addVersionCases() {
    rsa("5.10", .standing(.forgery, "token-with-the-signature-of-an-ec-token-before"), .malformedSignature) {
      try $0.takeSignature(of: .ecV1)
    }
    reject("5.10", .standing(.forgery, "token-with-the-signature-of-an-rsa-token-before"), .malformedSignature) {
      try $0.takeSignature(of: .rsaV1)
    }
    rsa("7.4", .standing(.forgery, "token-under-the-ec-leaf-of-a-token-before"), .untrustedChain) {
      try $0.signAsKnown(by: .ecV1)
    }
    reject("7.4", .standing(.forgery, "token-under-the-rsa-leaf-of-a-token-before"), .untrustedChain) {
      try $0.signAsKnown(by: .rsaV1)
    }
  }

  /// The data of the previous token, with a key field that yields no key: the previous key must not be used.
  private mutating func addStaleKeyCases() {
    let edits: Named<Edit<[UInt8]>> = [
      .standing(.wrongTag, "altered"): { $0[100] ^= 1 }, "of-zeros": { $0 = zeros($0.count) },
      .standing(.wrongTag, "out-of-range"): { $0 = [UInt8](repeating: 0xFF, count: $0.count) },
      "too-long": { $0.append(0) },
    ]
    for (name, edit) in edits {
      rsa("11.5", "wrapped-key-\(name)-after-a-token-of-the-same-data", .decryptionFailed) { draft in
        draft.prelude = [draft.layers.token]
        edit(&draft.layers.wrappedKey)
        try draft.sign()
      }
    }
    reject("11.1", "ephemeral-key-off-the-curve-after-a-token-of-the-same-data", .invalidEphemeralKey) { draft in
      draft.prelude = [draft.layers.token]
      draft.layers.ephemeralPublicKey[90] ^= 1
      try draft.sign()
    }
  }

  /// A repeated request whose first request is not a case of its own.
  private mutating func again(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code, _ build: @escaping Build
  ) {
    let expected = CaseRecipe.Expected.reject(TokenFault(code))
    add(CaseRecipe(name: name, clause: clause, note: "", expected: expected, build: build).repeated(as: name))
  }
}

extension CaseDraft {
  /// Takes over the signature of a token of another version, which the prelude contains.
  fileprivate mutating func takeSignature(of version: TokenVersion) throws {
    let other = try soundToken { $0.version = version }
    prelude = [other.token]
    layers.signature = other.signature
  }

  /// Names the leaf for another version as the signer. The prelude has made that leaf known.
  fileprivate mutating func signAsKnown(by version: TokenVersion) throws {
    prelude = [try soundToken { $0.version = version }.token]
    let leaf = TokenSigner(minter.pki, version: version)
    (layers.signer.issuer, layers.signer.serial) = (leaf.issuer, leaf.serial)
    layers.signer.certificates = leaf.certificates
    try layers.sign()
  }
}

extension [UInt8] {
  /// These bytes with the last bit of the last occurrence of a text flipped.
  fileprivate func replacingLast(_ text: [UInt8]) -> [UInt8] {
    var result = self
    if let last = ranges(of: text).last { result[last.upperBound - 1] ^= 1 }
    return result
  }
}

import Minting
import PaymentToken

/// RSA_v1 in stage 11: what is wrapped and how. All of these are signed; every failure has the same code.
extension CaseList {
  mutating func addWrappedKeyCases() {
    rsa("11.5", .standing(.wrongTag, "wrapped-under-the-leaf-s-key"), .decryptionFailed) { draft in
      let leafKey = draft.minter.pki.rsaLeafKey
      try draft.wrap { try leafKey.encrypt(encoded: $0.padding.encode($0.key, seed: $0.seed, count: 256)) }
    }
    addRSAPaddingCases()
    addWrappedMessageCases()
    addRSANumberRangeCases()
  }

  private mutating func addRSAPaddingCases() {
    let paddings: Named<Edit<OAEPPadding>> = [
      "a-label": { $0.label = Array("Apple".utf8) }, "a-label-of-a-zero-byte": { $0.label = [0] },
      "a-first-byte-of-1": { $0.firstByte = 1 }, "sha-1": { $0.digest = .sha1 },
      "sha-1-for-everything": { ($0.digest, $0.maskDigest) = (.sha1, .sha1) },
      .choice(.apple, "sha-1-for-the-mask"): { $0.maskDigest = .sha1 },
      "sha-384-for-the-label": { $0.digest = .sha384 },
      .choice(.apple, "sha-384-for-the-mask"): { $0.maskDigest = .sha384 },
      .choice(.apple, "sha-512-for-the-mask"): { $0.maskDigest = .sha512 },
      "the-first-bit-of-the-label-s-digest-flipped": { $0.editBlock = { $0[0] ^= 0x80 } },
      "the-last-bit-of-the-label-s-digest-flipped": { $0.editBlock = { $0[31] ^= 1 } },
      "a-label-s-digest-of-zeros": { $0.editBlock = { $0.replaceSubrange(0..<32, with: zeros(32)) } },
      "no-separator": { $0.editBlock = { $0[$0.count - 17] = 0 } },
      "a-separator-of-2": { $0.editBlock = { $0[$0.count - 17] = 2 } },
      "a-separator-of-ff": { $0.editBlock = { $0[$0.count - 17] = 0xFF } },
      "a-byte-that-is-not-zero-before-the-separator": { $0.editBlock = { $0[$0.count - 18] = 2 } },
      "a-byte-that-is-not-zero-after-the-label-s-digest": { $0.editBlock = { $0[32] = 0x80 } },
      "two-separators": { $0.editBlock = { $0[$0.count - 18] = 1 } },
      "a-separator-after-the-label-s-digest": { $0.editBlock = { $0[32] = 1 } },
      "nothing-but-zeros": { $0.editBlock = { $0 = zeros($0.count) } },
      "no-separator-and-no-message": { $0.editBlock = { $0.replaceSubrange(32..., with: zeros($0.count - 32)) } },
    ]
    for (name, edit) in paddings {
      rsa("11.5", "oaep-with-\(name)", .decryptionFailed) { try $0.wrapping { edit(&$0.padding) } }
    }
    for first in [UInt8(2), 0x7F] {
      rsa("11.5", "oaep-with-a-first-byte-of-\(first)", .decryptionFailed) { draft in
        try draft.wrapping { $0.padding.firstByte = first }
      }
    }
    let encodings: Named<@Sendable (KeyWrapping) -> [UInt8]> = [
      "padded-by-pkcs-1-v-1-5": { [0, 2] + [UInt8](repeating: 0xA5, count: 237) + [0] + $0.key },
      "without-padding": { zeros(240) + $0.key },
      "at-the-start-without-padding": { [0] + $0.key + zeros(239) },
      "unmasked": { [0] + $0.seed + Hashing.sha256([]) + zeros(174) + [1] + $0.key },
    ]
    for (name, encode) in encodings {
      rsa("11.5", "key-\(name)", .decryptionFailed) { draft in
        try draft.wrap { try $0.merchantKey.pair.encrypt(encoded: encode($0)) }
      }
    }
  }

  private mutating func addWrappedMessageCases() {
    for count in [0, 1, 8, 15, 17, 24, 31, 32, 33, 64, 190] {
      rsa(
        "11.5", "key-of-\(count)-bytes", .decryptionFailed,
        note: "the data is encrypted under its first 16 bytes, padded with zeros"
      ) { draft in
        let message = draft.stream.bytes(count)
        try draft.wrapping { $0.key = Array((message + zeros(16)).prefix(16)) }
        try draft.rewrap { $0.key = message }
      }
    }
    rsa("11.5", "key-of-32-bytes-and-aes-256", .decryptionFailed) { draft in
      let key = draft.stream.bytes(32)
      try draft.wrapping { $0.key = key }
    }
    rsa("11.5", "key-in-hexadecimal", .decryptionFailed) { try $0.rewrap { $0.key = Array(Hex.encode($0.key).utf8) } }
    rsa("11.5", .standing(.wrongTag, "another-key-than-the-data-s"), .decryptionFailed) {
      try $0.rewrap { $0.key[15] ^= 1 }
    }
    for (name, byte) in [("zeros", UInt8(0)), ("ones", 1), ("ff", 0xFF)] {
      rsa("11.4", .with(byte == 0 ? .leadingZero : nil, "key-of-\(name)")) {
        try $0.wrapping { $0.key = [UInt8](repeating: byte, count: 16) }
      }
      rsa("11.4", "seed-of-\(name)") { try $0.wrapping { $0.seed = [UInt8](repeating: byte, count: 32) } }
    }
    rsa("11.4", "key-that-begins-with-00-and-01") { try $0.wrapping { $0.key.replaceSubrange(0..<2, with: [0, 1]) } }
    rsa("11.4", "key-that-begins-with-01") { try $0.wrapping { $0.key[0] = 1 } }
    rsa("11.4", .with(.leadingZero, "wrapped-key-that-begins-with-zero")) { draft in
      try draft.wrapUnderAnotherSeed()
      try draft.searchSeed { $0[0] == 0 }
    }
  }

  private mutating func addRSANumberRangeCases() {
    for (index, bits) in [2_048, 3_072, 4_096].enumerated() {
      let numbers: Named<@Sendable ([UInt8]) -> [UInt8]> = [
        "0": { zeros($0.count) },
        "1": { zeros($0.count - 1) + [1] },
        "2": { zeros($0.count - 1) + [2] },
        "n-1": { $0.dropLast() + [$0[$0.count - 1] - 1] }, "n": { $0 },
        "n+1": { $0.dropLast() + [$0[$0.count - 1] + 1] },
        "all-ones": { [UInt8](repeating: 0xFF, count: $0.count) },
      ]
      for (name, make) in numbers {
        rsa("11.5", .standing(.wrongTag, "wrapped-key-\(name)-of-\(bits)-bits"), .decryptionFailed, key: index) {
          draft in
          try draft.wrap { make($0.merchantKey.pair.modulus) }
        }
      }
    }
    let edits: Named<Edit<[UInt8]>> = [
      .standing(.wrongTag, "with-its-first-bit-flipped"): { $0[0] ^= 0x80 },
      .standing(.wrongTag, "with-its-last-bit-flipped"): { $0[255] ^= 1 },
      .standing(.wrongTag, "reversed"): { $0.reverse() }, "with-a-zero-byte-before-it": { $0.insert(0, at: 0) },
      "with-a-zero-byte-after-it": { $0.append(0) },
      "with-256-zero-bytes-before-it": { $0 = zeros(256) + $0 },
      "followed-by-itself": { $0 += $0 },
    ]
    for (name, edit) in edits {
      rsa("11.5", "wrapped-key-\(name)", .decryptionFailed) { try $0.sign { edit(&$0.wrappedKey) } }
    }
    rsa("11.5", "wrapped-key-without-its-first-byte-zero", .decryptionFailed, key: 1) { draft in
      try draft.searchSeed { $0[0] == 0 }
      draft.layers.wrappedKey.removeFirst()
      try draft.sign()
    }
    rsa("11.5", "wrapped-key-of-another-token", .decryptionFailed) {
      try $0.sign(\.wrappedKey, $0.anotherToken().wrappedKey)
    }
    rsa("11.5", "wrapped-key-with-the-modulus-added", .decryptionFailed, note: "congruent, and out of range") { draft in
      guard let modulus = draft.layers.wrapping?.merchantKey.pair.modulus else { throw MintingError.recipe("no key") }
      // The sum is as long as the modulus only if the wrapped key is a small number: many seeds are tried.
      try draft.searchSeed { $0.adding(modulus)[0] == 0 }
      try draft.sign { $0.wrappedKey = Array($0.wrappedKey.adding(modulus).dropFirst()) }
    }
  }
}

extension CaseDraft {
  /// Edits how the AES key is wrapped, then encrypts and signs.
  fileprivate mutating func wrapping(_ edit: (inout KeyWrapping) -> Void) throws {
    guard var wrapping = layers.wrapping else { throw MintingError.recipe("not a token of RSA_v1") }
    edit(&wrapping)
    layers.wrapping = wrapping
    try reseal()
  }

  /// Wraps the AES key with another random seed of OAEP.
  fileprivate mutating func wrapUnderAnotherSeed() throws {
    let seed = stream.bytes(32)
    try wrapping { $0.seed = seed }
  }

  /// Takes seeds of OAEP from the stream until the wrapped key fits.
  fileprivate mutating func searchSeed(_ fits: ([UInt8]) -> Bool) throws {
    for _ in 0..<10_000 {
      if fits(layers.wrappedKey) { return }
      try wrapUnderAnotherSeed()
    }
    throw MintingError.recipe("no such seed")
  }

  /// Edits the wrapped contents, keeps the data, and signs.
  fileprivate mutating func rewrap(_ edit: (inout KeyWrapping) -> Void) throws {
    layers.wrapping = layers.wrapping.map { wrapping in
      var other = wrapping
      edit(&other)
      return other
    }
    try wrap { try $0.wrapped() }
  }

  /// Replaces the wrapped key and signs.
  fileprivate mutating func wrap(_ make: (KeyWrapping) throws -> [UInt8]) throws {
    guard let wrapping = layers.wrapping else { throw MintingError.recipe("not a token of RSA_v1") }
    layers.wrappedKey = try make(wrapping)
    try layers.sign()
  }
}

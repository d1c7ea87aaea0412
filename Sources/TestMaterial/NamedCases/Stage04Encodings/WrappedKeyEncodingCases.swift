import Gateways
import Minting
import PaymentToken

/// RSA_v1 in stage 4: how wrappedKey is written, and how long it and the other members are. Lengths that stage 4 allows
/// and the key does not are rejected in stage 11.
extension CaseList {
  mutating func addWrappedKeyEncodingCases() {
    addWrappedKeyFaults()
    addWrappedKeyLengthCases()
  }

  private mutating func addWrappedKeyFaults() {
    let faults: Named<Edit<[UInt8]>> = [
      .standing(.foreignCharacter, "with-a-space"): { $0.insert(0x20, at: 4) },
      .standing(.foreignCharacter, "with-a-hyphen"): { $0[5] = UInt8(ascii: "-") },
      .standing(.foreignCharacter, "with-an-underscore"): { $0[5] = UInt8(ascii: "_") },
      "cut-by-one-character": { $0.removeLast() },
      "without-padding": { $0.removeLast(2) },
      .standing(.needlessPadding, "with-one-padding-more"): { $0.append(UInt8(ascii: "=")) },
      .standing(.trailingBits, "with-nonzero-trailing-bits"): { $0[$0.count - 3] = UInt8(ascii: "/") },
      "with-padding-in-the-middle": { $0.replaceSubrange(4..<8, with: Array("AA==".utf8)) },
      .standing(.foreignCharacter, "with-a-line-break-escape"): { $0.insert(contentsOf: Array("\\n".utf8), at: 64) },
    ]
    for (name, edit) in faults {
      rsa("4.1", "wrapped-key-\(name)", .invalidBase64, .wrappedKey) { $0.characters(of: .wrappedKey, edit) }
    }
    rsa("4.1", "wrapped-key-in-hexadecimal", .invalidLength, .wrappedKey, note: "its digits are base64 as well") {
      $0.set(.wrappedKey, .string(Hex.encode($0.layers.wrappedKey + $0.layers.wrappedKey)))
    }
    rsa("4", .standing(.forgery, "signature-before-wrapped-key"), .invalidBase64, .signature) {
      $0.set([.signature: .string("!"), .wrappedKey: .string("!")])
    }
    rsa("4", "wrapped-key-before-public-key-hash", .invalidBase64, .wrappedKey) {
      $0.set([.publicKeyHash: .string("!"), .wrappedKey: .string("!")])
    }
    rsa("4", .standing(.forgery, "short-wrapped-key-before-a-malformed-signature"), .invalidLength, .wrappedKey) {
      $0.layers.signature = [0x30]
      $0.layers.wrappedKey.removeLast()
    }
  }

  private mutating func addWrappedKeyLengthCases() {
    for count in [0, 1, 16, 91, 128, 255, 513, 1_024] {
      rsa(
        "4.3", .standing(.apple, .rfc(8017, "7.1.2"), .strictness, "wrapped-key-of-\(count)-bytes"), .invalidLength,
        .wrappedKey
      ) {
        try $0.sign(random: \.wrappedKey, count: count)
      }
    }
    for count in [257, 300, 383, 384, 511, 512] {
      rsa(
        "11.5", "wrapped-key-of-\(count)-bytes-under-256", .decryptionFailed,
        note: "stage 4 allows this length, this key does not"
      ) { try $0.sign(random: \.wrappedKey, count: count) }
    }
    for count in [256, 383, 385, 512] {
      rsa("11.5", "wrapped-key-of-\(count)-bytes-under-384", .decryptionFailed, key: 1) {
        try $0.sign(random: \.wrappedKey, count: count)
      }
    }
  }

  /// Empty members, and lengths off by one.
  mutating func addRSALengthCases() {
    for count in [0, 31, 33] {
      underRSA(
        "public-key-hash-of-\(count)-bytes", "transaction-id-of-\(count)-bytes", "application-data-of-\(count)-bytes")
    }
  }
}

import Minting
import PaymentToken

/// RSA_v1 in stage 12. All of these are signed.
extension CaseList {
  mutating func addRSACipherCases() {
    let edits: [(String, @Sendable (inout [UInt8]) -> Void)] = [
      ("first-ciphertext-bit-flipped", { $0[0] ^= 0x80 }), ("last-tag-bit-flipped", { $0[$0.count - 1] ^= 1 }),
      ("first-tag-bit-flipped", { $0[$0.count - 16] ^= 0x80 }), ("tag-cut-by-one-octet", { $0.removeLast() }),
      ("data-of-17-zeros", { $0 = [UInt8](repeating: 0, count: 17) }),
    ]
    for (name, edit) in edits {
      rsa("12.1", name, .decryptionFailed) { draft throws(MintingError) in
        edit(&draft.layers.data)
        try draft.layers.sign()
      }
    }
    let zeros = [UInt8](repeating: 0, count: 16)
    for (name, key, iv, additional) in [
      ("an-iv-of-12-octets", [], Array(zeros.prefix(12)), []), ("an-iv-ending-in-1", [], zeros.dropLast() + [1], []),
      ("additional-data", [], zeros, Array("RSA_v1".utf8)), ("the-key-padded-to-aes-256", zeros, zeros, []),
    ] as [(String, [UInt8], [UInt8], [UInt8])] {
      rsa("12.1", "encrypted-with-\(name)", .decryptionFailed) { draft throws(MintingError) in
        draft.layers.data = try TokenEncryption.seal(
          draft.layers.plaintext, key: (draft.layers.wrapping?.key ?? []) + key, iv: iv, additional: additional)
        try draft.layers.sign()
      }
    }
    rsa("12.1", "a-plaintext-of-20000-octets-more") { draft throws(MintingError) in
      try draft.payload { $0.append("unknown", .string(String(repeating: "x", count: 20_000))) }
    }
  }

  /// Every octet of the tag.
  mutating func addRSATagCases() {
    for index in 0..<16 {
      tag("with-a-bit-flipped-in-octet-\(index)") { $0[$0.count - 16 + index] ^= 1 }
    }
    tag("missing") { $0.removeLast(16) }
    for count in [4, 8, 12, 13, 14, 15] { tag("of-\(count)-octets") { $0.removeLast(16 - count) } }
    tag("of-zeros") { $0.replaceSubrange(($0.count - 16)..., with: [UInt8](repeating: 0, count: 16)) }
    tag("before-the-ciphertext") { $0 = Array($0.suffix(16) + $0.dropLast(16)) }
    tag("twice") { $0 += $0.suffix(16) }
    tag("with-an-octet-after-it") { $0.append(0) }
  }

  private mutating func tag(_ name: String, _ edit: @escaping @Sendable (inout [UInt8]) -> Void) {
    rsa("12.1", "tag-\(name)", .decryptionFailed) { draft throws(MintingError) in
      edit(&draft.layers.data)
      try draft.layers.sign()
    }
  }
}

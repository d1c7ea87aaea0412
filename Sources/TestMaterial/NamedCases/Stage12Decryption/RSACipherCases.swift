import Minting
import PaymentToken

/// RSA_v1 in stage 12. All of these are signed.
extension CaseList {
  mutating func addRSACipherCases() {
    underRSA("first-ciphertext-bit-flipped")
    data("last-tag-bit-flipped") { $0[$0.count - 1] ^= 1 }
    data("first-tag-bit-flipped") { $0[$0.count - 16] ^= 0x80 }
    underRSA("tag-cut-by-one-octet", "data-of-17-zeros")
    let zeros = [UInt8](repeating: 0, count: 16)
    for (name, key, iv, additional) in [
      ("an-iv-of-12-octets", [], Array(zeros.prefix(12)), []), ("an-iv-ending-in-1", [], zeros.dropLast() + [1], []),
      ("additional-data", [], zeros, Array("RSA_v1".utf8)), ("the-key-padded-to-aes-256", zeros, zeros, []),
    ] as [(String, [UInt8], [UInt8], [UInt8])] {
      rsa("12.1", "encrypted-with-\(name)", .decryptionFailed) { draft in
        draft.layers.data = try TokenEncryption.seal(
          draft.layers.plaintext, key: (draft.layers.wrapping?.key ?? []) + key, iv: iv, additional: additional)
        try draft.sign()
      }
    }
    underRSA("a-plaintext-of-20000-octets-more")
  }

  /// Every byte of the tag.
  mutating func addRSATagCases() {
    for index in 0..<16 { underRSA("tag-with-a-bit-flipped-in-octet-\(index)") }
    underRSA("tag-missing")
    for count in [4, 8, 12, 13, 14, 15] { data("tag-of-\(count)-octets") { $0.removeLast(16 - count) } }
    underRSA("tag-of-zeros", "tag-before-the-ciphertext", "tag-twice")
    underRSA("an-octet-after-the-tag", as: "tag-with-an-octet-after-it")
  }

  private mutating func data(_ name: String, _ edit: @escaping @Sendable (inout [UInt8]) -> Void) {
    rsa("12.1", name, .decryptionFailed) { try $0.sign { edit(&$0.data) } }
  }
}

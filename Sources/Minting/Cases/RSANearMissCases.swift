import PaymentToken

/// RSA_v1: lengths off by one, and every octet of the tag. All of these are signed.
extension CaseList {
  mutating func addRSANearMissCases() {
    for count in [0, 31, 33] {
      rsa("4.3", "public-key-hash-of-\(count)-bytes", .invalidLength, .publicKeyHash) { draft in
        let hash = draft.layers.publicKeyHash
        draft.layers.publicKeyHash = Array((hash + hash).prefix(count))
      }
      rsa("4.3", "transaction-id-of-\(count)-bytes", .invalidLength, .transactionId) { draft throws(MintingError) in
        draft.layers.transactionId = draft.stream.bytes(count)
        try draft.layers.sign()
      }
      rsa("4.3", "application-data-of-\(count)-bytes", .invalidLength, .applicationData) {
        draft throws(MintingError) in
        draft.layers.applicationData = draft.stream.bytes(count)
        try draft.layers.sign()
      }
    }
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

import Minting

/// Parts of certificates that are compared with each other and differ only late: a comparison of their first 8, 16, 32
/// or 64 bytes takes them for equal.
extension CaseList {
  mutating func addLateDifferenceCases() {
    for size in [8, 16, 32, 64] {
      leafAndIntermediate("5.13", "with-an-outer-algorithm-that-differs-after-\(size)-bytes") {
        $0.algorithm = .sequence([OID.unknown, .octetString(zeros(size) + [1])])
        $0.outerAlgorithm = .sequence([OID.unknown, .octetString(zeros(size) + [2])])
      }
      leafAndIntermediate("5.15", "with-extensions-whose-types-differ-after-\(size)-bytes", nil) { recipe in
        recipe.extensions += [1, 2].map { last in
          Extensions.make(.oid([2, 999] + Array(repeating: 1, count: size) + [last]), .null)
        }
      }
      leafAndIntermediate("5.15", "with-an-extension-twice-whose-type-has-\(size + 3)-bytes") { recipe in
        let type = ASN1Node.oid([2, 999] + Array(repeating: 1, count: size + 1))
        recipe.extensions += [Extensions.make(type, .null), Extensions.make(type, .null)]
      }
    }
    // CN, OU, O and C.
    for part in 0..<4 {
      leafAndIntermediate(
        "7.2",
        .standing(
          .apple, .rfc(5280, "6.1.3"), .strictness, "issued-under-a-name-with-another-last-letter-in-part-\(part + 1)"),
        .untrustedChain
      ) {
        $0.issuer.changeLastLetter(ofPart: part)
      }
    }
    for place in [4, 12, 20] {
      reject("6.4", "signer-serial-number-of-20-bytes-with-another-byte-\(place)", .signerMismatch) { draft in
        let serial = [0x40] + draft.stream.bytes(19)
        try draft.leaf { $0.serial = .unsigned(serial) }
        var other = serial
        other[place - 1] ^= 1
        try draft.sign(\.signer.serial, .unsigned(other))
      }
    }
  }
}

extension ASN1Node {
  /// Changes the last letter of a part of a name. Each part is a SET of one attribute.
  mutating func changeLastLetter(ofPart part: Int) {
    let last = self[part][0][1].contents.count - 1
    self[part][0][1].contents[last] ^= 1
  }
}

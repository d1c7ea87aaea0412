import Minting
import PaymentToken

/// Rules 5.7 and 5.11: the genuine value beside another one. Whoever takes the first, or the last, takes the wrong one of
/// the two in one of the orders.
extension CaseList {
  mutating func addSignerChoiceCases() {
    underBothVersions { list in
      list.addSignerInfoChoices()
      list.addAttributeChoices()
    }
  }

  private mutating func addSignerInfoChoices() {
    for (place, isFirst) in [("first", true), ("last", false)] {
      reject("5.7", "two-signer-infos-over-genuine-content-the-genuine-\(place)", .malformedSignature) { draft in
        let other = try TokenSigner(draft.minter.foreign, version: draft.layers.version)
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        try draft.signature { $0.signerInfos.children.insert(other, at: isFirst ? 1 : 0) }
      }
      reject(
        "5.7", "two-signer-infos-over-content-of-the-attacker-the-genuine-\(place)", .malformedSignature,
        note: "one is genuine and of other content, one matches and is the attacker's under the leaf's name"
      ) { draft in
        let genuine = try draft.layers.signer
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        draft.layers.plaintext = PayloadRecipe().plaintext + [0x20]
        let leaf = draft.layers.signer
        draft.layers.signer = TokenSigner(draft.minter.foreign, version: draft.layers.version)
        (draft.layers.signer.issuer, draft.layers.signer.serial) = (leaf.issuer, leaf.serial)
        draft.layers.signer.certificates = leaf.certificates
        try draft.layers.encrypt()
        try draft.signature { $0.signerInfos.children.insert(genuine, at: isFirst ? 0 : 1) }
      }
      reject("5.7", "two-signer-infos-with-the-attacker-s-certificate-the-genuine-\(place)", .malformedSignature) {
        draft in
        let attacker = TokenSigner(draft.minter.foreign, version: draft.layers.version)
        let other = try attacker.signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        draft.layers.signer.certificates.append(attacker.certificates[0])
        try draft.signature { $0.signerInfos.children.insert(other, at: isFirst ? 1 : 0) }
      }
    }
  }

  /// What each attribute says beside the right value: its position, and the wrong one.
  private static let wrongValues: [(name: String, index: Int, value: ASN1Node)] = [
    ("content-type", 0, OID.signedData), ("signing-time", 1, .utcTime("200101000000Z")),
    ("message-digest", 3, .octetString([UInt8](repeating: 0xA5, count: 32))),
  ]

  private mutating func addAttributeChoices() {
    for (name, index, value) in CaseList.wrongValues {
      for (place, isFirst) in [("first", true), ("last", false)] {
        reject("5.11", "\(name)-attribute-twice-and-different-the-right-one-\(place)", .malformedSignature) { draft in
          try draft.attributes { list in
            var other = list[index]
            other[1].children = [value]
            list.insert(other, at: isFirst ? index + 1 : index)
          }
        }
        reject("5.11", "\(name)-attribute-with-two-different-values-the-right-one-\(place)", .malformedSignature) {
          draft in
          try draft.attributes { $0[index][1].children.insert(value, at: isFirst ? 1 : 0) }
        }
      }
    }
  }
}

extension TokenSigner {
  /// The SignerInfo of the usual form over a content.
  fileprivate func signerInfo(over content: [UInt8], at time: UnixTime) throws -> ASN1Node {
    let attributes = attributes(over: content, at: time)
    return .sequence([
      .integer(1), .sequence([issuer, serial]), Algorithms.sha256, .context(0, attributes), algorithm(),
      .octetString(try value(over: attributes)),
    ])
  }
}

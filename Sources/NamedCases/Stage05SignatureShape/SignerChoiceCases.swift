import Minting
import PaymentToken

/// Rules 5.7 and 5.11: the genuine value beside another one. Whoever takes the first, or the last, takes the wrong one of
/// the two in one of the orders.
extension CaseList {
  mutating func addSignerChoiceCases() {
    for version in [TokenVersion.ecV1, .rsaV1] {
      addSignerInfoChoices(version)
      addAttributeChoices(version)
    }
  }

  private mutating func choice(
    _ clause: String, _ name: String, _ version: TokenVersion, note: String = "", _ build: @escaping Build
  ) {
    switch version {
    case .ecV1: reject(clause, name, .malformedSignature, note: note, build)
    case .rsaV1: rsa(clause, name, .malformedSignature, note: note, build)
    }
  }

  private mutating func addSignerInfoChoices(_ version: TokenVersion) {
    for (place, isFirst) in [("first", true), ("last", false)] {
      choice("5.7", "two-signer-infos-over-genuine-content-the-genuine-\(place)", version) {
        draft throws(MintingError) in
        let other = try TokenSigner(draft.minter.foreign, version: version)
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        try draft.signature { $0.signerInfos.children.insert(other, at: isFirst ? 1 : 0) }
      }
      choice(
        "5.7", "two-signer-infos-over-content-of-the-attacker-the-genuine-\(place)", version,
        note: "one is genuine and of other content, one matches and is the attacker's under the leaf's name"
      ) { draft throws(MintingError) in
        let genuine = try draft.layers.signer
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        draft.layers.plaintext = PayloadRecipe().plaintext + [0x20]
        let leaf = draft.layers.signer
        draft.layers.signer = TokenSigner(draft.minter.foreign, version: version)
        (draft.layers.signer.issuer, draft.layers.signer.serial) = (leaf.issuer, leaf.serial)
        draft.layers.signer.certificates = leaf.certificates
        try draft.layers.encrypt()
        try draft.signature { $0.signerInfos.children.insert(genuine, at: isFirst ? 0 : 1) }
      }
      choice("5.7", "two-signer-infos-with-the-attacker-s-certificate-the-genuine-\(place)", version) {
        draft throws(MintingError) in
        let attacker = TokenSigner(draft.minter.foreign, version: version)
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

  private mutating func addAttributeChoices(_ version: TokenVersion) {
    for (name, index, value) in CaseList.wrongValues {
      for (place, isFirst) in [("first", true), ("last", false)] {
        choice("5.11", "\(name)-attribute-twice-and-different-the-right-one-\(place)", version) {
          draft throws(MintingError) in
          try draft.attributes { list in
            var other = list[index]
            other[1].children = [value]
            list.insert(other, at: isFirst ? index + 1 : index)
          }
        }
        choice("5.11", "\(name)-attribute-with-two-different-values-the-right-one-\(place)", version) {
          draft throws(MintingError) in
          try draft.attributes { $0[index][1].children.insert(value, at: isFirst ? 1 : 0) }
        }
      }
    }
  }
}

extension TokenSigner {
  /// The SignerInfo of the usual form over a content.
  fileprivate func signerInfo(over content: [UInt8], at time: UnixTime) throws(MintingError) -> ASN1Node {
    let algorithm = rsaKey == nil ? Algorithms.ecdsaSHA256 : Algorithms.rsaSHA256
    let attributes = SignedDataRecipe().signedAttributes(
      digest: Hashing.sha256(content), at: time, signedWith: algorithm)
    let message = ASN1Node.set(attributes).encoded
    let value =
      if let rsaKey { try rsaKey.sign(message, .sha256) } else {
        try key.sign(digest: Hashing.sha256(message)).node.encoded
      }
    return .sequence([
      .integer(1), .sequence([issuer, serial]), Algorithms.sha256, .context(0, attributes), algorithm,
      .octetString(value),
    ])
  }
}

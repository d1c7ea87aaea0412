import Minting
import PaymentToken

/// Rules 5.9 and 5.10: SignerInfo and the algorithm identifiers.
extension CaseList {
  mutating func addSignerInfoCases() {
    accept("5.9", "signer-named-by-key-identifier") {
      try $0.sign { $0.signatureRecipe.identifier = .subjectKeyIdentifier }
    }
    for version in [0, 2, 3, 4] {
      signature("5.9", "signer-info-of-version-\(version)-by-issuer-and-serial-number") {
        $0.signerInfo[0] = .integer(version)
      }
    }
    func byKeyIdentifier(_ name: CaseName, _ edit: @escaping Edit<ASN1Node>) {
      reject("5.9", name, .malformedSignature) { draft in
        draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
        try draft.signature { edit(&$0.signerInfo) }
      }
    }
    for version in [0, 1, 2, 4] {
      byKeyIdentifier("signer-info-of-version-\(version)-by-key-identifier") { $0[0] = .integer(version) }
    }
    byKeyIdentifier("key-identifier-constructed") { $0[1] = .context(0, [.octetString($0[1].contents)]) }
    byKeyIdentifier("key-identifier-tagged-1") { $0[1].identifier = [0x81] }
    byKeyIdentifier("key-identifier-as-an-octet-string") { $0[1].identifier = [0x04] }
    signature("5.9", "signer-info-as-a-set") { $0.signerInfo.identifier = [0x31] }
    signature("5.9", "signer-identifier-without-a-serial-number") { $0.signerInfo[1].children.removeLast() }
    signature("5.9", "signer-identifier-without-an-issuer") { $0.signerInfo[1].children.removeFirst() }
    signature("5.9", "signer-identifier-with-a-third-value") { $0.signerInfo[1].children.append(.null) }
    signature("5.9", "signer-identifier-as-a-set") { $0.signerInfo[1].identifier = [0x31] }
    signature("5.9", "signer-serial-number-as-an-octet-string") { $0.signerInfo[1][1].identifier = [0x04] }
    signature("5.14", "signer-issuer-as-a-set") { $0.signerInfo[1][0].identifier = [0x31] }
    signature("5.14", "signer-issuer-with-an-empty-set") { $0.signerInfo[1][0].children.append(.set([])) }
    signature("5.9", .standing(.forgery, "signed-attributes-missing")) { $0.signerInfo.children.remove(at: 3) }
    signature("5.9", "signed-attributes-tagged-1") { $0.signerInfo[3].identifier = [0xA1] }
    signature("5.9", "signed-attributes-as-a-set") { $0.signerInfo[3].identifier = [0x31] }
    signature("5.9", "signed-attributes-primitive") { $0.signerInfo[3].identifier = [0x80] }
    signature("5.9", "signed-attributes-twice") { $0.signerInfo.children.insert($0.signerInfo[3], at: 4) }
    signature("5.9", .standing(.forgery, "signature-value-missing")) { $0.signerInfo.children.removeLast() }
    signature("5.9", "signature-value-as-a-bit-string") { $0.signerInfo[5] = .bitString($0.signerInfo[5].contents) }
    signature("5.9", "signature-value-before-its-algorithm") { $0.signerInfo.children.swapAt(4, 5) }
    signature("5.9", .choice(.holder, "unsigned-attributes-empty")) { $0.signerInfo.children.append(.context(1, [])) }
    signature("5.9", .choice(.holder, "unsigned-attributes-with-one")) {
      $0.signerInfo.children.append(.context(1, [.sequence([OID.unknown, .set([.null])])]))
    }
    signature("5.9", "signer-info-with-a-value-after-the-signature") { $0.signerInfo.children.append(.null) }
    signature("5.9", "signer-info-without-a-digest-algorithm") { $0.signerInfo.children.remove(at: 2) }
    signature("5.9", .standing(.forgery, "signer-info-empty")) { $0.signerInfo.children = [] }

    for (name, node) in [("sha-1", OID.sha1), ("sha-384", OID.sha384), ("ecdsa-with-sha-256", OID.ecdsaWithSHA256)] {
      signature("5.10", "signer-digest-algorithm-\(name)") { $0.signerInfo[2] = .sequence([node]) }
    }
    let digestForms: [(CaseName, ASN1Node, TokenFault.Code?)] = [
      ("with-null", Algorithms.sha256WithNull, nil), ("without-parameters", Algorithms.sha256, nil),
      ("with-an-empty-sequence", .sequence([OID.sha256, .sequence([])]), .malformedSignature),
      ("with-an-empty-octet-string", .sequence([OID.sha256, .octetString([])]), .malformedSignature),
      ("with-two-nulls", .sequence([OID.sha256, .null, .null]), .malformedSignature),
      ("empty", .sequence([]), .malformedSignature),
      ("as-an-oid-alone", OID.sha256, .malformedSignature), ("as-a-set", .set([OID.sha256]), .malformedSignature),
      ("with-the-null-first", .sequence([.null, OID.sha256]), .malformedSignature),
    ]
    for (name, node, code) in digestForms {
      signature("5.10", "digest-algorithm-\(name)", code) { $0.digestAlgorithms.children = [node] }
      signature("5.10", "signer-digest-algorithm-\(name)", code) { $0.signerInfo[2] = node }
    }
    let signatureForms: [(CaseName, ASN1Node)] = [
      ("ecdsa-with-sha-1", .sequence([OID.ecdsaWithSHA1])), ("ecdsa-with-sha-384", Algorithms.ecdsaSHA384),
      ("ecdsa-with-sha-512", .sequence([OID.ecdsaWithSHA512])),
      (.standing(.holder, .rfc(5753, "2.1.1"), .strictness, "ec-public-key"), .sequence([OID.ecPublicKey])),
      ("rsa", .sequence([OID.rsaEncryption, .null])), ("sha-256-with-rsa", Algorithms.rsaSHA256),
      ("ed25519", .sequence([OID.ed25519])),
      // RFC 5758: encoders must leave the parameters out.
      (.standing(.holder, .rfc(5758, "3.2"), .strictness, "with-null"), .sequence([OID.ecdsaWithSHA256, .null])),
      ("with-a-curve", .sequence([OID.ecdsaWithSHA256, OID.p256])),
      ("with-two-nulls", .sequence([OID.ecdsaWithSHA256, .null, .null])),
      ("empty", .sequence([])), ("as-an-oid-alone", OID.ecdsaWithSHA256), ("as-a-set", .set([OID.ecdsaWithSHA256])),
    ]
    for (name, node) in signatureForms {
      signature("5.10", "signature-algorithm-\(name)") { $0.signerInfo[4] = node }
    }
    accept("5.11", .standing(.apple, .rfc(5652, "5.3"), .interoperability, "sha-256-with-null-everywhere")) {
      try $0.sign { $0.signatureRecipe.nullParameters = true }
    }
  }
}

/// Rules 5.7 and 5.10: the right contents under another tag.
extension CaseList {
  mutating func addAlgorithmTagCases() {
    for (name, tag) in [("a-set", UInt8(0x31)), ("a-context-value", 0xA2), ("a-private-value", 0xF0)] {
      signature("5.7", "encapsulated-content-as-\(name)") { $0.encapsulated.identifier = [tag] }
    }
    underBothVersions { list in
      for (name, tag) in [("an-octet-string", UInt8(0x04)), ("a-relative-oid", 0x0D), ("a-context-value", 0x80)] {
        list.signature("5.10", "digest-algorithm-with-\(name)-for-the-oid") {
          $0.digestAlgorithms[0][0].identifier = [tag]
        }
        list.signature("5.10", "signer-digest-algorithm-with-\(name)-for-the-oid") {
          $0.signerInfo[2][0].identifier = [tag]
        }
        list.signature("5.10", "signature-algorithm-with-\(name)-for-the-oid") {
          $0.signerInfo[4][0].identifier = [tag]
        }
      }
    }
  }
}

/// Rules 5.7 and 5.11: the genuine value and another one. A parser that takes only the first, or only the last, takes
/// the wrong one in one of the two orders.
extension CaseList {
  mutating func addSignerChoiceCases() {
    underBothVersions { list in
      list.addSignerInfoChoices()
      list.addAttributeChoices()
    }
  }

  private mutating func addSignerInfoChoices() {
    for (place, isFirst) in [("first", true), ("last", false)] {
      reject("5.7", .choice(.holder, "two-signer-infos-over-genuine-content-the-genuine-\(place)"), .malformedSignature)
      { draft in
        let other = try TokenSigner(draft.minter.foreign, version: draft.layers.version)
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        try draft.signature { $0.signerInfos.children.insert(other, at: isFirst ? 1 : 0) }
      }
      reject(
        "5.7", .standing(.forgery, "two-signer-infos-over-content-of-the-attacker-the-genuine-\(place)"),
        .malformedSignature,
        note: "one is genuine and of other content, one matches and is the attacker's under the leaf's name"
      ) { draft in
        let genuine = try draft.layers.signer
          .signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        let leaf = draft.layers.signer
        draft.layers.signer = TokenSigner(draft.minter.foreign, version: draft.layers.version)
        (draft.layers.signer.issuer, draft.layers.signer.serial) = (leaf.issuer, leaf.serial)
        draft.layers.signer.certificates = leaf.certificates
        try draft.layers.encrypt(PayloadRecipe().plaintext + [0x20])
        try draft.signature { $0.signerInfos.children.insert(genuine, at: isFirst ? 0 : 1) }
      }
      reject(
        "5.7", .choice(.holder, "two-signer-infos-with-the-attacker-s-certificate-the-genuine-\(place)"),
        .malformedSignature
      ) {
        draft in
        let attacker = TokenSigner(draft.minter.foreign, version: draft.layers.version)
        let other = try attacker.signerInfo(over: draft.layers.signedContent, at: draft.layers.signedAt)
        draft.layers.signer.certificates.append(attacker.certificates[0])
        try draft.signature { $0.signerInfos.children.insert(other, at: isFirst ? 1 : 0) }
      }
    }
  }

  /// The position of each attribute, and a wrong value for it.
  private static let wrongValues: [(name: String, index: Int, value: ASN1Node)] = [
    ("content-type", 0, OID.signedData), ("signing-time", 1, .utcTime("200101000000Z")),
    ("message-digest", 3, .octetString([UInt8](repeating: 0xA5, count: 32))),
  ]

  private mutating func addAttributeChoices() {
    for (name, index, value) in CaseList.wrongValues {
      for (place, isFirst) in [("first", true), ("last", false)] {
        reject("5.11", "\(name)-attribute-twice-and-different-the-right-one-\(place)", .malformedSignature) { draft in
          // DER would sort both orders into the same one.
          try draft.attributes(sorted: false) { list in
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

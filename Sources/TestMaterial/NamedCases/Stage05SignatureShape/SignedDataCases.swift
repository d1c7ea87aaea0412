import Minting
import PaymentToken

/// Rules 5.6 to 5.8: ContentInfo, SignedData and its certificates.
extension CaseList {
  mutating func addSignedDataCases() {
    signature("5.6", "content-type-data") { $0[0] = OID.data }
    signature("5.6", "content-type-enveloped-data") { $0[0] = .oid([1, 2, 840, 113549, 1, 7, 3]) }
    signature("5.6", "content-type-missing") { $0.children.removeFirst() }
    signature("5.6", "content-info-as-a-set") { $0.identifier = [0x31] }
    signature("5.6", .standing(.forgery, "content-missing")) { $0.children.removeLast() }
    signature("5.6", "content-tagged-1") { $0[1].identifier = [0xA1] }
    signature("5.6", "content-not-tagged") { $0[1] = $0.signedData }
    signature("5.6", .standing(.forgery, "content-empty")) { $0[1].children = [] }
    signature("5.6", "content-twice-inside-its-tag") { $0[1].children += $0[1].children }
    signature("5.6", "content-twice") { $0.children.append($0[1]) }
    signature("5.6", "content-info-with-a-third-value") { $0.children.append(.null) }
    signature("5.6", "signed-data-as-a-set") { $0.signedData.identifier = [0x31] }
    signature("5.6", "signed-data-alone") { $0 = $0.signedData }

    for version in [0, 2, 3, 4, 5, 257] {
      signature("5.7", "signed-data-of-version-\(version)") { $0.signedData[0] = .integer(version) }
    }
    signature("5.7", "signed-data-of-version-minus-1") { $0.signedData[0].contents = [0xFF] }
    signature("5.7", "signed-data-without-a-version") { $0.signedData.children.removeFirst() }
    signature("5.7", "signed-data-with-an-enumerated-version") { $0.signedData[0].identifier = [0x0A] }
    signature("5.7", .standing(.holder, .rfc(5652, "5.1"), .choice, "no-digest-algorithm")) {
      $0.digestAlgorithms.children = []
    }
    signature("5.7", .choice(.holder, "two-digest-algorithms")) {
      $0.digestAlgorithms.children += $0.digestAlgorithms.children
    }
    signature("5.7", .choice(.holder, "another-digest-algorithm-beside-sha-256")) {
      $0.digestAlgorithms.children.append(.sequence([OID.sha1]))
    }
    signature("5.7", .standing(.holder, .rfc(5652, "5.1"), .choice, "digest-algorithm-sha-1")) {
      $0.digestAlgorithms.children = [.sequence([OID.sha1])]
    }
    signature("5.7", .standing(.holder, .rfc(5652, "5.1"), .choice, "digest-algorithm-sha-384")) {
      $0.digestAlgorithms.children = [.sequence([OID.sha384])]
    }
    signature("5.7", "digest-algorithms-as-a-sequence") { $0.digestAlgorithms.identifier = [0x30] }
    signature("5.7", "digest-algorithms-missing") { $0.signedData.children.remove(at: 1) }
    signature("5.7", "content-type-of-the-content-signed-data") { $0.encapsulated[0] = OID.signedData }
    signature("5.7", "content-type-of-the-content-missing") { $0.encapsulated.children = [] }
    signature("5.7", .standing(.holder, .apple, .strictness, "content-inside")) {
      $0.encapsulated.children.append(.context(0, [.octetString([1, 2, 3])]))
    }
    signature("5.7", .standing(.holder, .apple, .strictness, "content-inside-and-empty")) {
      $0.encapsulated.children.append(.context(0, [.octetString([])]))
    }
    signature("5.7", .standing(.holder, .apple, .strictness, "content-inside-and-null")) {
      $0.encapsulated.children.append(.null)
    }
    reject("5.7", .standing(.holder, .apple, .strictness, "the-signed-content-inside"), .malformedSignature) { draft in
      let content = draft.layers.signedContent
      try draft.signature { $0.encapsulated.children.append(.context(0, [.octetString(content)])) }
    }
    signature("5.7", "encapsulated-content-missing") { $0.signedData.children.remove(at: 2) }
    signature("5.7", .choice(.holder, "revocation-lists-empty")) {
      $0.signedData.children.insert(.context(1, []), at: 4)
    }
    signature("5.7", .choice(.holder, "revocation-lists-with-one")) {
      $0.signedData.children.insert(.context(1, [.sequence([])]), at: 4)
    }
    signature("5.7", "certificates-after-the-signer-infos") { $0.signedData.children.swapAt(3, 4) }
    signature("5.7", "certificates-twice") { $0.signedData.children.insert($0.certificates, at: 4) }
    signature("5.7", "certificates-as-a-set") { $0.certificates.identifier = [0x31] }
    signature("5.7", .standing(.forgery, "certificates-primitive")) { $0.certificates = .contextPrimitive(0, []) }
    signature("5.7", .standing(.forgery, "signer-infos-missing")) { $0.signedData.children.removeLast() }
    signature("5.7", .standing(.forgery, "no-signer-info")) { $0.signerInfos.children = [] }
    signature("5.7", .choice(.holder, "two-equal-signer-infos")) { $0.signerInfos.children += $0.signerInfos.children }
    signature("5.7", "a-second-signer-info-that-is-empty") { $0.signerInfos.children.append(.sequence([])) }
    signature("5.7", "signer-infos-as-a-sequence") { $0.signerInfos.identifier = [0x30] }
    signature("5.7", "signed-data-with-a-value-after-the-signer-infos") { $0.signedData.children.append(.null) }
    signature("5.7", "signed-data-with-signer-infos-twice") { $0.signedData.children.append($0.signerInfos) }

    reject("5.8", "four-certificates", .malformedSignature) { draft in
      let root = draft.minter.pki.root
      try draft.certificates { $0 += [root, root] }
    }
    for (name, other) in [
      ("a-null", ASN1Node.null), ("an-octet-string", .octetString([1])), ("an-extended-certificate", .context(0, [])),
      ("an-old-attribute-certificate", .context(1, [])), ("an-attribute-certificate", .context(2, [])),
      ("another-certificate-format", .context(3, [OID.unknown])), ("an-empty-sequence", .sequence([])),
      ("a-set", .set([])),
    ] {
      reject("5.8", "\(name)-among-the-certificates", .malformedSignature) { draft in
        try draft.certificates { $0.append(other.encoded) }
      }
    }
    accept("5.8", "a-leaf-of-4096-bytes") { try $0.leaf(size: 4_096) }
    reject("5.8", "a-leaf-of-4097-bytes", .malformedSignature) { try $0.leaf(size: 4_097) }
  }
}

extension CaseDraft {
  /// Issues a leaf of exactly that many bytes: the length of an ECDSA value varies, so serial numbers are tried.
  fileprivate mutating func leaf(size: Int) throws {
    var padding = size - layers.signer.certificates[0].count
    for _ in 0..<100 {
      let serial = TestPKI.serial(&stream)
      try leaf {
        $0.serial = serial
        $0.extensions.append(Extensions.make(OID.unknown, .octetString(zeros(padding))))
      }
      let count = layers.signer.certificates[0].count
      if count == size { return }
      padding += size - count
    }
    throw MintingError.recipe("no leaf of that size")
  }
}

/// A genuine signature of another token that contains its own content: a decryptor that verifies it over this content
/// does not see that the members of the token differ.
extension CaseList {
  mutating func addEnclosedContentCases() {
    underBothVersions { list in
      list.reject("5.7", .standing(.forgery, "the-content-of-another-token-inside"), .malformedSignature) { draft in
        let other = try draft.anotherToken()
        let content = other.signedContent
        draft.layers.signature = try other.signer.sign(
          content, at: other.signedAt,
          as: .patched { $0.encapsulated.children.append(.context(0, [.octetString(content)])) })
      }
    }
  }
}

import Minting
import PaymentToken
import TestCases

/// Cases of the signed attributes, mostly of rule 5.11. The attributes are changed before they are signed, except where
/// the name of a case says otherwise.
extension CaseList {
  /// For attributes without a complete message digest: their signature does not cover the content of the token.
  private static let noDigest = Standing(.apple, .rfc(5652, "11"), .high)

  mutating func addAttributeCases() {
    // The names of the four attributes, in the order in which the minter writes them.
    let protection = Standing(.apple, .rfc(6211, "2"), .strictness)
    let known: [CaseName] = [
      "content-type", "signing-time", .standing(protection, "algorithm-protection"), "message-digest",
    ]
    let standingIfMissing = [
      nil, Standing(.apple, .apple, .strictness), Standing(.apple, .rfc(5652, "5.3"), .interoperability), Self.noDigest,
    ]
    for (index, name) in known.enumerated() {
      let required = index != 2
      let empty = index == 3 ? Self.noDigest : nil
      attributes(
        "5.11", .standing(standingIfMissing[index], "\(name)-attribute-missing"), required ? .malformedSignature : nil
      ) { $0.remove(at: index) }
      attributes("5.11", "\(name)-attribute-twice") { $0.append($0[index]) }
      attributes("5.11", "\(name)-attribute-with-two-values") { $0[index][1].children += $0[index][1].children }
      attributes("5.11", .standing(empty, "\(name)-attribute-without-a-value")) { $0[index][1].children = [] }
      attributes("5.11", .standing(empty, "\(name)-attribute-without-a-set")) { $0[index].children.removeLast() }
      attributes("5.11", "\(name)-attribute-with-a-sequence-for-the-set") { $0[index][1].identifier = [0x30] }
      attributes("5.11", "\(name)-attribute-with-a-third-value") { $0[index].children.append(.null) }
      attributes("5.11", "\(name)-attribute-as-a-set") { $0[index].identifier = [0x31] }
      attributes("5.11", .standing(empty, "\(name)-attribute-of-null")) { $0[index][1].children = [.null] }
    }
    attributes("5.11", .standing(Self.noDigest, "no-attributes")) { $0 = [] }
    attributes("5.11", "content-type-attribute-of-signed-data") { $0[0][1].children = [OID.signedData] }
    attributes("5.11", "content-type-attribute-of-an-unknown-type") { $0[0][1].children = [OID.unknown] }
    attributes("5.11", "content-type-attribute-as-an-octet-string") {
      $0[0][1].children = [.octetString(OID.data.contents)]
    }
    for count in [0, 20, 31, 33, 64] {
      attributes("5.11", .standing(count < 32 ? Self.noDigest : nil, "message-digest-of-\(count)-bytes")) { list in
        let digest = list[3][1][0].contents
        list[3][1].children = [.octetString(Array((digest + digest).prefix(count)))]
      }
    }
    attributes("5.11", "message-digest-as-a-bit-string") { $0[3][1].children = [.bitString($0[3][1][0].contents)] }
    addProtectionCases()
    addOtherAttributeCases()
  }

  /// Contents of the attribute CMSAlgorithmProtection (RFC 6211).
  private mutating func addProtectionCases() {
    @Sendable func protection(_ children: [ASN1Node]) -> @Sendable (inout [ASN1Node]) -> Void {
      { $0[2][1].children = [.sequence(children)] }
    }
    let signature = ASN1Node.context(1, [OID.ecdsaWithSHA256])
    let digest = Algorithms.sha256
    let wrong: [(CaseName, [ASN1Node])] = [
      ("of-sha-1", [.sequence([OID.sha1]), signature]), ("of-sha-384", [.sequence([OID.sha384]), signature]),
      ("of-sha-256-with-an-empty-sequence", [.sequence([OID.sha256, .sequence([])]), signature]),
      ("without-a-digest-algorithm", [signature]), ("without-an-algorithm-of-the-signature", [digest]), ("empty", []),
      ("of-ecdsa-with-sha-384", [digest, .context(1, [OID.ecdsaWithSHA384])]),
      ("of-rsa", [digest, .context(1, [OID.sha256WithRSA, .null])]),
      ("with-null-for-the-signature", [digest, .context(1, [OID.ecdsaWithSHA256, .null])]),
      ("with-an-explicit-tag", [digest, .context(1, [Algorithms.ecdsaSHA256])]),
      ("with-an-empty-algorithm", [digest, .context(1, [])]),
      ("with-a-primitive-algorithm", [digest, .contextPrimitive(1, OID.ecdsaWithSHA256.encoded)]),
      ("with-a-mac-algorithm", [digest, .context(2, [OID.ecdsaWithSHA256])]),
      ("with-a-mac-algorithm-too", [digest, signature, .context(2, [OID.sha256])]),
      ("with-a-third-value", [digest, signature, .null]),
      ("in-reverse", [signature, digest]), ("with-two-algorithms", [digest, signature, signature]),
    ]
    for (name, children) in wrong {
      attributes(
        "5.11", .standing(.apple, .rfc(6211, "2"), .strictness, "algorithm-protection-\(name)"), .malformedSignature,
        protection(children))
    }
    attributes("5.11", .standing(.apple, .rfc(6211, "2"), .strictness, "algorithm-protection-as-a-set")) {
      $0[2][1].children = [.set([digest, signature])]
    }
    attributes(
      "5.11", "algorithm-protection-with-null-unlike-the-signer-info", nil,
      protection([Algorithms.sha256WithNull, signature]))
    accept("5.11", "algorithm-protection-without-null-unlike-the-signer-info") { draft in
      draft.layers.signatureRecipe.nullParameters = true
      try draft.attributes(protection([digest, signature]))
    }
  }

  /// Attributes that OpenSSL reads by other rules than rule 5.11, and sizes around which the length of the signed SET
  /// takes one more byte in DER (rule 8.2).
  mutating func addAttributeBoundCases() {
    underBothVersions { list in
      list.attributes("5.11", "a-countersignature-among-the-signed-attributes", nil) {
        $0.append(.sequence([.oid([1, 2, 840, 113_549, 1, 9, 6]), .set([.sequence([])])]))
      }
      list.attributes(
        "5.11",
        .standing(
          .apple, .rfc(6211, "2"), .strictness, "algorithm-protection-with-an-octet-string-for-the-oid-of-the-signature"
        )
      ) {
        $0[2][1][0][1][0].identifier = [0x04]
      }
      for (name, tag) in [("a-utf8-string", UInt8(0x0C)), ("a-context-value", 0x80), ("a-relative-oid", 0x0D)] {
        list.attributes("5.11", "message-digest-as-\(name)") { $0[3][1][0].identifier = [tag] }
      }
      for size in [126, 127, 128, 129, 254, 255, 256, 257] {
        list.accept("8.2", "signed-attributes-of-\(size)-bytes") { draft in
          draft.layers.signatureRecipe.attributes = .three
          try draft.attributes { $0.fill(to: size) }
        }
      }
    }
  }

  /// Cases of the number and order of the attributes, and of unknown attributes.
  private mutating func addOtherAttributeCases() {
    accept("5.11", .standing(.apple, .rfc(5652, "5.3"), .interoperability, "three-attributes-as-in-2014")) { draft in
      draft.layers.signatureRecipe.attributes = .three
      draft.layers.signatureRecipe.nullParameters = true
      try draft.sign()
    }
    attributes("5.5", "attributes-in-reverse-order", nil, sorted: false) { $0.reverse() }
    attributes("5.11", "an-unknown-attribute", nil, sorted: false) {
      $0.append(.sequence([OID.unknown, .set([.null])]))
    }
    attributes("5.11", .standing(.apple, .rfc(5652, "5.3"), .interoperability, "an-unknown-attribute-first"), nil) {
      $0.insert(.sequence([OID.unknown, .set([.null])]), at: 0)
    }
    attributes("5.11", "an-unknown-attribute-twice", nil) { list in
      for _ in 0..<2 { list.append(.sequence([OID.unknown, .set([.null])])) }
    }
    attributes("5.11", "an-unknown-attribute-without-a-value", nil) { $0.append(.sequence([OID.unknown, .set([])])) }
    attributes("5.11", "an-unknown-attribute-with-three-values", nil) {
      $0.append(.sequence([OID.unknown, .set([.null, .integer(7), .utf8String("x")])]))
    }
    attributes("5.11", "an-unknown-attribute-of-an-oid-alone") { $0.append(.sequence([OID.unknown])) }
    attributes("5.11", "an-unknown-attribute-that-is-empty") { $0.append(.sequence([])) }
    attributes("5.11", "an-unknown-attribute-that-is-a-null") { $0.append(.null) }
    attributes("5.11", "an-unknown-attribute-with-a-sequence-for-the-set") {
      $0.append(.sequence([OID.unknown, .sequence([])]))
    }
    attributes("5.11", "an-unknown-attribute-with-a-string-for-the-oid") {
      $0.append(.sequence([.utf8String("x"), .set([])]))
    }
    attributes("5.11", "hundred-unknown-attributes", nil) { list in
      for index in 0..<100 { list.append(.sequence([.oid([2, 999, UInt64(index)]), .set([])])) }
    }
    signature("5.11", .standing(.forgery, "no-attributes-although-some-were-signed")) { $0.signerInfo[3].children = [] }
  }
}

extension [ASN1Node] {
  /// Adds unknown attributes until all attributes together have `size` bytes.
  fileprivate mutating func fill(to size: Int) {
    var room = size - reduce(0) { $0 + $1.encoded.count }
    // An attribute has 11 bytes around its value. At most 99 bytes keep all of its lengths below 128, in one byte; 60
    // of 100 or more leave enough for another attribute.
    while room >= 11 {
      let count = room < 100 ? room : 60
      append(.sequence([OID.unknown, .set([.octetString(zeros(count - 11))])]))
      room -= count
    }
  }
}

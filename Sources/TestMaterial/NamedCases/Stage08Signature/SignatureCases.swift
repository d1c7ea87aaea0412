import Minting
import PaymentToken

/// Stage 8: the digest and the signature over it.
extension CaseList {
  mutating func addSignatureCases() {
    addDigestCases()
    addSignedAttributeCases()
    addValueCases()
  }

  private mutating func addDigestCases() {
    let edits: Named<Edit<TokenLayers>> = [
      "a-bit-flipped-in-the-ciphertext": { $0.data[0] ^= 1 },
      "a-bit-flipped-in-the-tag": { $0.data[$0.data.count - 1] ^= 0x80 },
      "a-byte-added-to-the-data": { $0.data.append(0) }, "a-byte-taken-from-the-data": { $0.data.removeLast() },
      "a-bit-flipped-in-the-ephemeral-key": { $0.ephemeralPublicKey[90] ^= 1 },
      "a-bit-flipped-in-the-header-of-the-ephemeral-key": { $0.ephemeralPublicKey[3] ^= 1 },
      "a-bit-flipped-in-the-transaction-id": { $0.transactionId[31] ^= 1 },
      "the-transaction-id-reversed": { $0.transactionId.reverse() },
      "application-data-added": { $0.applicationData = zeros(32) },
    ]
    for (name, edit) in edits {
      reject("8.1", name, .signatureMismatch) { edit(&$0.layers) }
    }
    let applicationDataEdits: Named<Edit<[UInt8]?>> = [
      "removed": { $0 = nil }, "altered": { $0?[0] ^= 1 },
    ]
    for (name, edit) in applicationDataEdits {
      reject("8.1", "application-data-\(name)", .signatureMismatch) { draft in
        try draft.signApplicationData()
        edit(&draft.layers.applicationData)
      }
    }
    let contents: Named<@Sendable (TokenLayers) -> [UInt8]> = [
      "in-another-order": { $0.data + $0.ephemeralPublicKey + $0.transactionId },
      "without-the-transaction-id": { $0.ephemeralPublicKey + $0.data },
      "with-the-transaction-id-as-text": { $0.ephemeralPublicKey + $0.data + Array(Hex.encode($0.transactionId).utf8) },
      "with-the-data-as-text": { $0.ephemeralPublicKey + Array(Base64.encode($0.data).utf8) + $0.transactionId },
      "of-nothing": { _ in [] },
    ]
    for (name, make) in contents {
      reject("8.1", .standing(.apple, .apple, .high, "digest-\(name)"), .signatureMismatch) { draft in
        draft.layers.signature = try draft.layers.signer.sign(make(draft.layers), at: draft.layers.signedAt)
      }
    }
    attributes("8.1", .standing(.apple, .apple, .high, "digest-with-a-bit-flipped-and-signed"), .signatureMismatch) {
      $0[3][1][0].contents[31] ^= 1
    }
    attributes("8.1", .standing(.apple, .apple, .high, "digest-of-zeros-and-signed"), .signatureMismatch) {
      $0[3][1][0].contents = zeros(32)
    }
    reject("8.1", "the-signature-of-another-token", .signatureMismatch) { draft in
      draft.layers.signature = try draft.anotherToken().signature
    }
  }

  private mutating func addSignedAttributeCases() {
    let edits: Named<Edit<ASN1Node>> = [
      "digest-with-a-bit-flipped": { $0[3][1][0].contents[0] ^= 1 },
      "signing-time-altered": { $0[1][1][0].contents[11] ^= 1 },
      "an-attribute-removed": { $0.children.remove(at: 2) },
      "an-unknown-attribute-added": { $0.children.append(.sequence([OID.unknown, .set([])])) },
      .standing(.holder, .rfc(5652, "5.3"), .choice, "attributes-reordered"): { $0.children.swapAt(0, 1) },
    ]
    for (name, edit) in edits {
      signature("8.2", "\(name)-after-signing", .signatureMismatch) { edit(&$0.signerInfo[3]) }
    }
    for (name, prefix) in [
      ("with-the-implicit-tag", [UInt8(0xA0)]), ("with-a-sequence-tag", [0x30]), ("without-a-tag", []),
    ] {
      reject("8.2", .standing(.apple, .rfc(5652, "5.4"), .strictness, "attributes-signed-\(name)"), .signatureMismatch)
      { draft in
        try draft.signValue { key, attributes in
          let encoded =
            prefix.isEmpty
            ? ASN1Node.set(attributes).contents : ASN1Node(identifier: prefix, body: .constructed(attributes)).encoded
          return try key.sign(digest: Hashing.sha256(encoded))
        }
      }
    }
    reject(
      "8.2", .standing(.apple, .rfc(5652, "5.4"), .strictness, "the-content-signed-instead-of-the-attributes"),
      .signatureMismatch
    ) { draft in
      let content = draft.layers.signedContent
      try draft.signValue { key, _ in try key.sign(digest: Hashing.sha256(content)) }
    }
    for (name, digest) in [("sha-1", SignatureDigest.sha1), ("sha-384", .sha384), ("sha-512", .sha512)] {
      reject(
        "8.2", .standing(.apple, .rfc(5652, "5.4"), .strictness, "attributes-signed-over-\(name)"), .signatureMismatch
      ) {
        try $0.signValue { try $0.sign(digest: digest.hash(ASN1Node.set($1).encoded)) }
      }
    }
    let keys: Named<@Sendable (CaseDraft) throws -> KeyPair> = [
      .standing(.apple, .apple, .high, "the-intermediate"): { try $0.minter.pki.intermediateKey.pair },
      "the-foreign-leaf": { $0.minter.foreign.leafKey }, "the-merchant": { $0.layers.merchantKey.pair },
      "the-device": { $0.layers.ephemeral },
    ]
    for (name, pick) in keys {
      reject("8.2", "signed-with-the-key-of-\(name)", .signatureMismatch) { try $0.sign(\.signer.key, pick($0)) }
    }
    accept("8.2", .choice(.apple, "attributes-signed-in-the-order-received")) {
      try $0.attributes(sorted: false) { $0.swapAt(0, 3) }
    }
  }

  private mutating func addValueCases() {
    let order = ExplicitParameters.order
    let numbers: [(CaseName, ASN1Node)] = [
      ("0", .integer(0)), ("1", .integer(1)), ("n-1", .unsigned(order.dropLast() + [order[31] - 1])),
      ("n", .unsigned(order)),
      ("n+1", .unsigned(order.dropLast() + [order[31] + 1])),
      ("2-to-the-256", .unsigned([1] + zeros(32))), ("minus-1", .primitive(2, [0xFF])),
      ("of-100-bytes", .unsigned([UInt8](repeating: 0x5A, count: 100))),
    ]
    for (name, number) in numbers {
      value(.standing(.ecdsaForgery, "r-\(name)")) { $0[0] = number }
      value(.standing(.ecdsaForgery, "s-\(name)")) { $0[1] = number }
      value(.standing(.ecdsaForgery, "r-and-s-\(name)")) { $0.children = [number, number] }
    }
    for (name, index) in [("r", 0), ("s", 1)] {
      value(.standing(.holder, .standard("fips186-5-6.4.2"), .strictness, "\(name)-negated")) {
        $0[index].contents = CaseList.negated($0[index].contents)
      }
      value("\(name)-with-a-redundant-zero") { $0[index].contents.insert(0, at: 0) }
      value(.standing(.ecdsaForgery, "\(name)-without-bytes")) { $0[index].contents = [] }
      value("\(name)-with-a-long-length") { $0[index].length = .long(bytes: 1) }
      value("\(name)-as-an-octet-string") { $0[index].identifier = [4] }
      value(.standing(.ecdsaForgery, "\(name)-missing")) { $0.children.remove(at: index) }
      reject("8.3", "ecdsa-\(name)-with-the-order-added", .signatureMismatch) { draft in
        // Congruent, and out of range.
        let (value, order) = (try draft.signed().value, try draft.layers.signer.key.order())
        try draft.value { $0[index] = .unsigned((index == 0 ? value.r : value.s).adding(order)) }
      }
    }
    value("as-a-set") { $0.identifier = [0x31] }
    value("with-a-long-length") { $0.length = .long(bytes: 1) }
    value("of-indefinite-length") { $0.length = .indefinite }
    value("with-a-third-integer") { $0.children.append(.integer(1)) }
    value(.standing(.ecdsaForgery, "in-reverse")) { $0.children.reverse() }
    value(.standing(.ecdsaForgery, "of-an-empty-sequence")) { $0.children = [] }
    value("with-a-byte-after-it") { $0 = .raw($0.encoded + [0]) }
    value(.standing(.ecdsaForgery, "cut-by-a-byte")) { $0 = .raw($0.encoded.dropLast()) }
    value(.standing(.ecdsaForgery, "empty")) { $0 = .raw([]) }
    value("in-an-octet-string-again") { $0 = .octetString($0.encoded) }
    reject("8.3", "ecdsa-value-of-64-plain-bytes", .signatureMismatch) { draft in
      let value = try draft.signed().value
      try draft.sign(value: value.r + value.s)
    }
    for low in [true, false] {
      accept("8.3", "ecdsa-value-with-a-\(low ? "low" : "high")-s") { draft in
        try draft.signValue { key, attributes in
          let value = try key.sign(digest: Hashing.sha256(ASN1Node.set(attributes).encoded))
          return (value.s[0] < 0x80) == low ? value : try key.negated(value)
        }
      }
    }
  }

  private mutating func value(_ name: CaseName, _ edit: @escaping @Sendable (inout ASN1Node) -> Void) {
    reject("8.3", "ecdsa-\(name)", .signatureMismatch) { try $0.value(edit) }
  }

  /// The two's complement of a positive INTEGER's contents, in its shortest form.
  static func negated(_ contents: [UInt8]) -> [UInt8] {
    var result = contents.map { ~$0 }
    for index in result.indices.reversed() {
      let (sum, overflow) = result[index].addingReportingOverflow(1)
      result[index] = sum
      if !overflow { break }
    }
    while result.count > 1, result[0] == 0xFF, result[1] >= 0x80 { result.removeFirst() }
    return result
  }
}

extension CaseDraft {
  /// The attributes that were signed, and the value over them.
  func signed() throws -> (attributes: [ASN1Node], value: ECDSAValue) {
    let attributes = signedAttributes
    return (attributes, try layers.signer.key.sign(digest: Hashing.sha256(ASN1Node.set(attributes).encoded)))
  }

  /// Edits the ECDSA value of the valid signature.
  fileprivate mutating func value(_ edit: @Sendable (inout ASN1Node) -> Void) throws {
    var node = try signed().value.node
    edit(&node)
    try sign(value: node.encoded)
  }

  /// Puts another value in the signature's place, made with the leaf's key.
  fileprivate mutating func signValue(_ make: (KeyPair, [ASN1Node]) throws -> ECDSAValue) throws {
    try sign(value: make(layers.signer.key, signed().attributes).node.encoded)
  }
}

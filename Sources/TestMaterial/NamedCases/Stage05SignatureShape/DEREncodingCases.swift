import Minting
import PaymentToken
import TestCases

/// Rules 5.1 to 5.5: how the CMS is encoded.
extension CaseList {
  typealias Path = WritableKeyPath<ASN1Node, ASN1Node> & Sendable

  /// The values whose length may have any form that BER allows (rule 5.2).
  static let wrappers: [(String, any Path)] = [
    ("content-info", \.self), ("explicit-content", \.[1]), ("signed-data", \.signedData),
    ("digest-algorithms", \.digestAlgorithms), ("encapsulated-content", \.encapsulated),
    ("certificates", \.certificates),
    ("signer-infos", \.signerInfos),
  ]

  mutating func addDEREncodingCases() {
    addTagCases()
    addWrapperCases()
    addShortestLengthCases()
    addFormCases()
    addPrimitiveCases()
  }

  private mutating func addTagCases() {
    let high: [(CaseName, [UInt8])] = [
      ("universal", [0x1F, 0x1F]), ("context", [0x9F, 0x20]), ("constructed-context", [0xBF, 0x2A]),
      ("private", [0xDF, 0x81, 0x00]),
      ("that-would-fit-the-low-form", [0x9F, 0x01]),
    ]
    for (name, identifier) in high {
      let empty = ASN1Node(identifier: identifier, body: .constructed([]))
      attributeValue("5.1", "a-high-tag-number-\(name)", .malformedSignature, empty)
    }
    for (depth, code) in [(8, nil), (9, TokenFault.Code.malformedSignature), (200, .malformedSignature)] {
      let nested = ASN1Node.sequence([]).wrapped(depth - 1, in: 0x30)
      attributeValue("5.1", .choice(.apple, "an-attribute-\(8 + depth)-values-deep"), code, nested)
    }
    for (depth, code) in [(7, nil), (8, TokenFault.Code.malformedSignature)] {
      leaf("5.1", .choice(.apple, "a-name-in-the-leaf-\(9 + depth)-values-deep"), code) {
        $0.subject.children.append(Names.attribute(OID.unknown, .sequence([]).wrapped(depth - 1, in: 0x30)))
      }
    }
    for (name, tail) in [
      ("a-null-byte", [0]), ("an-end-of-contents", [0, 0]), ("a-null", [5, 0]), ("a-line-break", [0x0A]),
    ] as [(CaseName, [UInt8])] {
      reject(
        "5.1", .standing(.holder, .rfc(5652, "3"), .strictness, "\(name)-after-the-content-info"), .malformedSignature
      ) { $0.layers.signature += tail }
    }
    reject("5.1", .standing(.holder, .rfc(5652, "3"), .strictness, "a-second-content-info"), .malformedSignature) {
      $0.layers.signature += $0.layers.signature
    }
    reject(
      "5.1", .standing(.holder, .standard("x690-8.1.5"), .strictness, "a-signature-cut-by-one-byte"),
      .malformedSignature
    ) { $0.layers.signature.removeLast() }
    reject("5.1", .standing(.forgery, "a-signature-cut-in-half"), .malformedSignature) {
      $0.layers.signature.removeLast($0.layers.signature.count / 2)
    }
    reject("5.1", .standing(.holder, .rfc(5652, "3"), .strictness, "a-signature-in-pem"), .malformedSignature) {
      let body = Base64.encode($0.layers.signature)
      $0.layers.signature = Array("-----BEGIN CMS-----\n\(body)\n-----END CMS-----\n".utf8)
    }
    for (name, bytes) in [("zeros", zeros(64)), ("ones", [UInt8](repeating: 0xFF, count: 64))] {
      reject("5.1", .standing(.forgery, "a-signature-of-\(name)"), .malformedSignature) { $0.layers.signature = bytes }
    }
  }

  /// For wrappers of definite or indefinite length, as BER allows. More length bytes than necessary are a choice.
  private static let ber = Standing(.holder, .rfc(5652, "5.1"), .interoperability)

  private mutating func addWrapperCases() {
    let edits: [(CaseName, TokenFault.Code?, Edit<ASN1Node>)] = [
      (.standing(Self.ber, "of-indefinite-length"), nil, { $0.length = .indefinite }),
      (.standing(Self.ber, "of-definite-length"), nil, { $0.length = .shortest }),
      ("with-2-length-bytes", nil, { $0.length = .long(bytes: 2) }),
      ("with-3-length-bytes", nil, { $0.length = .long(bytes: 3) }),
      ("with-4-length-bytes", nil, { $0.length = .long(bytes: 4) }),
      (.choice(.holder, "with-5-length-bytes"), .malformedSignature, { $0.length = .long(bytes: 5) }),
      (.choice(.holder, "with-8-length-bytes"), .malformedSignature, { $0.length = .long(bytes: 8) }),
      ("without-its-end-of-contents", .malformedSignature, { $0.length = .verbatim([0x80]) }),
      ("of-definite-length-with-an-end-of-contents", .malformedSignature, { $0.appendEnd(.shortest) }),
      ("with-two-ends-of-contents", .malformedSignature, { $0.appendEnd(.indefinite) }),
      ("longer-than-its-contents", .malformedSignature, { $0.misstateLength(by: 1) }),
      ("shorter-than-its-contents", .malformedSignature, { $0.misstateLength(by: -1) }),
      ("with-the-reserved-length-ff", .malformedSignature, { $0.length = .verbatim([0xFF]) }),
      ("of-four-gigabytes", .malformedSignature, { $0.length = .verbatim([0x84, 0xFF, 0xFF, 0xFF, 0xFF]) }),
    ]
    // How the wrappers of the digest algorithms, of the content and of the SignerInfos are written is a choice.
    let inner = [3, 4, 6]
    for (index, (wrapper, path)) in CaseList.wrappers.enumerated() {
      for (name, code, edit) in edits {
        let whole: CaseName = "\(wrapper)-\(name)"
        signature("5.2", code == nil && inner.contains(index) ? .choice(.holder, whole) : whole, code) {
          edit(&$0[keyPath: path])
        }
      }
    }
    signature("5.2", "encapsulated-content-with-one-length-byte-in-the-long-form", nil) {
      $0.encapsulated.length = .long(bytes: 1)
    }
    for (name, length) in [
      (.standing(Self.ber, "of-definite-length"), .shortest), ("with-4-length-bytes", .long(bytes: 4)),
      (.standing(Self.ber, "of-indefinite-length"), .indefinite),
    ] as [(CaseName, ASN1Node.Length)] {
      signature("5.2", "all-seven-wrappers-\(name)", nil) { tree in
        for (_, path) in CaseList.wrappers { tree[keyPath: path].length = length }
      }
    }
    signature("5.2", "an-end-of-contents-with-a-long-length") { $0.appendEnd(.verbatim([0x80]), [0, 0x81, 0]) }
  }

  private mutating func addShortestLengthCases() {
    let paths: [(String, any Path)] = [
      ("content-type", \.[0]), ("version", \.signedData[0]), ("digest-algorithm", \.digestAlgorithms[0]),
      ("digest-algorithm-identifier", \.digestAlgorithms[0][0]), ("encapsulated-content-type", \.encapsulated[0]),
      ("signer-info", \.signerInfo), ("signer-info-version", \.signerInfo[0]), ("signer-identifier", \.signerInfo[1]),
      ("signer-serial-number", \.signerInfo[1][1]), ("signer-digest-algorithm", \.signerInfo[2]),
      ("signed-attributes", \.signerInfo[3]), ("signature-algorithm", \.signerInfo[4]),
      ("signature-value", \.signerInfo[5]),
    ]
    for (name, path) in paths {
      signature("5.3", .choice(.holder, "\(name)-with-a-length-byte-too-many")) { tree in
        let count = tree[keyPath: path].contents.count
        tree[keyPath: path].length = .long(bytes: count < 128 ? 1 : count < 256 ? 2 : 3)
      }
      signature("5.3", .choice(.holder, "\(name)-with-4-length-bytes")) { $0[keyPath: path].length = .long(bytes: 4) }
      signature("5.3", .choice(.holder, "\(name)-of-indefinite-length")) { $0[keyPath: path].length = .indefinite }
      signature("5.3", "\(name)-longer-than-what-is-left") { $0[keyPath: path].length = .verbatim([0x82, 0x7F, 0xFF]) }
    }
    for number in 1...4 {
      let lengths: Named<Edit<ASN1Node>> = [
        "signed-attribute-\(number)-with-a-length-byte-too-many": { $0.length = .long(bytes: 1) },
        "signed-attribute-\(number)-of-indefinite-length": { $0.length = .indefinite },
        "values-of-attribute-\(number)-with-a-length-byte-too-many": { $0[1].length = .long(bytes: 1) },
        "value-of-attribute-\(number)-with-a-length-byte-too-many": { $0[1][0].length = .long(bytes: 1) },
      ]
      for (name, edit) in lengths { attributes("5.3", .standing(.attributeDER, name)) { edit(&$0[number - 1]) } }
    }
    attributeValue(
      "5.3", .standing(.attributeDER, "unknown-attribute-with-a-length-byte-too-many"), .malformedSignature,
      ASN1Node(identifier: [0x04], length: .long(bytes: 1), body: .primitive([1])))
    attributeValue(
      "5.3", .standing(.attributeDER, "unknown-attribute-of-indefinite-length"), .malformedSignature,
      ASN1Node(identifier: [0x30], length: .indefinite, body: .constructed([.null])))
    for (name, length) in [
      ("of-indefinite-length", ASN1Node.Length.indefinite), ("with-3-length-bytes", .long(bytes: 3)),
    ] {
      leaf("5.3", .standing(.certificateDER, "leaf-\(name)")) { $0.editCertificate = { $0.length = length } }
      leaf("5.3", .standing(.certificateDER, "leaf-body-\(name)")) { $0.editBody = { $0.length = length } }
      leaf("5.3", .standing(.certificateDER, "leaf-subject-\(name)")) { $0.subject.length = length }
      leaf("5.3", .standing(.certificateDER, "leaf-extensions-\(name)")) { $0.editBody = { $0[7].length = length } }
      intermediate("5.3", .standing(.certificateDER, "intermediate-\(name)")) {
        $0.editCertificate = { $0.length = length }
      }
      intermediate("5.3", .standing(.certificateDER, "intermediate-key-\(name)")) { $0.publicKeyInfo.length = length }
      intermediate("5.3", .standing(.certificateDER, "intermediate-validity-\(name)")) {
        $0.editBody = { $0[4].length = length }
      }
    }
  }

  private mutating func addFormCases() {
    signature("5.4", .choice(.holder, "signature-value-as-a-constructed-octet-string")) { tree in
      let bytes = tree.signerInfo[5].contents
      tree.signerInfo[5] = ASN1Node(
        identifier: [0x24],
        body: .constructed([.octetString(Array(bytes.prefix(8))), .octetString(Array(bytes.dropFirst(8)))]))
    }
    attributes("5.4", "message-digest-as-a-constructed-octet-string") { list in
      let bytes = list[3][1][0].contents
      list[3][1][0] = ASN1Node(identifier: [0x24], body: .constructed([.octetString(bytes)]))
    }
    let forms: [(CaseName, [UInt8], TokenFault.Code?)] = [
      ("a-primitive-sequence", [0x10, 0], .malformedSignature), ("a-primitive-set", [0x11, 0], .malformedSignature),
      ("a-constructed-integer", [0x22, 3, 2, 1, 0], .malformedSignature),
      ("a-constructed-boolean", [0x21, 0], .malformedSignature),
      ("a-constructed-utf8-string", [0x2C, 0], .malformedSignature),
      ("a-constructed-bit-string", [0x23, 0], .malformedSignature),
      (.choice(.apple, "an-external"), [0x28, 0], .malformedSignature),
      (.choice(.apple, "an-embedded-pdv"), [0x2B, 0], .malformedSignature),
      (.choice(.apple, "universal-zero"), [0, 0], .malformedSignature),
      (.choice(.apple, "universal-zero-with-contents"), [0, 1, 7], .malformedSignature),
      (.choice(.apple, "universal-zero-constructed"), [0x20, 0], .malformedSignature),
      ("a-primitive-context-value", [0x80, 2, 2, 0], nil), ("a-constructed-context-value", [0xA0, 2, 5, 0], nil),
      ("a-primitive-application-value", [0x41, 1, 0xFF], nil), ("a-constructed-application-value", [0x61, 0], nil),
      ("a-primitive-private-value", [0xC5, 1, 0xFF], nil), ("a-constructed-private-value", [0xE5, 2, 5, 0], nil),
      ("a-constructed-context-value-with-an-empty-integer", [0xA3, 2, 2, 0], .malformedSignature),
      ("a-constructed-application-value-with-trailing-bytes", [0x61, 3, 5, 0, 1], .malformedSignature),
      ("a-constructed-private-value-with-a-long-length", [0xE5, 3, 5, 0x81, 0], .malformedSignature),
    ]
    for (name, bytes, code) in forms { attributeValue("5.4", "\(name)-in-an-unknown-attribute", code, .raw(bytes)) }
    leaf("5.4", .standing(.certificateDER, "leaf-subject-with-a-constructed-string")) {
      $0.subject = .sequence([
        Names.attribute(OID.commonName, ASN1Node(identifier: [0x2C], body: .constructed([.utf8String("assay")])))
      ])
    }
    leaf("5.4", .standing(.certificateDER, "leaf-signature-as-a-constructed-bit-string")) {
      $0.editCertificate = { $0[2] = ASN1Node(identifier: [0x23], body: .constructed([$0[2]])) }
    }
  }

  private mutating func addPrimitiveCases() {
    let values: [(CaseName, [UInt8], TokenFault.Code?)] = [
      ("boolean-of-00", [1, 1, 0], nil), ("boolean-of-ff", [1, 1, 0xFF], nil),
      ("boolean-of-01", [1, 1, 1], .malformedSignature),
      ("boolean-of-no-bytes", [1, 0], .malformedSignature),
      ("boolean-of-two-bytes", [1, 2, 0xFF, 0xFF], .malformedSignature),
      ("integer-of-minus-one", [2, 1, 0xFF], nil), ("integer-of-128", [2, 2, 0, 0x80], nil),
      ("integer-of-minus-129", [2, 2, 0xFF, 0x7F], nil),
      ("integer-of-no-bytes", [2, 0], .malformedSignature),
      ("integer-with-a-redundant-00", [2, 2, 0, 0x7F], .malformedSignature),
      ("integer-with-a-redundant-ff", [2, 2, 0xFF, 0x80], .malformedSignature),
      ("integer-of-two-zeros", [2, 2, 0, 0], .malformedSignature),
      ("oid-of-no-bytes", [6, 0], .malformedSignature),
      ("oid-that-does-not-end", [6, 2, 0x2A, 0x86], .malformedSignature),
      ("oid-with-a-padded-arc", [6, 3, 0x2A, 0x80, 1], .malformedSignature),
      ("oid-with-a-padded-first-arc", [6, 2, 0x80, 1], .malformedSignature),
      ("oid-with-a-huge-arc", [6, 12, 0x2A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], nil),
      ("oid-with-80-inside-an-arc", [6, 4, 0x2A, 0x81, 0x80, 0], nil),
      ("bit-string-of-no-bytes", [3, 0], .malformedSignature), ("bit-string-of-no-bits", [3, 1, 0], nil),
      ("bit-string-with-unused-bits-of-nothing", [3, 1, 1], .malformedSignature),
      ("bit-string-with-8-unused-bits", [3, 2, 8, 0], .malformedSignature),
      ("bit-string-with-7-unused-bits", [3, 2, 7, 0x80], nil),
      ("bit-string-with-an-unused-bit-set", [3, 2, 7, 0xC0], .malformedSignature),
      ("null-of-one-byte", [5, 1, 0], .malformedSignature), ("enumerated-with-a-redundant-byte", [10, 2, 0, 1], nil),
      ("octet-string-that-holds-garbage", [4, 2, 2, 0], nil), ("utf8-string-that-is-no-utf-8", [12, 1, 0xFF], nil),
      ("utc-time-that-is-no-time", [23, 1, 0x7A], nil), ("set-out-of-order", [0x31, 6, 2, 1, 2, 2, 1, 1], nil),
      ("sequence-that-is-cut", [0x30, 2, 2, 1], .malformedSignature),
    ]
    for (name, bytes, code) in values {
      let standing = code.map { _ in Standing.attributeDER }
      attributeValue("5.5", .standing(standing, "\(name)-in-an-unknown-attribute"), code, .raw(bytes))
    }
    signature("5.5", "version-with-a-redundant-00") { $0.signedData[0].contents = [0, 1] }
    signature("5.5", "version-of-no-bytes") { $0.signedData[0].contents = [] }
    signature("5.5", "signer-info-version-with-a-redundant-00") { $0.signerInfo[0].contents = [0, 1] }
    signature("5.5", "signer-serial-number-with-a-redundant-00") { $0.signerInfo[1][1].contents.insert(0, at: 0) }
    signature("5.5", "digest-parameters-null-with-contents") {
      $0.digestAlgorithms[0].children = [OID.sha256, .primitive(5, [0])]
    }
    leaf("5.5", .standing(.certificateDER, "leaf-serial-number-with-a-redundant-00")) {
      $0.serial.contents.insert(0, at: 0)
    }
    leaf("5.5", .standing(.certificateDER, "leaf-critical-flag-of-01")) {
      $0.editExtension(OID.keyUsage) { $0[1].contents = [1] }
    }
    intermediate("5.5", .standing(.certificateDER, "intermediate-serial-number-of-no-bytes")) {
      $0.serial.contents = []
    }
    leaf("5.5", .standing(.certificateDER, "leaf-subject-oid-that-does-not-end")) {
      $0.subject.children.append(Names.attribute(.primitive(6, [0x2A, 0x86]), .utf8String("x")))
    }
  }
}

extension ASN1Node {
  /// Adds an end of contents to the values inside, under a length of this form.
  fileprivate mutating func appendEnd(_ length: Length, _ end: [UInt8] = [0, 0]) {
    self.length = length
    children.append(.raw(end))
  }

  /// Writes a wrong length, the contents' plus `difference`, in two bytes.
  fileprivate mutating func misstateLength(by difference: Int) {
    let count = contents.count + difference
    length = .verbatim([0x82, UInt8(count >> 8), UInt8(count & 0xFF)])
  }
}

extension CertificateRecipe {
  /// Edits the first Extension of that OID.
  mutating func editExtension(_ oid: ASN1Node, _ edit: (inout ASN1Node) -> Void) {
    guard let index = extensions.firstIndex(where: { $0.children.first == oid }) else { return }
    edit(&extensions[index])
  }

  /// Replaces what an extension's OCTET STRING holds.
  mutating func setExtensionValue(_ oid: ASN1Node, _ bytes: [UInt8]) {
    editExtension(oid) { $0.children[$0.children.count - 1] = .octetString(bytes) }
  }
}

import Minting
import PaymentToken

/// Rules 5.1 to 5.5 at their boundaries: where the signature ends, where an element ends, and where a form begins.
extension CaseList {
  mutating func addDERBoundaryCases() {
    addEndOfContentsCases()
    addSizeBoundaryCases()
    addLengthByOneCases()
    addCutCases()
    addLastElementCases()
    addBitBoundaryCases()
    addDepthCases()
  }

  /// An end of contents is two zero bytes. A reader that checks only one of them accepts these.
  private mutating func addEndOfContentsCases() {
    let ends: [(CaseName, [UInt8])] = [
      ("00-01", [0, 1]), ("00-80", [0, 0x80]), ("01-00", [1, 0]), ("05-00", [5, 0]),
    ]
    for (wrapper, path) in CaseList.wrappers {
      for (name, end) in ends {
        signature("5.2", "\(wrapper)-of-indefinite-length-ended-by-\(name)") { tree in
          tree[keyPath: path].length = .verbatim([0x80])
          tree[keyPath: path].children.append(.raw(end))
        }
      }
    }
  }

  /// Adds a case with the element in an unknown attribute and, if `inLeaf`, one with it in a name of the leaf.
  private mutating func element(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code?, inLeaf: Bool = false, _ element: ASN1Node
  ) {
    let isRefused = code != nil
    attributeValue(
      clause, .standing(isRefused ? .attributeDER : nil, "\(name)-in-an-unknown-attribute"), code, element)
    guard inLeaf else { return }
    leaf(clause, .standing(isRefused ? .certificateDER : nil, "\(name)-in-a-name-of-the-leaf"), code) {
      $0.subject.children.append(Names.attribute(OID.unknown, element))
    }
  }

  /// Sizes around those at which the shortest form of a length changes.
  private mutating func addSizeBoundaryCases() {
    for size in [0, 1, 126, 127, 128, 129, 254, 255, 256, 257] {
      let lengthBytes = size < 128 ? 0 : size < 256 ? 1 : 2
      for (name, value) in CaseList.elements(holding: size) {
        let inLeaf = [127, 128].contains(size)
        element("5.3", "\(name)-of-\(size)-bytes", nil, inLeaf: inLeaf, value)
        var longer = value
        longer.length = .long(bytes: lengthBytes + 1)
        element(
          "5.3", "\(name)-of-\(size)-bytes-with-a-length-byte-too-many", .malformedSignature, inLeaf: inLeaf, longer)
      }
    }
    // The length byte 80 means an indefinite length. A reader may take it for 128.
    for (name, value) in CaseList.elements(holding: 128) {
      var indefinite = value
      indefinite.length = .verbatim([0x80])
      element("5.3", "\(name)-of-128-bytes-and-length-byte-80", .malformedSignature, inLeaf: true, indefinite)
    }
  }

  /// A primitive element with contents of `size` bytes and, from two bytes on, a constructed one.
  private static func elements(holding size: Int) -> [(CaseName, ASN1Node)] {
    let string: (CaseName, ASN1Node) = ("octet-string", ASN1Node.octetString([UInt8](repeating: 0x41, count: size)))
    guard size >= 2 else { return [string] }
    // The header of an OCTET STRING that is `size` bytes long as a whole.
    let header = size < 130 ? 2 : 3
    let child = ASN1Node.octetString([UInt8](repeating: 0x41, count: size - header))
    return [string, ("sequence", .sequence([child]))]
  }

  /// Elements whose length is one more or one less than that of their contents.
  private mutating func addLengthByOneCases() {
    let paths: [(CaseName, any Path)] = [
      ("content-type", \.[0]), ("version", \.signedData[0]), ("digest-algorithm", \.digestAlgorithms[0]),
      ("encapsulated-content-type", \.encapsulated[0]),
      (.standing(.attributeDER, "first-certificate"), \.certificates[0]),
      (.standing(.attributeDER, "last-certificate"), \.certificates[1]), ("signer-info", \.signerInfo),
      ("signer-info-version", \.signerInfo[0]),
      ("signer-identifier", \.signerInfo[1]), ("signer-issuer", \.signerInfo[1][0]),
      ("signer-serial-number", \.signerInfo[1][1]), ("signer-digest-algorithm", \.signerInfo[2]),
      ("signed-attributes", \.signerInfo[3]), (.standing(.attributeDER, "first-attribute"), \.signerInfo[3][0]),
      (.standing(.attributeDER, "first-attribute-type"), \.signerInfo[3][0][0]),
      (.standing(.attributeDER, "first-attribute-values"), \.signerInfo[3][0][1]),
      (.standing(.attributeDER, "last-attribute"), \.signerInfo[3][3]),
      (.standing(.attributeDER, "last-attribute-value"), \.signerInfo[3][3][1][0]),
      ("signature-algorithm", \.signerInfo[4]), ("signature-value", \.signerInfo[5]),
    ]
    for (name, path) in paths {
      for (change, difference) in [("longer", 1), ("shorter", -1)] {
        signature("5.3", "\(name)-one-byte-\(change)-than-its-contents") { tree in
          for (_, wrapper) in CaseList.wrappers { tree[keyPath: wrapper].length = .shortest }
          tree.readCertificates()
          tree[keyPath: path].misstateShortestLength(by: difference)
        }
      }
    }
    leafAndIntermediate("5.3", .standing(.certificateDER, "body-one-byte-longer-than-its-contents")) {
      $0.editCertificate = { certificate in
        certificate[0] = ASN1Node(ber: certificate[0].encoded) ?? certificate[0]
        certificate[0].misstateShortestLength(by: 1)
      }
    }
    let fields: [(CaseName, Int)] = [("issuer", 3), ("validity", 4), ("subject", 5), ("key", 6), ("extensions", 7)]
    for (name, index) in fields {
      for (change, difference) in [("longer", 1), ("shorter", -1)] {
        leaf("5.3", .standing(.certificateDER, "leaf-\(name)-one-byte-\(change)-than-its-contents")) {
          $0.editBody = { $0[index].misstateShortestLength(by: difference) }
        }
      }
    }
  }

  /// The signature ends within the header of an element, or before it.
  private mutating func addCutCases() {
    let paths: [(String, any Path)] =
      CaseList.wrappers + [
        ("content-type", \.[0]), ("version", \.signedData[0]), ("digest-algorithm", \.digestAlgorithms[0]),
        ("encapsulated-content-type", \.encapsulated[0]), ("first-certificate", \.certificates[0]),
        ("signer-info", \.signerInfo),
      ]
    let lengths: [(CaseName, [UInt8])] = [("80", [0x80]), ("82-01", [0x82, 1]), ("84-00-00-00", [0x84, 0, 0, 0])]
    for (name, path) in paths {
      if name != "content-info" {
        signature("5.1", .standing(.forgery, "a-signature-cut-before-its-\(name)")) { $0.cut(before: path) { _ in [] } }
      }
      signature("5.1", .standing(.forgery, "a-signature-cut-after-the-tag-of-its-\(name)")) {
        $0.cut(before: path) { $0 }
      }
      for (length, bytes) in lengths {
        signature("5.1", .standing(.forgery, "a-signature-cut-after-the-length-\(length)-of-its-\(name)")) {
          $0.cut(before: path) { $0 + bytes }
        }
      }
    }
    signature("5.1", .standing(.forgery, "a-signature-cut-within-its-digest-algorithm")) {
      $0.cut(before: \.digestAlgorithms[0]) { $0 + [11, 6, 9] }
    }
  }

  /// The last element of the signature is cut, or empty. All wrappers have definite lengths.
  private mutating func addLastElementCases() {
    let headers: [(CaseName, [UInt8])] = [
      ("04", [4]), ("04-80", [4, 0x80]), ("04-81", [4, 0x81]), ("04-81-80", [4, 0x81, 0x80]),
      ("04-82-01", [4, 0x82, 1]), ("04-84-01-00-00-00", [4, 0x84, 1, 0, 0, 0]), ("04-01", [4, 1]), ("03-00", [3, 0]),
      ("06-00", [6, 0]), ("02-00", [2, 0]), ("01-00", [1, 0]), ("30-80", [0x30, 0x80]), ("30-01", [0x30, 1]),
    ]
    for (name, bytes) in headers {
      signature("5.3", .standing(.forgery, "a-signature-whose-last-element-is-\(name)")) { tree in
        for (_, wrapper) in CaseList.wrappers { tree[keyPath: wrapper].length = .shortest }
        tree.signerInfo[5] = .raw(bytes)
      }
    }
  }

  /// Every number of unused bits of a BIT STRING, and arcs of an OID after different bytes.
  private mutating func addBitBoundaryCases() {
    for unused in UInt8(1)...7 {
      let lowest = UInt8(1) << unused
      element("5.5", "bit-string-whose-lowest-of-bits-is-\(unused)", nil, .bitString([lowest], unusedBits: unused))
      for bit in Set([1, lowest >> 1]).sorted() {
        element(
          "5.5", "bit-string-with-\(unused)-unused-bits-and-bit-\(bit)", .malformedSignature,
          .bitString([lowest | bit], unusedBits: unused))
      }
      element("5.5", "bit-string-of-\(unused)-unused-bits-alone", .malformedSignature, .primitive(3, [unused]))
    }
    for unused in [UInt8(8), 9, 16, 0x80, 0xFF] {
      element("5.5", "bit-string-of-\(unused)-unused-bits-alone", .malformedSignature, .primitive(3, [unused]))
      element(
        "5.5", "bit-string-of-zeros-with-\(unused)-unused-bits", .malformedSignature, .primitive(3, [unused, 0, 0]))
    }
    for last in [UInt8(0), 1, 0x2A, 0x40, 0x7F] {
      element(
        "5.5", "oid-with-a-padded-arc-after-the-byte-\(last)", .malformedSignature, inLeaf: last == 1,
        .primitive(6, [last, 0x80, 1]))
      element("5.5", "oid-that-does-not-end-after-the-byte-\(last)", .malformedSignature, .primitive(6, [last, 0x81]))
      element("5.5", "oid-with-an-arc-of-two-bytes-after-the-byte-\(last)", nil, .primitive(6, [last, 0x81, 0x40]))
    }
  }

  /// The limit of 16 counts constructed values. Primitive ones, which may not have an indefinite length, would nest
  /// without a limit if a reader looked for values in them.
  mutating func addPrimitiveNestingCases() {
    let name: CaseName = "\(.renamed(from: "16000", "5500"))-octet-strings-of-indefinite-length-in-each-other"
    reject("5.3", .choice(.holder, name), .malformedSignature) {
      $0.layers.signature = (0..<5_500).flatMap { _ in [0x04, 0x80] as [UInt8] }
    }
  }

  /// At most 16 constructed values nest. A primitive value in the deepest of them does not count.
  private mutating func addDepthCases() {
    let forms: [(CaseName, UInt8, ASN1Node)] = [
      ("sequences-around-a-null", 0x30, .null), ("sets-around-an-octet-string", 0x31, .octetString([1])),
      ("context-values-around-a-primitive-one", 0xA5, .contextPrimitive(5, [])),
      ("private-values-around-a-boolean", 0xE1, .boolean(true)),
    ]
    for (name, tag, core) in forms {
      for (total, isAllowed) in [(16, true), (17, false)] {
        func code(_ code: TokenFault.Code?) -> TokenFault.Code? { isAllowed ? code : .malformedSignature }
        // The constructed values around the value: 8 in an attribute, 9 in a name, 8 in a key's parameters.
        let (shallow, deep) = (core.wrapped(total - 8, in: tag), core.wrapped(total - 9, in: tag))
        attributeValue(
          "5.1", .choice(.apple, "\(total)-values-deep-\(name)-in-an-unknown-attribute"), code(nil), shallow)
        leaf("5.1", .choice(.apple, "\(total)-values-deep-\(name)-in-a-name-of-the-leaf"), code(nil)) {
          $0.subject.children.append(Names.attribute(OID.unknown, deep))
        }
        leaf(
          "5.1", .strict(.apple, "\(total)-values-deep-\(name)-in-the-parameters-of-the-leaf-s-key"),
          code(.untrustedChain)
        ) {
          $0.publicKeyInfo = .sequence([.sequence([OID.unknown, shallow]), .bitString([1])])
        }
        signature("5.1", "\(total)-values-deep-\(name)-in-the-signer-s-issuer", code(.signerMismatch)) {
          $0.signerInfo[1][0].children.append(Names.attribute(OID.unknown, deep))
        }
      }
    }
  }
}

extension ASN1Node {
  /// The value in that many constructed values of a tag, each in the next.
  func wrapped(_ count: Int, in tag: UInt8) -> ASN1Node {
    (0..<count).reduce(self) { node, _ in ASN1Node(identifier: [tag], body: .constructed([node])) }
  }

  /// Writes a wrong length, the contents' plus `difference`, in its shortest form.
  fileprivate mutating func misstateShortestLength(by difference: Int) {
    let count = contents.count + difference
    length = .verbatim(Array(ASN1Node.octetString(zeros(count)).encoded.dropFirst().dropLast(count)))
  }

  /// Parses the certificates, which are verbatim bytes, so that their tags and lengths can be edited.
  fileprivate mutating func readCertificates() {
    certificates.children = certificates.children.map { ASN1Node(ber: $0.encoded) ?? $0 }
  }

  /// Keeps the bytes before an element, and appends those that `rest` makes of its tag.
  fileprivate mutating func cut(
    before path: any WritableKeyPath<ASN1Node, ASN1Node> & Sendable, _ rest: ([UInt8]) -> [UInt8]
  ) {
    readCertificates()
    let tag = self[keyPath: path].identifier
    var marked = self
    marked[keyPath: path].identifier = tag.map { ~$0 }
    let (bytes, other) = (encoded, marked.encoded)
    let start = bytes.indices.first { bytes[$0] != other[$0] } ?? bytes.count
    self = .raw(bytes[..<start] + rest(tag))
  }
}

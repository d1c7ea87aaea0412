import Minting
import TestCases

extension Mutation {
  static let derLength = Mutation(
    "der-length", .signature, \.cms,
    hunts: "lengths that are not minimal, indefinite where forbidden, too large, overflowing"
  ) { tree, _, random in
    for _ in 0..<random.pick([1, 1, 2]) {
      let length = random.pick(ASN1Edits.lengths)
      let high: UInt8 = random.pick([1, 1, 2, 0x80])
      let isOverflow = random.chance(4)
      let paths = WrapperLengths.paths(in: tree)
      let path = random.pick(paths)
      let change = { (node: inout ASN1Node) in
        let count = node.contents.count
        let low = [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        // The right length in the low 16 bits, with bits set above them.
        node.length = isOverflow ? .verbatim(high < 0x80 ? [0x83, high] + low : [0x84, 1, 0] + low) : length
      }
      if random.chance(3) { tree.edit(path: path, change) } else { tree.edit(at: random.below(tree.nodeCount), change) }
    }
    return true
  }

  static let derTag = Mutation(
    "der-tag", .signature, \.cms,
    hunts: "unchecked tags, high tag numbers, primitive instead of constructed, other classes"
  ) { tree, _, random in
    tree.edit(at: random.below(tree.nodeCount)) { ASN1Edits.changeTag(&$0, using: &random) }
    return true
  }

  static let derStructure = Mutation(
    "der-structure", .signature, \.cms, hunts: "values removed, repeated, swapped, moved or added anywhere in the CMS"
  ) { tree, _, random in
    let donor = tree
    for _ in 0..<random.pick([1, 1, 2]) {
      let other = donor.node(at: random.below(donor.nodeCount))
      let position = random.below(tree.nodeCount)
      tree.edit(at: position) { node in
        if node.children.isEmpty { node = other } else { ASN1Edits.changeContents(&node, other, using: &random) }
      }
    }
    return true
  }

  static let derContents = Mutation(
    "der-contents", .signature, \.cms, hunts: "non-canonical contents: INTEGER, OID, BOOLEAN, BIT STRING, NULL, times"
  ) { tree, _, random in
    let replaces = random.chance(2)
    tree.edit(at: random.below(tree.nodeCount)) { node in
      if node.children.isEmpty, !replaces {
        node.contents = ASN1Edits.contents(node.contents, using: &random)
      } else {
        node = random.pick(ASN1Edits.edgeValues)
      }
    }
    return true
  }

  static let derDepth = Mutation(
    "der-depth", .attributes, \.[.attributes],
    hunts: "nesting: sixteen constructed values, and one more; stack overflows"
  ) { node, _, random in
    let depth = random.pick([6, 7, 7, 8, 8, 9, 30, 300])
    let tag: UInt8 = random.pick([0x30, 0x31, 0xA0, 0x60, 0xE5])
    let nested = (1..<depth).reduce(ASN1Node.sequence([])) { node, _ in
      ASN1Node(identifier: [tag], body: .constructed([node]))
    }
    node.children.append(.sequence([OID.unknown, .set([nested])]))
    return true
  }

  static let derCut = Mutation(
    "der-cut", .signature, \.cms,
    hunts: "truncated elements whose enclosing lengths are right: reads past the end"
  ) { tree, _, random in
    tree = ASN1Edits.cut(tree, using: &random)
    return true
  }

  static let derBytes = Mutation(
    "der-bytes", .signature, \.cms, hunts: "bytes of the CMS changed, appended, truncated"
  ) { tree, _, random in
    // So appended bytes may also follow a value of indefinite length.
    if random.chance(3) { WrapperLengths.change(&tree, using: &random) }
    var bytes = tree.encoded
    switch random.below(6) {
    case 0: bytes += random.pick([[0], [0, 0], [0x30, 0x00], [0x05, 0x00]])
    case 1: bytes = Array(bytes.prefix(random.below(bytes.count)))
    default: bytes = ByteEdits.changed(bytes, using: &random)
    }
    tree = .raw(bytes)
    return true
  }

  static let signatureValue = Mutation(
    "signature-value", .signature, \.cms,
    hunts:
      "ECDSA values of 0, n, beyond n or not DER; RSA values beyond the modulus or with other padding; stale values"
  ) { tree, draft, random throws(MintingError) in
    guard let value = tree[.value]?.contents, let attributes = tree[.attributes], let message = tree.signedMessage
    else { return false }
    let changed: [UInt8]
    if draft.version.hasRSASigner {
      changed = try SignatureValues.editedRSA(value, message, draft.sampleSigner.minter.pki.rsaLeafKey, using: &random)
    } else if random.chance(6) {
      // A signature over other bytes: attributes with the implicit tag, the content, attributes without tag, truncated.
      let near = random.pick([
        attributes.encoded, draft.signedContent, attributes.contents, Array(message.dropLast()),
      ])
      changed = try draft.sampleSigner.signer(draft.version).sign(near, .sha256)
    } else {
      changed = SignatureValues.edited(value, using: &random)
    }
    tree[.value]?.contents = changed
    return true
  }

  static let signerInfo = Mutation(
    "signer-info", .signature, \.cms,
    hunts: "several signers, a partly compared signer identifier, algorithms of the other version, unsigned attributes"
  ) { tree, draft, random in
    guard let path = CMSPart.signerInfo.path(in: tree), var info = tree.node(at: path) else {
      return false
    }
    let infos = Array(path.dropLast())
    switch random.below(12) {
    case 0:
      tree.edit(path: infos) { node in
        // A second SignerInfo: the same, or changed.
        var other = info
        if random.chance(2) { ASN1Edits.change(&other, donor: info, using: &random) }
        node.children.insert(other, at: random.below(node.children.count + 1))
      }
      return true
    case 1: info.edit(path: [1, 1]) { $0.contents = ByteEdits.nearly($0.contents, using: &random) }
    case 2: info.edit(path: [1, 1]) { $0.contents = ByteEdits.resized($0.contents, using: &random) }
    case 3: info.edit(path: [1, 0]) { $0 = Mutation.changedName($0, using: &random) }
    case 4:
      // By key identifier instead of issuer and serial: right, nearly right, or resized.
      let identifier = Extensions.keyIdentifier(of: draft.sampleSigner.signer(draft.version).publicKeyInfo)
      let bytes = random.pick([
        identifier, ByteEdits.nearly(identifier, using: &random), ByteEdits.resized(identifier, using: &random),
      ])
      info.edit(path: [0]) { $0 = .integer(random.chance(6) ? 1 : 3) }
      info.edit(path: [1]) { $0 = .contextPrimitive(0, bytes) }
    case 5:
      info.edit(path: [0]) {
        $0 = random.pick([.integer(0), .integer(1), .integer(2), .integer(3), .primitive(2, [0, 1])])
      }
    case 6: info.edit(path: [2]) { $0 = random.pick(digests) }
    case 7: info.edit(path: [4]) { $0 = random.pick(signatures) }
    case 8: info.children.append(.context(1, [.sequence([OID.unknown, .set([.null])])]))
    case 9: info.children.append(random.pick(ASN1Edits.edgeValues))
    case 10: tree.edit(path: CMSPart.signedDataPath) { $0 = changedData($0, using: &random) }
    default:
      guard !info.children.isEmpty else { return false }
      let index = random.below(info.children.count)
      ASN1Edits.change(&info.children[index], donor: tree, using: &random)
    }
    tree.edit(path: path) { $0 = info }
    return true
  }

  private static let digests = [
    Algorithms.sha256, Algorithms.sha256WithNull, .sequence([OID.sha1]), .sequence([OID.sha384]),
    .sequence([OID.sha256, .integer(0)]), .sequence([OID.sha256, .null, .null]), .sequence([]),
    .sequence([OID.sha256, .primitive(5, [0])]),
  ]

  private static let signatures = [
    Algorithms.ecdsaSHA256, Algorithms.ecdsaSHA384, .sequence([OID.ecdsaWithSHA256, .null]), Algorithms.rsa,
    Algorithms.rsaSHA256, .sequence([OID.rsaEncryption]), .sequence([OID.sha256WithRSA]),
    .sequence([OID.sha384WithRSA, .null]), .sequence([OID.rsaPSS]), .sequence([OID.ecPublicKey]),
  ]

  /// Changes one of SignedData's own fields: version, algorithms, content, revocation lists.
  private static func changedData(_ node: ASN1Node, using random: inout QuickGenerator) -> ASN1Node {
    var node = node
    guard node.children.count >= 4 else { return node }
    switch random.below(8) {
    case 0: node[0] = random.pick([.integer(0), .integer(2), .integer(3), .primitive(2, [0, 1]), .integer(4)])
    case 1: node[1] = .set([random.pick(digests)])
    case 2: node[1].children.append(random.pick(digests))
    case 3: node[2].children.append(.context(0, [.octetString(random.pick([[], [1]]))]))
    case 4: node[2].edit(path: [0]) { $0 = random.pick([OID.signedData, OID.unknown]) }
    case 5: node.children.insert(.context(1, random.chance(2) ? [] : [.sequence([])]), at: min(4, node.children.count))
    default: node.children.edit(with: random.pick(ASN1Edits.edgeValues), using: &random)
    }
    return node
  }

  static let wrappers = Mutation(
    "wrappers", .signature, \.cms,
    hunts:
      "wrappers with every valid form of length, which must not matter, and an invalid one"
  ) { tree, _, random in
    WrapperLengths.change(&tree, using: &random)
    if random.chance(6) {
      let length = random.pick(ASN1Edits.lengths)
      tree.edit(path: random.pick(WrapperLengths.paths(in: tree))) { $0.length = length }
    }
    return true
  }
}

/// Edge cases of signature values.
enum SignatureValues {
  /// The order of P-256 (SEC 2, 2.4.2).
  static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
    0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  /// The DER of an ECDSA value in another encoding; the same bytes if it is no such value.
  static func inDER(_ value: [UInt8]) -> [UInt8] {
    guard let parts = ASN1Node(ber: value)?.children.map(\.contents), parts.count >= 2 else { return value }
    return ASN1Node.sequence(parts.prefix(2).map { .unsigned(Array($0.drop { $0 == 0 })) }).encoded
  }

  /// Returns an ECDSA value with one part or its encoding changed.
  static func edited(_ value: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard var node = ASN1Node(ber: value), node.children.count == 2 else {
      return ByteEdits.changed(value, using: &random)
    }
    let index = random.below(2)
    switch random.below(14) {
    case 0, 1: node[index] = edge(using: &random)
    case 2: node[index] = .unsigned(plusOrder(node[index].contents))
    case 3: node[1] = .unsigned(minus(node[1].contents))
    case 4: node[index].contents.insert(0, at: 0)
    case 5: node[index].contents = Array(node[index].contents.drop { $0 == 0 })
    case 6: node.children.append(.integer(1))
    case 7: node.children.swapAt(0, 1)
    case 8: node.length = random.pick(ASN1Edits.lengths)
    case 9: node[index].length = random.pick(ASN1Edits.lengths)
    case 10: return value + [random.pick([0, 1])]
    case 11: return Array(value.dropLast())
    case 12: node[index].contents = ByteEdits.nearly(node[index].contents, using: &random)
    default: ASN1Edits.change(&node, donor: node, using: &random)
    }
    return node.encoded
  }

  /// An INTEGER at an edge of 1…n−1: in DER, without the zero byte that makes it positive, or with an extra zero byte.
  private static func edge(using random: inout QuickGenerator) -> ASN1Node {
    let one = [UInt8](repeating: 0, count: 31) + [1]
    let number = random.pick([
      [0], [1], order, PointEdges.difference(order, one), plusOrder(one), [UInt8](repeating: 0xFF, count: 32),
      [1] + [UInt8](repeating: 0, count: 32), PointEdges.prime, [],
    ])
    switch random.below(4) {
    case 0: return .primitive(2, number)
    case 1: return .primitive(2, [0] + number)
    default: return .unsigned(number)
    }
  }

  /// number + n, in 33 bytes.
  private static func plusOrder(_ number: [UInt8]) -> [UInt8] {
    let negatedOrder = PointEdges.difference(padded([], to: 33), padded(order, to: 33))
    return PointEdges.difference(padded(number, to: 33), negatedOrder)
  }

  /// n − number.
  private static func minus(_ number: [UInt8]) -> [UInt8] { PointEdges.difference(order, padded(number, to: 32)) }

  private static func padded(_ number: [UInt8], to count: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: max(0, count - number.count)) + number.suffix(count)
  }

  /// Returns an RSA value over an encoded message that is nearly right (RFC 8017, 8.2.2).
  static func editedRSA(
    _ value: [UInt8], _ message: [UInt8], _ key: RSAKeyPair, using random: inout QuickGenerator
  ) throws(MintingError) -> [UInt8] {
    let digest = Hashing.sha256(message)
    let info = ASN1Node.sequence([Algorithms.sha256WithNull, .octetString(digest)]).encoded
    let bare = ASN1Node.sequence([Algorithms.sha256, .octetString(digest)]).encoded
    func padded(_ info: [UInt8], type: UInt8 = 1, filler: UInt8 = 0xFF, tail: [UInt8] = []) -> [UInt8] {
      let count = key.modulus.count - info.count - tail.count - 3
      guard count >= 0 else { return [UInt8](repeating: 0, count: key.modulus.count) }
      return [0, type] + [UInt8](repeating: filler, count: count) + [0] + info + tail
    }
    switch random.below(12) {
    case 0: return try key.sign(encoded: padded(bare))
    case 1: return try key.sign(encoded: padded(info, type: random.pick([0, 2])))
    case 2: return try key.sign(encoded: padded(info, filler: 0xFE))
    case 3:
      // Bleichenbacher's forgery: short padding, and bytes after the digest.
      let tail = random.bytes(random.pick([1, 16, key.modulus.count - info.count - 11]))
      return try key.sign(encoded: padded(info, tail: tail))
    case 4: return try key.sign(message, random.pick([.sha1, .sha384, .sha512]))
    case 5: return try key.sign(encoded: padded(ByteEdits.nearly(info, using: &random)))
    case 6: return [0] + value
    case 7: return Array(value.dropFirst())
    case 8: return PointEdges.nearly(key.modulus, using: &random)
    case 9: return [UInt8](repeating: 0, count: value.count)
    case 10: return value + [0]
    default: return ByteEdits.nearly(value, using: &random)
    }
  }
}

extension WrapperLengths {
  /// Gives about half of the wrappers another valid form of length, or all of them the same form.
  static func change(_ tree: inout ASN1Node, using random: inout QuickGenerator) {
    // Some rules fail only if all wrappers have the same form.
    let form: ASN1Node.Length? = random.pick([nil, nil, .indefinite, .long(bytes: 4)])
    for path in paths(in: tree) where form != nil || random.chance(2) {
      let length = form ?? random.pick([.indefinite, .shortest, .long(bytes: 3), .long(bytes: 4)])
      tree.edit(path: path) { $0.length = length }
    }
  }
}

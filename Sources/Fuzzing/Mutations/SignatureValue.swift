import Minting

extension Mutation {
  static let signatureValue = Mutation(
    "signature-value", .signature,
    hunts: "ECDSA values of 0, n, beyond n or not DER; RSA values beyond the modulus or in other paddings; stale values"
  ) { draft, random throws(MintingError) in
    guard var tree = draft.cms, let place = CMSPlaces.value(in: tree), let value = tree.node(at: place)?.contents,
      let path = CMSPlaces.attributes(in: tree), let attributes = tree.node(at: path)
    else { return false }
    let message = ASN1Node(identifier: [0x31], body: attributes.body).encoded
    let changed: [UInt8]
    if draft.version == .rsaV1 {
      changed = try SignatureValues.editedRSA(value, message, draft.workshop.minter.pki.rsaLeafKey, using: &random)
    } else if random.chance(6) {
      // Over something near: the implicit tag, the content, another digest.
      let near = random.pick([
        attributes.encoded, draft.signedContent, attributes.contents, Array(message.dropLast()),
      ])
      changed = try draft.workshop.signer(.ecV1).sign(near, .sha256)
    } else {
      changed = SignatureValues.edited(value, using: &random)
    }
    tree.edit(path: place) { $0.contents = changed }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}

/// Signature values at the edges.
enum SignatureValues {
  /// The order of P-256 (SEC 2, 2.4.2).
  static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
    0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  /// An ECDSA value with one part other, or written otherwise.
  static func edited(_ value: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard var node = ASN1Node(ber: value), node.children.count == 2 else {
      return OctetEdits.changed(value, using: &random)
    }
    let index = random.below(2)
    switch random.below(14) {
    case 0: node[index] = random.pick([.integer(0), .integer(1), .primitive(2, [0xFF]), .primitive(2, [])])
    case 1: node[index] = .unsigned(PointEdges.nearly(order, using: &random))
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
    case 12: node[index].contents = OctetEdits.nearly(node[index].contents, using: &random)
    default: ASN1Edits.change(&node, donor: node, using: &random)
    }
    return node.encoded
  }

  private static func plusOrder(_ number: [UInt8]) -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: 33)
    let padded = [UInt8](repeating: 0, count: max(0, 33 - number.count)) + number.suffix(33)
    let wide = [0] + order
    var carry = 0
    for index in sum.indices.reversed() {
      let digit = Int(padded[index]) + Int(wide[index]) + carry
      sum[index] = UInt8(truncatingIfNeeded: digit)
      carry = digit >> 8
    }
    return sum
  }

  /// n − number.
  private static func minus(_ number: [UInt8]) -> [UInt8] {
    let padded = [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
    var result = order
    var borrow = 0
    for index in result.indices.reversed() {
      let digit = Int(order[index]) - Int(padded[index]) - borrow
      borrow = digit < 0 ? 1 : 0
      result[index] = UInt8(truncatingIfNeeded: digit)
    }
    return result
  }

  /// An RSA value over something nearly right (RFC 8017, 8.2.2).
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
      // Bleichenbacher's forgery: little padding, and octets behind the digest.
      let tail = random.octets(random.pick([1, 16, key.modulus.count - info.count - 11]))
      return try key.sign(encoded: padded(info, tail: tail))
    case 4: return try key.sign(message, random.pick([.sha1, .sha384, .sha512]))
    case 5: return try key.sign(encoded: padded(OctetEdits.nearly(info, using: &random)))
    case 6: return [0] + value
    case 7: return Array(value.dropFirst())
    case 8: return PointEdges.nearly(key.modulus, using: &random)
    case 9: return [UInt8](repeating: 0, count: value.count)
    case 10: return value + [0]
    default: return OctetEdits.nearly(value, using: &random)
    }
  }
}

import Minting

/// Edits of ASN.1 trees that keep most of the structure valid, which random changes of bytes hardly ever do.
package enum ASN1Edits {
  /// Lengths that BER allows, lengths that it forbids, and wrong lengths.
  package static let lengths: [ASN1Node.Length] = [
    .indefinite, .long(bytes: 1), .long(bytes: 2), .long(bytes: 3), .long(bytes: 4), .long(bytes: 5),
    .verbatim([0x00]), .verbatim([0x7F]), .verbatim([0x81, 0x80]), .verbatim([0xFF]), .verbatim([]),
    .verbatim([0x84, 0xFF, 0xFF, 0xFF, 0xFF]), .verbatim([0x84, 0x7F, 0xFF, 0xFF, 0xFF]),
    .verbatim([0x88, 0, 0, 0, 0, 0, 0, 0, 1]), .verbatim([0x80]),
  ]

  private static let identifiers: [UInt8] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x0C, 0x10, 0x11, 0x13, 0x17, 0x18, 0x1E, 0x1F, 0x20,
    0x24, 0x30, 0x31, 0x3F, 0x40, 0x60, 0x80, 0x81, 0x82, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xBF, 0xC0, 0xE0,
  ]

  /// Values at the edges of the rules, valid and invalid.
  package static let edgeValues: [ASN1Node] =
    [
      .null, .primitive(0x05, [0]), .boolean(true), .boolean(false), .primitive(0x01, [1]), .primitive(0x01, []),
      .primitive(0x01, [0xFF, 0xFF]),
      .integer(0), .integer(1), .integer(2), .integer(3), .integer(128), .primitive(0x02, []),
      .primitive(0x02, [0xFF]), .primitive(0x02, [0x80]), .primitive(0x02, [0x00, 0x7F]),
      .primitive(0x02, [0xFF, 0x80]), .primitive(0x02, [0x00, 0x80]), .primitive(0x02, [0xFF, 0x7F]),
      .unsigned([UInt8](repeating: 0x7F, count: 8)), .unsigned([UInt8](repeating: 0xFF, count: 8)),
      .unsigned([UInt8](repeating: 0x55, count: 9)), .unsigned([UInt8](repeating: 0x55, count: 300)),
      .primitive(0x03, []), .primitive(0x03, [0]), .primitive(0x03, [1]), .primitive(0x03, [7, 0x80]),
      .primitive(0x03, [8, 0x00]), .primitive(0x03, [1, 0x01]), .primitive(0x03, [0, 0x00]),
      .primitive(0x03, [2, 0x84]), .primitive(0x03, [7, 0x84, 0x80]), .primitive(0x03, [2, 0x04]),
      .octetString([]), .octetString([5, 0]), .octetString([UInt8](repeating: 0x41, count: 200)),
      .octetString([UInt8](repeating: 0x41, count: 4_000)),
      .primitive(0x06, []), .primitive(0x06, [0x80, 0x01]), .primitive(0x06, [0x2A, 0x80, 0x01]),
      .primitive(0x06, [0x2A, 0x86]), .primitive(0x06, [0x00]),
    ]
    + [
      .primitive(0x07, [0xFF]), .primitive(0x09, [0x03]), .primitive(0x0A, []), .primitive(0x0A, [0, 1]),
      .primitive(0x0C, [0xFF]), .primitive(0x1E, [0x41]), .utf8String(""),
      .sequence([]), .set([]), .context(0, []), .context(1, []), .context(3, []), .contextPrimitive(0, []),
      .contextPrimitive(1, [0]), .primitive(0x40, [0]), .primitive(0xC1, [0xFF]), .raw([0, 0]), .raw([]),
      .raw([0x1F, 0x21, 0x00]), .raw([0x24, 0x00]), .raw([0x23, 0x03, 0x03, 0x01, 0x00]),
      .raw([0x10, 0x00]), .raw([0x11, 0x00]), .raw([0x00]), .raw([0x30]),
    ] + times

  /// Times at the edges of the calendar and of centuries, valid and invalid.
  static let times: [ASN1Node] = [
    .utcTime("500101000000Z"), .utcTime("491231235959Z"), .utcTime("000229000000Z"), .utcTime("010229000000Z"),
    .utcTime("2601010000Z"), .utcTime("260101000060Z"), .utcTime("260101006000Z"), .utcTime("260101240000Z"),
    .utcTime("260101000000+0000"), .utcTime("260001000000Z"), .utcTime("261301000000Z"), .utcTime("260100000000Z"),
    .utcTime("260132000000Z"), .utcTime("260431000000Z"), .utcTime("260229000000Z"), .utcTime("280229000000Z"),
    .utcTime("26010100000 Z"), .utcTime("260101000000"), .utcTime("260101000000z"), .utcTime("26010100000aZ"),
    .generalizedTime("00000101000000Z"), .generalizedTime("00000229000000Z"), .generalizedTime("99991231235959Z"),
    .generalizedTime("19000229000000Z"), .generalizedTime("20000229000000Z"), .generalizedTime("21000229000000Z"),
    .generalizedTime("20260101000000.0Z"), .generalizedTime("20500101000000Z"), .generalizedTime("20490101000000Z"),
  ]

  /// Makes one or two edits anywhere in a tree; replacements come from `donor`.
  package static func change(_ tree: inout ASN1Node, donor: ASN1Node, using random: inout QuickGenerator) {
    for _ in 0..<random.pick([1, 1, 1, 2]) {
      let other = donor.node(at: random.below(donor.nodeCount))
      tree.edit(at: random.below(tree.nodeCount)) { changeNode(&$0, other, using: &random) }
    }
  }

  static func changeNode(_ node: inout ASN1Node, _ other: ASN1Node, using random: inout QuickGenerator) {
    switch random.below(14) {
    case 0: node.length = random.pick(lengths)
    case 1: node = random.pick(edgeValues)
    case 2: node = other
    case 3, 4: changeTag(&node, using: &random)
    case 5:
      node = ASN1Node(identifier: [random.pick([0x30, 0x31, 0xA0, 0xA3, 0x24])], body: .constructed([node]))
    case 6: for _ in 0..<random.pick([1, 2, 5, 6, 7, 8, 9, 10, 11, 12]) { node = .sequence([node]) }
    default: changeContents(&node, other, using: &random)
    }
  }

  static func changeTag(_ node: inout ASN1Node, using random: inout QuickGenerator) {
    let flip: UInt8 = random.pick([0x20, 0x40, 0x80, 0xC0, 0xA0, 0x01])
    node.identifier = random.chance(2) ? [random.pick(identifiers)] : node.identifier.map { $0 ^ flip }
  }

  static func changeContents(_ node: inout ASN1Node, _ other: ASN1Node, using random: inout QuickGenerator) {
    guard case .constructed(var nodes) = node.body, !random.chance(20) else {
      node.contents = contents(node.contents, using: &random)
      return
    }
    nodes.edit(with: random.chance(3) ? other : random.pick(edgeValues), using: &random)
    node.body = .constructed(nodes)
  }

  /// Truncates the tree in the middle of an element; the lengths of the enclosing elements match what is left.
  static func cut(_ node: ASN1Node, using random: inout QuickGenerator) -> ASN1Node {
    guard !node.children.isEmpty, !random.chance(6) else {
      let bytes = node.encoded
      return .raw(Array(bytes.prefix(random.pick([1, 1, 2, 3, random.below(max(1, bytes.count))]))))
    }
    // The last child more often: truncation there exercises the most code of a reader.
    let index = random.chance(2) ? node.children.count - 1 : random.below(node.children.count)
    var kept = node
    kept.body = .constructed(node.children[..<index] + [cut(node.children[index], using: &random)])
    return kept
  }

  static func contents(_ contents: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    switch random.below(8) {
    case 0: return random.chance(2) ? [] : Array(contents.dropLast())
    case 1: return contents + [random.pick([0x00, 0x01, 0x80, 0xFF])]
    case 2: return [random.pick([0x00, 0x01, 0x7F, 0x80, 0xFF])] + contents
    case 3: return Array(contents.dropFirst())
    case 4: return random.pick(edgeValues).contents
    default: return ByteEdits.nearly(contents, using: &random)
    }
  }
}

import Minting

/// Edits of ASN.1 trees that keep most of the structure: what single octets changed at random hardly ever do.
extension ASN1Node {
  /// Reads DER as the minter writes it. The DER inside OCTET STRINGs and BIT STRINGs becomes nodes too.
  init?(der: ArraySlice<UInt8>) {
    guard let (node, rest) = ASN1Node.read(der), rest.isEmpty else { return nil }
    self = node
  }

  private static func read(_ octets: ArraySlice<UInt8>) -> (ASN1Node, ArraySlice<UInt8>)? {
    guard let identifier = octets.first, identifier & 0x1F != 0x1F, let first = octets.dropFirst().first else {
      return nil
    }
    var rest = octets.dropFirst(2)
    var count = Int(first)
    if first >= 0x80 {
      let octetCount = Int(first & 0x7F)
      guard (1...4).contains(octetCount), rest.count >= octetCount else { return nil }
      count = rest.prefix(octetCount).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(octetCount)
    }
    guard rest.count >= count else { return nil }
    let contents = rest.prefix(count)
    return (ASN1Node(identifier: [identifier], body: body(of: identifier, contents)), rest.dropFirst(count))
  }

  private static func body(of identifier: UInt8, _ contents: ArraySlice<UInt8>) -> Body {
    if identifier & 0x20 != 0 || identifier == 0x04, let nodes = list(contents), !nodes.isEmpty {
      return .constructed(nodes)
    }
    if identifier == 0x03, contents.first == 0, let nodes = list(contents.dropFirst()), nodes.count == 1 {
      return .constructed([.raw([0])] + nodes)
    }
    return identifier & 0x20 != 0 && contents.isEmpty ? .constructed([]) : .primitive(Array(contents))
  }

  private static func list(_ octets: ArraySlice<UInt8>) -> [ASN1Node]? {
    var nodes: [ASN1Node] = []
    var rest = octets
    while !rest.isEmpty {
      guard let (node, next) = read(rest) else { return nil }
      nodes.append(node)
      rest = next
    }
    return nodes
  }

  /// This node and all within.
  var nodeCount: Int { children.reduce(1) { $0 + $1.nodeCount } }

  /// Edits the node at a position in depth-first order.
  mutating func edit(at position: Int, _ change: (inout ASN1Node) -> Void) {
    guard position > 0 else { return change(&self) }
    var rest = position - 1
    var nodes = children
    for index in nodes.indices {
      let count = nodes[index].nodeCount
      guard rest >= count else {
        nodes[index].edit(at: rest, change)
        children = nodes
        return
      }
      rest -= count
    }
  }

  /// The node at a position in depth-first order.
  func node(at position: Int) -> ASN1Node {
    guard position > 0 else { return self }
    var rest = position - 1
    for child in children {
      let count = child.nodeCount
      guard rest >= count else { return child.node(at: rest) }
      rest -= count
    }
    return self
  }

  /// Changes one node somewhere within; `donor` is where replacements may come from.
  mutating func mutate(from donor: ASN1Node, using random: inout some RandomNumberGenerator) {
    let other = donor.node(at: Int.random(in: 0..<donor.nodeCount, using: &random))
    let position = Int.random(in: 0..<nodeCount, using: &random)
    var stream = random
    edit(at: position) { $0.change(donating: other, using: &stream) }
    random = stream
  }

  private mutating func change(donating other: ASN1Node, using random: inout some RandomNumberGenerator) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: length = random.pick(Self.lengths)
    case 1: self = random.pick(Self.telling)
    case 2: self = other
    case 3: identifier = [random.pick(Self.identifiers)]
    case 4: identifier = identifier.first.map { [$0 ^ random.pick([0x20, 0x80, 0x40, 0xA0])] } ?? []
    case 5: self = ASN1Node(identifier: [random.pick([0x30, 0x31, 0xA0, 0xA3])], body: .constructed([self]))
    case 6:
      for _ in 0..<Int.random(in: 1...14, using: &random) { self = .sequence([self]) }
    default: changeContents(donating: other, using: &random)
    }
  }

  private mutating func changeContents(donating other: ASN1Node, using random: inout some RandomNumberGenerator) {
    guard case .constructed(var nodes) = body else {
      contents = Self.changed(contents, using: &random)
      return
    }
    let index = nodes.isEmpty ? nil : Int.random(in: nodes.indices, using: &random)
    switch (Int.random(in: 0..<6, using: &random), index) {
    case (0, let index?): nodes.remove(at: index)
    case (1, let index?): nodes.insert(nodes[index], at: index)
    case (2, let index?): nodes.swapAt(index, Int.random(in: nodes.indices, using: &random))
    case (3, _): nodes = []
    case (4, _): nodes.insert(other, at: Int.random(in: 0...nodes.count, using: &random))
    default: nodes.insert(random.pick(Self.telling), at: Int.random(in: 0...nodes.count, using: &random))
    }
    body = .constructed(nodes)
  }

  private static func changed(_ contents: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return []
    case 1: return contents + [random.pick([0x00, 0x01, 0x80, 0xFF])]
    case 2: return [random.pick([0x00, 0x01, 0x7F, 0x80, 0xFF])] + contents
    case 3: return Array(contents.dropFirst())
    case 4: return Array(contents.dropLast())
    case 5: return random.pick(telling).contents
    default:
      guard !contents.isEmpty else { return [random.pick([0x00, 0xFF])] }
      var changed = contents
      changed[Int.random(in: changed.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      return changed
    }
  }

  /// Lengths as BER allows them, as it does not, and untrue ones.
  static let lengths: [Length] = [
    .indefinite, .long(octets: 1), .long(octets: 2), .long(octets: 3), .long(octets: 4), .long(octets: 5),
    .verbatim([0x00]), .verbatim([0x7F]), .verbatim([0x81, 0x80]), .verbatim([0xFF]), .verbatim([]),
    .verbatim([0x84, 0xFF, 0xFF, 0xFF, 0xFF]), .verbatim([0x84, 0x7F, 0xFF, 0xFF, 0xFF]),
  ]

  private static let identifiers: [UInt8] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x0A, 0x0C, 0x10, 0x11, 0x13, 0x17, 0x18, 0x1E, 0x1F, 0x20,
    0x24, 0x30, 0x31, 0x3F, 0x40, 0x60, 0x80, 0x81, 0x82, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xBF, 0xC0, 0xE0,
  ]

  /// Values at the edges of the rules, sound and not.
  static let telling: [ASN1Node] = [
    .null, .primitive(0x05, [0]), .boolean(true), .boolean(false), .primitive(0x01, [1]), .primitive(0x01, []),
    .integer(0), .integer(1), .integer(2), .integer(3), .integer(128), .primitive(0x02, []),
    .primitive(0x02, [0xFF]), .primitive(0x02, [0x80]), .primitive(0x02, [0x00, 0x7F]), .primitive(0x02, [0xFF, 0x80]),
    .unsigned([UInt8](repeating: 0x7F, count: 8)), .unsigned([UInt8](repeating: 0xFF, count: 8)),
    .unsigned([UInt8](repeating: 0x55, count: 9)), .unsigned([UInt8](repeating: 0x55, count: 300)),
    .primitive(0x03, []), .primitive(0x03, [0]), .primitive(0x03, [1]), .primitive(0x03, [7, 0x80]),
    .primitive(0x03, [8, 0x00]), .primitive(0x03, [1, 0x01]), .primitive(0x03, [0, 0x00]), .primitive(0x03, [0, 0x84]),
    .primitive(0x03, [2, 0x84]), .primitive(0x03, [7, 0x84, 0x80]),
    .octetString([]), .octetString([5, 0]), .octetString([UInt8](repeating: 0x41, count: 200)),
    .octetString([UInt8](repeating: 0x41, count: 4_000)),
    .primitive(0x06, []), .primitive(0x06, [0x80, 0x01]), .primitive(0x06, [0x2A, 0x80, 0x01]),
    .primitive(0x06, [0x2A, 0x86]), .primitive(0x06, [0x00]),
    .primitive(0x07, [0xFF]), .primitive(0x09, [0x03]), .primitive(0x0A, []), .primitive(0x0A, [0, 1]),
    .primitive(0x0C, [0xFF]), .primitive(0x1E, [0x41]), .primitive(0x1C, [0x41]), .utf8String(""),
    .sequence([]), .set([]), .context(0, []), .context(1, []), .context(3, []), .contextPrimitive(0, []),
    .contextPrimitive(1, [0]), .primitive(0x40, [0]), .primitive(0xC1, [0xFF]), .raw([0, 0]), .raw([]),
    .raw([0x1F, 0x21, 0x00]), .raw([0x24, 0x00]), .raw([0x23, 0x03, 0x03, 0x01, 0x00]),
    .utcTime("500101000000Z"), .utcTime("491231235959Z"), .utcTime("000229000000Z"), .utcTime("010229000000Z"),
    .utcTime("2601010000Z"), .utcTime("260101000060Z"), .utcTime("260101000000+0000"),
    .generalizedTime("00000101000000Z"),
    .generalizedTime("99991231235959Z"), .generalizedTime("19000229000000Z"), .generalizedTime("20000229240000Z"),
    .generalizedTime("20260101000000.0Z"),
  ]
}

/// A lenient BER reader. Trees encode to the bytes they were read from: lengths keep their form, even if a strict
/// reader rejects it. Independent of the engines' readers.
extension ASN1Node {
  /// Reads one value without trailing bytes; nil if the bytes are too far from BER.
  package init?(ber bytes: [UInt8]) {
    var position = 0
    guard let node = ASN1Node.read(bytes, &position, end: bytes.count, depth: 0), position == bytes.count else {
      return nil
    }
    self = node
  }

  private static let deepest = 40
  /// The identifiers of one byte. All nodes share them.
  private static let identifiers: [[UInt8]] = (0...255).map { [$0] }

  private static func read(_ bytes: [UInt8], _ position: inout Int, end: Int, depth: Int) -> ASN1Node? {
    guard depth < deepest, end - position >= 2 else { return nil }
    let identifier = bytes[position]
    guard identifier & 0x1F != 0x1F else { return nil }
    let first = bytes[position + 1]
    position += 2
    if first == 0x80 {
      return list(bytes, &position, end: end, depth: depth + 1, isIndefinite: true).map {
        ASN1Node(identifier: identifiers[Int(identifier)], length: .indefinite, body: .constructed($0))
      }
    }
    var count = Int(first)
    var length = Length.shortest
    if first > 0x80 {
      let size = Int(first & 0x7F)
      guard size <= 4, end - position >= size else { return nil }
      count = bytes[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
      position += size
      let shortest = count < 128 ? 0 : (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
      if size != shortest { length = .long(bytes: size) }
    }
    guard end - position >= count else { return nil }
    let inside = position..<position + count
    var start = position
    position += count
    guard identifier & 0x20 != 0,
      let children = list(bytes, &start, end: position, depth: depth + 1, isIndefinite: false)
    else {
      return ASN1Node(
        identifier: identifiers[Int(identifier)], length: length, body: .primitive(Array(bytes[inside])))
    }
    return ASN1Node(identifier: identifiers[Int(identifier)], length: length, body: .constructed(children))
  }

  /// The values up to `end`, or up to an end of contents before it.
  private static func list(
    _ bytes: [UInt8], _ position: inout Int, end: Int, depth: Int, isIndefinite: Bool
  ) -> [ASN1Node]? {
    var nodes: [ASN1Node] = []
    nodes.reserveCapacity(4)
    while position < end {
      if isIndefinite, end - position >= 2, bytes[position] == 0, bytes[position + 1] == 0 {
        position += 2
        return nodes
      }
      guard let node = read(bytes, &position, end: end, depth: depth) else { return nil }
      nodes.append(node)
    }
    return isIndefinite ? nil : nodes
  }

  /// Whether it has this identifier byte.
  package func has(_ byte: UInt8) -> Bool { identifier == [byte] }
}

/// A part of a ContentInfo (RFC 5652).
package enum CMSPart: Hashable {
  case signedData
  /// The first SignerInfo.
  case signerInfo
  /// [0] of the certificates.
  case certificates
  /// [0] of the signed attributes.
  case attributes
  /// The signature's OCTET STRING.
  case value
  /// The value of the first attribute of that type.
  case attribute(ASN1Node)

  /// The child indices that lead to SignedData.
  package static let signedDataPath = [1, 0]
  /// The messageDigest attribute's value.
  package static let messageDigest = CMSPart.attribute(OID.messageDigest)

  /// The path of child indices to it; nil if it does not exist.
  package func path(in tree: ASN1Node) -> [Int]? {
    switch self {
    case .signedData: Self.signedDataPath
    case .signerInfo:
      Self.inside(.signedData, of: tree) { $0.last?.has(0x31) == true ? $0.count - 1 : nil }.map { $0 + [0] }
    case .certificates: Self.inside(.signedData, of: tree) { $0.firstIndex { $0.has(0xA0) } }
    case .attributes: Self.inside(.signerInfo, of: tree) { $0.firstIndex { $0.has(0xA0) } }
    case .value: Self.inside(.signerInfo, of: tree) { $0.lastIndex { $0.has(0x04) } }
    case .attribute(let type):
      Self.inside(.attributes, of: tree) { $0.firstIndex { $0.children.first == type } }.map { $0 + [1, 0] }
    }
  }

  /// The path to the child of a part that `index` selects.
  private static func inside(_ part: CMSPart, of tree: ASN1Node, _ index: ([ASN1Node]) -> Int?) -> [Int]? {
    guard let path = part.path(in: tree), let node = tree.node(at: path) else { return nil }
    return index(node.children).map { path + [$0] }
  }
}

extension ASN1Node {
  /// The node at a path of child indices.
  package func node(at path: [Int]) -> ASN1Node? {
    var node = self
    for index in path {
      let children = node.children
      guard children.indices.contains(index) else { return nil }
      node = children[index]
    }
    return node
  }

  /// Edits the node at a path of child indices; does nothing if it does not exist.
  package mutating func edit(path: some Collection<Int>, _ change: (inout ASN1Node) -> Void) {
    guard let first = path.first else { return change(&self) }
    var nodes = children
    guard nodes.indices.contains(first) else { return }
    nodes[first].edit(path: path.dropFirst(), change)
    children = nodes
  }

  /// The signed message: the signed attributes as a SET (RFC 5652, 5.4).
  package var signedMessage: [UInt8]? {
    self[.attributes].map { ASN1Node(identifier: [0x31], body: $0.body).encoded }
  }

  /// A part of this ContentInfo. Nil if it does not exist; setting it has no effect then.
  package subscript(part: CMSPart) -> ASN1Node? {
    get { part.path(in: self).flatMap { node(at: $0) } }
    set {
      guard let newValue, let path = part.path(in: self) else { return }
      edit(path: path) { $0 = newValue }
    }
  }
}

/// The seven values whose length may have any form (Docs/Verification.md 5.2).
package enum WrapperLengths {
  /// The paths of child indices to those that a ContentInfo has, the outermost first.
  package static func paths(in tree: ASN1Node) -> [[Int]] {
    guard let data = tree[.signedData] else { return [[]] }
    let inside = data.children.indices.filter {
      $0 > 0 && (data[$0].has(0x30) || data[$0].has(0x31) || data[$0].has(0xA0))
    }
    return [[], [1], CMSPart.signedDataPath] + inside.map { CMSPart.signedDataPath + [$0] }
  }
}

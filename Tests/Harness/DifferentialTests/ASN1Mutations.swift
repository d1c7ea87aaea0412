import Fuzzing
import Minting

/// The fuzzer's edits of ASN.1 trees for the hunts, which look into certificates too.
extension ASN1Node {
  /// Reads DER. The DER inside OCTET STRINGs and BIT STRINGs becomes nodes too.
  init?(der: [UInt8]) {
    guard let node = ASN1Node(ber: der) else { return nil }
    self = node.opened
  }

  private var opened: ASN1Node {
    var node = self
    switch body {
    case .constructed(let nodes): node.children = nodes.map(\.opened)
    case .primitive(let contents) where identifier == [0x04]:
      let nodes = ASN1Node(ber: ASN1Node.primitive(0x30, contents).encoded)?.children ?? []
      if !nodes.isEmpty { node.children = nodes.map(\.opened) }
    case .primitive(let contents) where identifier == [0x03] && contents.first == 0:
      if let inner = ASN1Node(der: Array(contents.dropFirst())) { node.children = [.raw([0]), inner] }
    case .primitive: break
    }
    return node
  }

  /// Changes one node or two anywhere in the tree. Replacements may come from `donor`.
  mutating func mutate(from donor: ASN1Node, using random: inout QuickGenerator) {
    let position = Int.random(in: 0..<nodeCount, using: &random)
    switch Int.random(in: 0..<32, using: &random) {
    case 0:
      let value = random.pick(Self.further)
      edit(at: position) { $0 = value }
    case 1, 2, 3: edit(at: position) { $0.contents = ByteEdits.changed($0.contents, using: &random) }
    case 4, 5, 6:
      // Flips any bit. The fuzzer's edits flip only bits that are likely to matter.
      let (place, bit) = (Int.random(in: 0..<4_096, using: &random), UInt8.random(in: 0..<8, using: &random))
      edit(at: position) { node in
        guard case .primitive(var contents) = node.body, !contents.isEmpty else { return }
        contents[place % contents.count] ^= 1 << bit
        node.contents = contents
      }
    case 7, 8:
      // Nests the node as deep as the limit allows, and deeper.
      let depth = Int.random(in: 1...14, using: &random)
      edit(at: position) { node in for _ in 0..<depth { node = .sequence([node]) } }
    default: ASN1Edits.change(&self, donor: donor, using: &random)
    }
  }

  /// Values at the edges of the rules, valid and invalid.
  static let edgeValues = ASN1Edits.edgeValues + further

  /// Values that are not in the fuzzer's list, whose order determines what a seed picks.
  private static let further: [ASN1Node] = [
    .primitive(0x03, [0, 0x84]), .primitive(0x1C, [0x41]), .generalizedTime("20000229240000Z"),
  ]
}

import Minting

extension Mutation {
  static let derDepth = Mutation(
    "der-depth", .attributes,
    hunts: "nesting: sixteen constructed values within one another, and one more; stacks that overflow"
  ) { draft, random in
    guard var tree = draft.cms, let path = CMSPlaces.attributes(in: tree) else { return false }
    let depth = random.pick([6, 7, 7, 8, 8, 9, 30, 300])
    let tag: UInt8 = random.pick([0x30, 0x31, 0xA0, 0x60, 0xE5])
    let nested = (1..<depth).reduce(ASN1Node.sequence([])) { node, _ in
      ASN1Node(identifier: [tag], body: .constructed([node]))
    }
    tree.edit(path: path) { $0.children.append(.sequence([OID.unknown, .set([nested])])) }
    draft.cms = tree
    draft.touch(.attributes)
    return true
  }
}

import Minting

extension Mutation {
  static let attributes = Mutation(
    "attributes", .attributes,
    hunts: "signed attributes lost, doubled, reordered, unknown, of many values; signed anew or not"
  ) { draft, random in
    guard var tree = draft.cms, let path = CMSPlaces.attributes(in: tree), var node = tree.node(at: path) else {
      return false
    }
    for _ in 0..<random.pick([1, 1, 2]) { change(&node, using: &random) }
    tree.edit(path: path) { $0 = node }
    draft.cms = tree
    if random.chance(6) { draft.isLeftStale = true }
    draft.touch(.attributes)
    return true
  }

  private static func change(_ node: inout ASN1Node, using random: inout QuickGenerator) {
    var list = node.children
    let index = list.isEmpty ? 0 : random.below(list.count)
    switch random.below(list.isEmpty ? 1 : 8) {
    case 0: list.insert(someAttribute(using: &random), at: random.below(list.count + 1))
    case 1: list.remove(at: index)
    case 2: list.append(list[index])
    case 3: list.shuffle(using: &random)
    case 4: list[index].edit(path: [1]) { $0.children.append($0.children.first ?? .null) }
    case 5: list[index].edit(path: [1]) { $0.children = [] }
    case 6: list[index].children.append(random.pick(ASN1Edits.telling))
    default: ASN1Edits.change(&list[index], donor: node, using: &random)
    }
    node.children = list
  }

  private static func someAttribute(using random: inout QuickGenerator) -> ASN1Node {
    let types: [ASN1Node] = [
      OID.unknown, OID.unknown, OID.contentType, OID.messageDigest, OID.signingTime, OID.algorithmProtection,
      .oid([1, 2, 840, 113549, 1, 9, 6]), .oid([1, 2, 840, 113549, 1, 9, 15]),
      .oid([1, 2, 840, 113549, 1, 9, 16, 2, 47]),
    ]
    let values = (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ -> ASN1Node in
      // The value of an attribute stands at depth 9, of 16 allowed.
      let depth = random.chance(3) ? random.pick([6, 7, 7, 8, 8, 9]) : 0
      return (0..<depth).reduce(random.pick(ASN1Edits.telling)) { node, _ in .sequence([node]) }
    }
    return .sequence([random.pick(types), .set(values)])
  }
}

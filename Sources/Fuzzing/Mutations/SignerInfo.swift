import Minting

extension Mutation {
  static let signerInfo = Mutation(
    "signer-info", .signature,
    hunts: "several signers, the signer's name compared in part, algorithms of the other version, unsigned attributes"
  ) { draft, random in
    guard var tree = draft.cms, let path = CMSPlaces.signerInfo(in: tree), var info = tree.node(at: path) else {
      return false
    }
    let infos = Array(path.dropLast())
    switch random.below(12) {
    case 0:
      tree.edit(path: infos) { node in
        // A second one: the same, or of an attacker's making.
        var other = info
        if random.chance(2) { ASN1Edits.change(&other, donor: info, using: &random) }
        node.children.insert(other, at: random.below(node.children.count + 1))
      }
      draft.cms = tree
      draft.touch(.signature)
      return true
    case 1: info.edit(path: [1, 1]) { $0.contents = OctetEdits.nearly($0.contents, using: &random) }
    case 2: info.edit(path: [1, 1]) { $0.contents = OctetEdits.resized($0.contents, using: &random) }
    case 3: info.edit(path: [1, 0]) { $0 = Mutation.changedName($0, using: &random) }
    case 4:
      // By the key's identifier instead of the name: right, nearly right, or cut.
      let identifier = Extensions.keyIdentifier(of: draft.workshop.signer(draft.version).publicKeyInfo)
      let octets = random.pick([
        identifier, OctetEdits.nearly(identifier, using: &random), OctetEdits.resized(identifier, using: &random),
      ])
      info.edit(path: [0]) { $0 = .integer(random.chance(6) ? 1 : 3) }
      info.edit(path: [1]) { $0 = .contextPrimitive(0, octets) }
    case 5:
      info.edit(path: [0]) {
        $0 = random.pick([.integer(0), .integer(1), .integer(2), .integer(3), .primitive(2, [0, 1])])
      }
    case 6: info.edit(path: [2]) { $0 = random.pick(digests) }
    case 7: info.edit(path: [4]) { $0 = random.pick(signatures) }
    case 8: info.children.append(.context(1, [.sequence([OID.unknown, .set([.null])])]))
    case 9: info.children.append(random.pick(ASN1Edits.telling))
    case 10: tree.edit(path: CMSPlaces.signedData) { $0 = changedData($0, using: &random) }
    default:
      guard !info.children.isEmpty else { return false }
      let index = random.below(info.children.count)
      ASN1Edits.change(&info.children[index], donor: tree, using: &random)
    }
    tree.edit(path: path) { $0 = info }
    draft.cms = tree
    draft.touch(.signature)
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

  /// SignedData's own fields: version, algorithms, content, revocation lists.
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
    case 6: node.children.append(random.pick(ASN1Edits.telling))
    default: node.children.swapAt(random.below(node.children.count), random.below(node.children.count))
    }
    return node
  }
}

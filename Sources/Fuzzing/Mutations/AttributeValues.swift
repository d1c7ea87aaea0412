import Minting

extension Mutation {
  static let attributeValues = Mutation(
    "attribute-values", .attributes,
    hunts:
      "message digests compared in part, content types, algorithm protection that protects something else; signed anew"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    let isRSA = draft.version == .rsaV1
    switch random.below(4) {
    case 0, 1:
      guard let place = CMSPlaces.attributeValue(OID.messageDigest, in: tree) else { return false }
      tree.edit(path: place) { node in
        switch random.below(4) {
        case 0: node.contents = OctetEdits.resized(node.contents, using: &random)
        case 1: node.contents = [UInt8](repeating: 0, count: 32)
        default: node.contents = OctetEdits.nearly(node.contents, using: &random)
        }
      }
    case 2:
      guard let place = CMSPlaces.attributeValue(OID.contentType, in: tree) else { return false }
      tree.edit(path: place) {
        $0 = random.pick([OID.signedData, OID.unknown, .oid([1, 2, 840, 113549, 1, 7]), .null, .utf8String("data")])
      }
    default:
      let signatures = [
        Algorithms.ecdsaSHA256, .sequence([OID.ecdsaWithSHA256, .null]), .sequence([OID.ecdsaWithSHA384]),
        Algorithms.rsaSHA256, Algorithms.rsa, .sequence([OID.sha256WithRSA]), .sequence([OID.rsaEncryption]),
        .sequence([]), .sequence([OID.ecdsaWithSHA1]),
      ]
      let algorithm =
        random.chance(2) ? (isRSA ? Algorithms.rsaSHA256 : Algorithms.ecdsaSHA256) : random.pick(signatures)
      var parts = [
        random.pick([
          Algorithms.sha256, Algorithms.sha256WithNull, .sequence([OID.sha384]), .sequence([OID.sha256, .integer(0)]),
        ]),
        .context(random.pick([1, 1, 1, 0, 2]), algorithm.children),
      ]
      if random.chance(4) {
        parts.append(random.pick([.context(2, algorithm.children), .context(1, algorithm.children), .null]))
      }
      if random.chance(10) { parts.reverse() }
      let attribute = ASN1Node.sequence([OID.algorithmProtection, .set([.sequence(parts)])])
      guard let path = CMSPlaces.attributes(in: tree) else { return false }
      tree.edit(path: path) { node in
        node.children.removeAll { $0.children.first == OID.algorithmProtection }
        node.children.insert(attribute, at: random.below(node.children.count + 1))
      }
    }
    draft.cms = tree
    draft.touch(.attributes)
    return true
  }
}

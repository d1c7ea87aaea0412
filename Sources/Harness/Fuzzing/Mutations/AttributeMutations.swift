import Minting
import PaymentToken

extension Mutation {
  static let attributes = Mutation(
    "attributes", .attributes, \.[.attributes],
    hunts: "signed attributes removed, repeated, reordered, unknown, with several values; signed again or not"
  ) { node, draft, random in
    for _ in 0..<random.pick([1, 1, 2]) { change(&node, using: &random) }
    if random.chance(6) { draft.isLeftStale = true }
    return true
  }

  private static func change(_ node: inout ASN1Node, using random: inout QuickGenerator) {
    var list = node.children
    let index = list.isEmpty ? 0 : random.below(list.count)
    switch random.below(list.isEmpty ? 1 : 8) {
    case 0, 1, 2, 3: list.edit(with: someAttribute(using: &random), using: &random)
    case 4: list[index].edit(path: [1]) { $0.children.append($0.children.first ?? .null) }
    case 5: list[index].edit(path: [1]) { $0.children = [] }
    case 6: list[index].children.append(random.pick(ASN1Edits.edgeValues))
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
      // An attribute's value is at depth 9 of the 16 allowed.
      let depth = random.chance(3) ? random.pick([6, 7, 7, 8, 8, 9]) : 0
      return (0..<depth).reduce(random.pick(ASN1Edits.edgeValues)) { node, _ in .sequence([node]) }
    }
    return .sequence([random.pick(types), .set(values)])
  }

  static let attributeValues = Mutation(
    "attribute-values", .attributes, \.cms,
    hunts:
      "partly compared message digests, content types, algorithm protection of other algorithms; signed again"
  ) { tree, draft, random in
    let isRSA = draft.version.hasRSASigner
    switch random.below(4) {
    case 0, 1:
      guard let digest = tree[.messageDigest]?.contents else { return false }
      tree[.messageDigest]?.contents =
        switch random.below(4) {
        case 0: ByteEdits.resized(digest, using: &random)
        case 1: [UInt8](repeating: 0, count: 32)
        default: ByteEdits.nearly(digest, using: &random)
        }
    case 2:
      guard tree[.attribute(OID.contentType)] != nil else { return false }
      tree[.attribute(OID.contentType)] = random.pick([
        OID.signedData, OID.unknown, .oid([1, 2, 840, 113549, 1, 7]), .null, .utf8String("data"),
      ])
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
      guard var list = tree[.attributes]?.children else { return false }
      list.removeAll { $0.children.first == OID.algorithmProtection }
      list.insert(attribute, at: random.below(list.count + 1))
      tree[.attributes]?.children = list
    }
    return true
  }

  static let signingTime = Mutation(
    "signing-time", .attributes, \.[.attribute(OID.signingTime)],
    hunts: "signing times: calendar, centuries, both types, the edges of the window; signed again"
  ) { value, draft, random in
    let time = draft.context.now.advanced(
      by: random.pick([-301, -300, -299, 299, 300, 301, 0, -1, 1, -86_400, 86_400, -3_600]))
    value = CalendarEdges.node(near: time, using: &random)
    return true
  }

  static let signer = Mutation(
    "signer", .attributes,
    hunts:
      "signatures by a key other than the leaf's: an attacker's, the intermediate's, the merchant's, the device's"
  ) { draft, random throws(MintingError) in
    let minter = draft.sampleSigner.minter
    let keys: [SigningKey] =
      draft.version.hasRSASigner
      ? [.rsa(minter.foreign.rsaLeafKey), .rsa(minter.rsaMerchants[0].keys[0].pair)]
      : [
        .ec(minter.foreign.leafKey), minter.pki.intermediateKey, .ec(minter.merchants[0].keys[0].pair),
        .ec(try draft.freshPair(using: &random)), minter.foreign.intermediateKey,
      ]
    draft.otherSigner = random.pick(keys)
    return true
  }
}

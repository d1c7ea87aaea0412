import Minting

extension Mutation {
  static let leafKey = Mutation(
    "leaf-key", .certificates,
    hunts:
      "leaves of other kinds and sizes of key, that sign by it: P-384, RSA too short, versions crossed, keys known from another leaf"
  ) { draft, random throws(MintingError) in
    let authorities = draft.workshop.authorities
    let minter = draft.workshop.minter
    let keys: [SigningKey] = [
      .ec(authorities.spareLeaf), .ec(authorities.spareLeaf), .rsa(authorities.shortRSA), .ec(authorities.p384),
      .ec(minter.pki.leafKey), .rsa(minter.pki.rsaLeafKey), minter.pki.intermediateKey,
    ]
    let key = random.pick(keys)
    let info = oddity(of: key.publicKeyInfo, using: &random)
    let changed = try CertificateEdits.edit(.leaf, of: &draft, using: &random) { leaf in
      leaf.edit(path: CertificateEdits.key) { $0 = ASN1Node(ber: info.encoded) ?? info }
    }
    guard changed else { return false }
    draft.otherSigner = key
    // What a certified key signs, and a leaf may be of, is soundly signed.
    draft.isOtherSignerCertified = Draft.leafSigners(of: draft.workshop, draft.version).contains(key)
    draft.touch(.attributes)
    return true
  }

  /// The key's info, now and then at an edge of its rules.
  private static func oddity(of info: ASN1Node, using random: inout QuickGenerator) -> ASN1Node {
    guard random.chance(2) else { return info }
    var octets = info.encoded
    switch random.below(7) {
    // An even modulus, another exponent, a point off the curve, y beyond p.
    case 0: if octets.count > 10 { octets[octets.count - 6] ^= 1 }
    case 1: octets[octets.count - 1] = octets[octets.count - 1] &+ random.pick([1, 2, 0xFE])
    case 2: octets[octets.count - 1 - random.below(40)] ^= 1
    // The other point of that x: not the key that signs.
    case 6 where octets.count == 91: octets.replaceSubrange(59..., with: PointEdges.negated(Array(octets[59...])))
    case 3:
      return .sequence([info.children[0], .bitString(Array(info.children[1].contents.dropFirst()), unusedBits: 1)])
    case 4: return .sequence([.sequence([info.children[0].children[0]]), info.children[1]])
    default: return .sequence([info.children[0], info.children[1], .null])
    }
    return .raw(octets)
  }
}

import Minting

extension Mutation {
  static let otherRoot = Mutation(
    "other-root", .certificates,
    hunts:
      "roots of one name, roots that may not issue, RSA roots too short by a bit: the wrong one tried, or the first alone"
  ) { draft, random throws(MintingError) in
    let root = random.pick(draft.workshop.authorities.roots)
    let certificate = ASN1Node(ber: root.certificate)
    let changed = try CertificateEdits.edit(.intermediate, of: &draft, using: &random, signing: false) { intermediate in
      intermediate.edit(path: CertificateEdits.issuer) { $0 = root.subject }
      intermediate.edit(path: [0, 2]) { $0 = root.algorithm }
      intermediate.edit(path: [1]) { $0 = root.algorithm }
      guard let value = try? root.key.sign(intermediate[0].encoded, root.digest) else { return }
      intermediate[2] = .bitString(value)
    }
    guard changed, random.chance(3), var tree = draft.cms, let path = CMSPlaces.certificates(in: tree), let certificate
    else { return changed }
    // The root may travel along.
    tree.edit(path: path) { $0.children.insert(certificate, at: random.below($0.children.count + 1)) }
    draft.cms = tree
    return true
  }
}

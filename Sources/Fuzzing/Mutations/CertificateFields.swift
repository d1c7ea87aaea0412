import Minting

extension Mutation {
  static let certificateFields = Mutation(
    "certificate-fields", .certificates,
    hunts: "certificates signed anew: version, serial, names, algorithms, keys, fields lost or added"
  ) { draft, random throws(MintingError) in
    var stream = random
    defer { random = stream }
    let part: CertificateEdits.Part = random.chance(2) ? .leaf : .intermediate
    let minter = draft.workshop.minter
    return try CertificateEdits.edit(part, of: &draft, using: &random, signing: !random.chance(8)) { certificate in
      switch stream.below(14) {
      case 0: ASN1Edits.change(&certificate, donor: certificate, using: &stream)
      case 1: certificate.edit(path: CertificateEdits.serial) { $0 = stream.pick(ASN1Edits.telling) }
      case 2, 3:
        let place = stream.pick([CertificateEdits.issuer, CertificateEdits.subject])
        certificate.edit(path: place) { $0 = changedName($0, using: &stream) }
      case 4:
        let keys = [
          minter.foreign.leafKey.publicKeyInfo, minter.pki.rootKey.publicKeyInfo, minter.pki.rsaLeafKey.publicKeyInfo,
          minter.pki.leafKey.publicKeyInfo, minter.pki.intermediateKey.publicKeyInfo,
        ]
        certificate.edit(path: CertificateEdits.key) { $0 = stream.pick(keys) }
      case 5: certificate.edit(path: CertificateEdits.key) { ASN1Edits.change(&$0, donor: $0, using: &stream) }
      case 6:
        let algorithm = stream.pick([
          Algorithms.ecdsaSHA256, Algorithms.ecdsaSHA384, Algorithms.rsaSHA256,
          .sequence([OID.ecdsaWithSHA256, .null]), .sequence([OID.ecdsaWithSHA1]), .sequence([OID.ecdsaWithSHA512]),
          .sequence([]),
        ])
        let places = stream.pick([[[1]], [[0, 2]], [[1], [0, 2]], [[1], [0, 2]]])
        for place in places { certificate.edit(path: place) { $0 = algorithm } }
      case 7:
        certificate.edit(path: [0, 0]) {
          $0 = stream.pick([
            .context(0, [.integer(1)]), .context(0, []), .context(0, [.integer(2), .null]), .integer(2),
          ])
        }
      case 8:
        certificate.edit(path: [0]) {
          $0.children.insert(
            stream.pick([.contextPrimitive(1, [0, 1]), .contextPrimitive(2, [0, 1]), .null]),
            at: min(7, $0.children.count))
        }
      case 9: certificate.edit(path: [0]) { $0.children.append(stream.pick(ASN1Edits.telling)) }
      case 10: certificate.children.append(stream.pick(ASN1Edits.telling))
      case 11:
        certificate.edit(path: [0]) {
          if !$0.children.isEmpty { $0.children.remove(at: stream.below($0.children.count)) }
        }
      case 12: certificate.edit(path: CertificateEdits.subject) { $0 = .sequence([]) }
      default:
        // The attacker's names.
        certificate.edit(path: CertificateEdits.issuer) { $0 = minter.foreign.leafRecipe.issuer }
      }
    }
  }

  /// The name with one octet other, a part lost, a part twice, or in another type of string.
  static func changedName(_ name: ASN1Node, using random: inout QuickGenerator) -> ASN1Node {
    var name = name
    guard !name.children.isEmpty else { return name }
    let index = random.below(name.children.count)
    switch random.below(6) {
    case 0: name.children.remove(at: index)
    case 1: name.children.append(name.children[index])
    case 2: name.children.swapAt(0, index)
    case 3: name.edit(path: [index, 0, 1]) { $0.identifier = [random.pick([0x0C, 0x13, 0x14, 0x1E])] }
    case 4:
      name.edit(path: [index, 0, 1]) { $0.contents = $0.contents.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
    default: name.edit(path: [index, 0, 1]) { $0.contents = OctetEdits.nearly($0.contents, using: &random) }
    }
    return name
  }
}

import Minting
import PaymentToken
import TestCases

extension Mutation {
  static let certificateBag = Mutation(
    "certificate-bag", .certificates, \.[.certificates],
    hunts: "certificates added, removed, repeated, reordered, of an attacker, of another token"
  ) { bag, draft, random throws(MintingError) in
    let minter = draft.sampleSigner.minter
    var list = bag.children
    func node(_ der: [UInt8]) -> ASN1Node { ASN1Node(ber: der) ?? .raw(der) }
    let others = [
      minter.pki.root, minter.pki.leaf, minter.pki.rsaLeaf, minter.pki.intermediate, minter.foreign.leaf,
      minter.foreign.rsaLeaf, minter.foreign.intermediate, minter.foreign.root, minter.merchants[0].keys[0].certificate,
    ].map(node)
    switch random.below(10) {
    case 0: list.insert(others[0], at: random.below(list.count + 1))
    case 1: list = [others[4], others[6]] + (random.chance(2) ? [others[7]] : [])
    case 2: list = []
    case 3: list.append(random.pick(ASN1Edits.edgeValues))
    case 4: list = Array((list + list).prefix(random.pick([3, 4, 4, 6])))
    default: list.edit(with: random.pick(others), using: &random)
    }
    bag.children = list
    // The attacker signs with their own key.
    if random.chance(3) {
      draft.otherSigner =
        draft.version.hasRSASigner ? .rsa(minter.foreign.rsaLeafKey) : .ec(minter.foreign.leafKey)
      draft.touch(.attributes)
    }
    return true
  }

  static let certificateFields = Mutation(
    "certificate-fields", .certificates,
    hunts: "certificates signed again: version, serial, names, algorithms, keys, fields removed or added"
  ) { draft, random throws(MintingError) in
    let minter = draft.sampleSigner.minter
    let part = CertificateEdits.Part.leafOrIntermediate(using: &random)
    let isSigned = !random.chance(8)
    return try CertificateEdits.edit(part, of: &draft, using: &random, signing: isSigned) { certificate, random in
      switch random.below(14) {
      case 0: ASN1Edits.change(&certificate, donor: certificate, using: &random)
      case 1: certificate.edit(path: CertificateEdits.serial) { $0 = random.pick(ASN1Edits.edgeValues) }
      case 2, 3:
        let place = random.pick([CertificateEdits.issuer, CertificateEdits.subject])
        certificate.edit(path: place) { $0 = changedName($0, using: &random) }
      case 4:
        let keys = [
          minter.foreign.leafKey.publicKeyInfo, minter.pki.rootKey.publicKeyInfo, minter.pki.rsaLeafKey.publicKeyInfo,
          minter.pki.leafKey.publicKeyInfo, minter.pki.intermediateKey.publicKeyInfo,
        ]
        certificate.edit(path: CertificateEdits.key) { $0 = random.pick(keys) }
      case 5: certificate.edit(path: CertificateEdits.key) { ASN1Edits.change(&$0, donor: $0, using: &random) }
      case 6:
        let algorithm = random.pick([
          Algorithms.ecdsaSHA256, Algorithms.ecdsaSHA384, Algorithms.rsaSHA256,
          .sequence([OID.ecdsaWithSHA256, .null]), .sequence([OID.ecdsaWithSHA1]), .sequence([OID.ecdsaWithSHA512]),
          .sequence([]),
        ])
        let places = random.pick([[[1]], [[0, 2]], [[1], [0, 2]], [[1], [0, 2]]])
        for place in places { certificate.edit(path: place) { $0 = algorithm } }
      case 7:
        certificate.edit(path: [0, 0]) {
          $0 = random.pick([
            .context(0, [.integer(1)]), .context(0, []), .context(0, [.integer(2), .null]), .integer(2),
          ])
        }
      case 8:
        certificate.edit(path: [0]) {
          $0.children.insert(
            random.pick([.contextPrimitive(1, [0, 1]), .contextPrimitive(2, [0, 1]), .null]),
            at: min(7, $0.children.count))
        }
      case 9, 11:
        certificate.edit(path: [0]) { $0.children.edit(with: random.pick(ASN1Edits.edgeValues), using: &random) }
      case 10: certificate.children.append(random.pick(ASN1Edits.edgeValues))
      case 12: certificate.edit(path: CertificateEdits.subject) { $0 = .sequence([]) }
      default:
        // The attacker's names.
        certificate.edit(path: CertificateEdits.issuer) { $0 = minter.foreign.leafRecipe.issuer }
      }
    }
  }

  /// Returns the name with one byte changed, in lower case, with another string type, or with a part removed, repeated
  /// or moved.
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
    default: name.edit(path: [index, 0, 1]) { $0.contents = ByteEdits.nearly($0.contents, using: &random) }
    }
    return name
  }

  static let certificateExtensions = Mutation(
    "certificate-extensions", .certificates,
    hunts: "markers, authority, path length, key usage, criticality, unknown and repeated extensions; signed again"
  ) { draft, random throws(MintingError) in
    let part = CertificateEdits.Part.leafOrIntermediate(using: &random)
    return try CertificateEdits.edit(part, of: &draft, using: &random) { certificate, random in
      if random.chance(16) {
        certificate.edit(path: [0]) { if $0.children.count > 7 { $0.children.removeLast() } }
        return
      }
      if random.chance(10) {
        return fill(&certificate, to: random.near(RuleLimits.certificate) + random.pick([0, 0, 2, 4]), using: &random)
      }
      certificate.edit(path: CertificateEdits.extensions) { change(&$0, using: &random) }
    }
  }

  /// Pads the certificate to a size with an unknown extension.
  private static func fill(_ certificate: inout ASN1Node, to size: Int, using random: inout QuickGenerator) {
    // The lengths of the enclosing values grow too, and the extension has its own tags and lengths.
    let missing = size - certificate.encoded.count - 16
    guard missing > 300 else { return }
    for count in missing - 4...missing + 12 {
      var filled = certificate
      filled.edit(path: CertificateEdits.extensions) {
        $0.children.append(.sequence([OID.unknown, .octetString([UInt8](repeating: 0x41, count: count))]))
      }
      guard filled.encoded.count >= size else { continue }
      certificate = filled
      return
    }
  }

  private static func change(_ list: inout ASN1Node, using random: inout QuickGenerator) {
    guard !list.children.isEmpty else { return }
    let index = random.below(list.children.count)
    switch random.below(9) {
    case 0, 1, 3: list.children.edit(with: unknown(using: &random), using: &random)
    case 2: toggleCritical(&list.children[index], using: &random)
    case 4:
      list.edit(at: random.below(list.nodeCount)) { ASN1Edits.changeNode(&$0, .null, using: &random) }
    case 5:
      var extensions = list.children
      let last = extensions[index].children.indices.last ?? 0
      extensions[index].edit(path: [last]) { $0.contents = random.pick(values) }
      list.children = extensions
    default: replace(in: &list, using: &random)
    }
  }

  private static func toggleCritical(_ entry: inout ASN1Node, using random: inout QuickGenerator) {
    if entry.children.count > 2 {
      switch random.below(3) {
      case 0: entry.children.remove(at: 1)
      default: entry.children[1] = random.pick([.boolean(false), .boolean(true), .primitive(1, [1])])
      }
    } else {
      entry.children.insert(.boolean(!random.chance(4)), at: min(1, entry.children.count))
    }
  }

  private static func unknown(using random: inout QuickGenerator) -> ASN1Node {
    let oids = [
      OID.unknown, OID.leafMarker, OID.intermediateMarker, OID.merchantIdentifierHash, OID.extendedKeyUsage,
      OID.nameConstraints, OID.subjectKeyIdentifier, OID.keyUsage, OID.basicConstraints, OID.certificatePolicies,
    ]
    return Extensions.make(
      random.pick(oids), critical: random.pick([nil, true, false]), random.pick(ASN1Edits.edgeValues))
  }

  /// Replaces an extension that the engines read, or adds it.
  private static func replace(in list: inout ASN1Node, using random: inout QuickGenerator) {
    let replacement = random.pick([
      Extensions.basicConstraints(authority: true), Extensions.basicConstraints(authority: false),
      Extensions.basicConstraints(authority: true, pathLength: 0),
      Extensions.basicConstraints(authority: true, pathLength: 1),
      Extensions.basicConstraints(authority: false, pathLength: 0),
      Extensions.make(OID.basicConstraints, critical: true, .sequence([.boolean(false)])),
      Extensions.make(OID.basicConstraints, critical: true, .sequence([.boolean(true), .primitive(2, [0xFF])])),
      Extensions.make(OID.basicConstraints, critical: true, .sequence([.boolean(true), .integer(0), .null])),
      Extensions.keyUsage(0x80), Extensions.keyUsage(0x06), Extensions.keyUsage(0x04), Extensions.keyUsage(0x02),
      Extensions.keyUsage(0x40), Extensions.keyUsage(0x7F), Extensions.keyUsage(0xFB), Extensions.keyUsage(0x01),
      Extensions.make(OID.keyUsage, critical: true, .primitive(3, [7, 0x00, 0x80])),
      Extensions.make(OID.keyUsage, critical: true, .primitive(3, [0])),
      Extensions.make(OID.keyUsage, critical: true, .bitString([0x80, 0x80], unusedBits: 7)),
    ])
    guard let oid = replacement.children.first else { return }
    list.children.removeAll { $0.children.first == oid }
    list.children.insert(replacement, at: random.below(list.children.count + 1))
  }

  private static let values: [[UInt8]] = [
    [], [0x30, 0x00], [0x05, 0x00], [0x30, 0x03, 0x01, 0x01, 0xFF], [0x30, 0x03, 0x01, 0x01, 0x01],
    [0x30, 0x03, 0x02, 0x01, 0x00], [0x30, 0x06, 0x01, 0x01, 0xFF, 0x02, 0x01, 0x80], [0x03, 0x02, 0x07, 0x80],
    [0x03, 0x02, 0x00, 0x80], [0x03, 0x02, 0x01, 0x06], [0x03, 0x02, 0x01, 0x07], [0x04, 0x00], [0x04, 0x81, 0x00],
    [0x30, 0x80, 0x00, 0x00], [0x30, 0x00, 0x00],
  ]

  static let certificateDates = Mutation(
    "certificate-dates", .certificates,
    hunts: "certificate dates: edges to the second, both types, the century pivot, cached verdicts past the expiry"
  ) { draft, random throws(MintingError) in
    let now = draft.context.now
    let part = CertificateEdits.Part.leafOrIntermediate(using: &random)
    return try CertificateEdits.edit(part, of: &draft, using: &random) { certificate, random in
      let path = CertificateEdits.validity + [random.below(2)]
      let time = now.advanced(by: random.pick([-1, 0, 1, -1, 0, 1, 60, -60, 86_400, -86_400]))
      certificate.edit(path: path) { $0 = CalendarEdges.node(near: time, using: &random) }
    }
  }

  static let certificateSignature = Mutation(
    "certificate-signature", .certificates,
    hunts: "certificate signatures: changed, by another key, over other bytes"
  ) { draft, random throws(MintingError) in
    let part = CertificateEdits.Part.leafOrIntermediate(using: &random)
    let minter = draft.sampleSigner.minter
    let keys: [SigningKey] = [
      minter.foreign.rootKey, minter.foreign.intermediateKey, minter.pki.rootKey, minter.pki.intermediateKey,
      .ec(minter.pki.leafKey),
    ]
    let key = random.pick(keys)
    return try CertificateEdits.edit(part, of: &draft, using: &random, signing: false) {
      certificate, random throws(MintingError) in
      guard certificate.children.count == 3 else { return }
      switch random.below(8) {
      case 0: certificate[2] = .bitString(try key.sign(Array("another".utf8), .sha256))
      case 1: certificate[2] = .bitString(try key.sign(certificate[0].encoded, .sha256))
      case 2: certificate[2].contents = ByteEdits.nearly(certificate[2].contents, using: &random)
      case 3:
        // One signed byte changed, often the last.
        var body = certificate[0].encoded
        body = ByteEdits.nearly(body, using: &random)
        certificate[0] = ASN1Node(ber: body) ?? .raw(body)
      case 4, 5:
        certificate[2] = .bitString(SignatureValues.edited(Array(certificate[2].contents.dropFirst()), using: &random))
      case 6:
        certificate[2] = .bitString(Array(certificate[2].contents.dropFirst()), unusedBits: random.pick([0, 1, 7]))
      default:
        // Signed with another digest than the algorithm names.
        let authority = part == .leaf ? minter.pki.intermediateKey : minter.pki.rootKey
        certificate[2] = .bitString(
          try authority.sign(certificate[0].encoded, random.pick([.sha1, .sha384, .sha512])))
      }
    }
  }

  static let otherRoot = Mutation(
    "other-root", .certificates,
    hunts:
      "roots with one name, roots that may not issue, RSA roots one bit too short: wrong root tried, or only the first"
  ) { draft, random throws(MintingError) in
    let root = random.pick(draft.sampleSigner.authorities.roots)
    let certificate = ASN1Node(ber: root.certificate)
    let changed = try CertificateEdits.edit(.intermediate, of: &draft, using: &random, signing: false) {
      intermediate, _ throws(MintingError) in
      intermediate.edit(path: CertificateEdits.issuer) { $0 = root.subject }
      intermediate.edit(path: [0, 2]) { $0 = root.algorithm }
      intermediate.edit(path: [1]) { $0 = root.algorithm }
      intermediate[2] = .bitString(try root.key.sign(intermediate[0].encoded, root.digest))
    }
    guard changed, random.chance(3), let count = draft[.certificates]?.children.count, let certificate else {
      return changed
    }
    // The token may include the root.
    draft[.certificates]?.children.insert(certificate, at: random.below(count + 1))
    return true
  }

  static let leafKey = Mutation(
    "leaf-key", .certificates,
    hunts:
      "leaves with other types and sizes of key: P-384, RSA too short, of the other version, known from another leaf"
  ) { draft, random throws(MintingError) in
    let authorities = draft.sampleSigner.authorities
    let minter = draft.sampleSigner.minter
    let keys: [SigningKey] = [
      .ec(authorities.spareLeaf), .ec(authorities.spareLeaf), .rsa(authorities.shortRSA), .ec(authorities.p384),
      .ec(minter.pki.leafKey), .rsa(minter.pki.rsaLeafKey), minter.pki.intermediateKey,
    ]
    let key = random.pick(keys)
    let info = oddity(of: key.publicKeyInfo, using: &random)
    let changed = try CertificateEdits.edit(.leaf, of: &draft, using: &random) { leaf, _ in
      leaf.edit(path: CertificateEdits.key) { $0 = ASN1Node(ber: info.encoded) ?? info }
    }
    guard changed else { return false }
    draft.otherSigner = key
    // Signatures by a key that the test authorities certify for leaves are valid.
    draft.isOtherSignerCertified = Draft.leafSigners(of: draft.sampleSigner, draft.version).contains(key)
    draft.touch(.attributes)
    return true
  }

  /// Returns the SubjectPublicKeyInfo, half of the time with an edit at the edge of its rules.
  private static func oddity(of info: ASN1Node, using random: inout QuickGenerator) -> ASN1Node {
    guard random.chance(2) else { return info }
    var bytes = info.encoded
    switch random.below(7) {
    // An even modulus; another exponent; a point off the curve.
    case 0: if bytes.count > 10 { bytes[bytes.count - 6] ^= 1 }
    case 1: bytes[bytes.count - 1] = bytes[bytes.count - 1] &+ random.pick([1, 2, 0xFE])
    case 2: bytes[bytes.count - 1 - random.below(40)] ^= 1
    // The point with the same x and the other y: not the signing key.
    case 6 where bytes.count == 91: bytes.replaceSubrange(59..., with: PointEdges.negated(Array(bytes[59...])))
    case 3:
      return .sequence([info.children[0], .bitString(Array(info.children[1].contents.dropFirst()), unusedBits: 1)])
    case 4: return .sequence([.sequence([info.children[0].children[0]]), info.children[1]])
    default: return .sequence([info.children[0], info.children[1], .null])
    }
    return .raw(bytes)
  }

  static let crossedSigner = Mutation(
    "crossed-signer", .certificates,
    hunts:
      "the chain and the signer identifier of another token, also of the other version: the cache of known chains"
  ) { draft, random throws(MintingError) in
    let other = try draft.sampleSigner.donor(using: &random)
    guard let chain = other[.certificates], let identifier = other[.signerInfo]?.node(at: [1]),
      draft[.certificates] != nil, draft[.signerInfo]?.node(at: [1]) != nil
    else { return false }
    draft[.certificates] = chain
    draft[.signerInfo]?[1] = identifier
    // Sign with the certified key, which may be of the other version's type.
    if other.version != draft.version, random.chance(2) { draft.otherSigner = draft.sampleSigner.signer(other.version) }
    draft.touch(.attributes)
    return true
  }
}

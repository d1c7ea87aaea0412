import Minting

extension Mutation {
  static let certificateExtensions = Mutation(
    "certificate-extensions", .certificates,
    hunts: "markers, authority, path length, key usage, criticality, unknown and doubled extensions; signed anew"
  ) { draft, random throws(MintingError) in
    var stream = random
    defer { random = stream }
    let part: CertificateEdits.Part = random.chance(2) ? .leaf : .intermediate
    return try CertificateEdits.edit(part, of: &draft, using: &random) { certificate in
      if stream.chance(16) {
        certificate.edit(path: [0]) { if $0.children.count > 7 { $0.children.removeLast() } }
        return
      }
      if stream.chance(10) {
        return fill(&certificate, to: stream.near(4_096) + stream.pick([0, 0, 2, 4]), using: &stream)
      }
      certificate.edit(path: CertificateEdits.extensions) { change(&$0, using: &stream) }
    }
  }

  /// An extension that nobody knows fills the certificate up to a size.
  private static func fill(_ certificate: inout ASN1Node, to size: Int, using random: inout QuickGenerator) {
    // Lengths of four octets in the values around it, and the extension's own frame.
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
    case 0: list.children.remove(at: index)
    case 1: list.children.append(list.children[index])
    case 2: toggleCritical(&list.children[index], using: &random)
    case 3: list.children.append(unknown(using: &random))
    case 4:
      let position = random.below(list.nodeCount)
      var stream = random
      list.edit(at: position) { ASN1Edits.changeNode(&$0, .null, using: &stream) }
      random = stream
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
      random.pick(oids), critical: random.pick([nil, true, false]), random.pick(ASN1Edits.telling))
  }

  /// Another value of one of the extensions that are read.
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
}

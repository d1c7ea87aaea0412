import Minting

extension Mutation {
  static let certificateSignature = Mutation(
    "certificate-signature", .certificates,
    hunts: "certificates under no signature, a changed one, one of another key or over other octets"
  ) { draft, random throws(MintingError) in
    var stream = random
    defer { random = stream }
    let part: CertificateEdits.Part = random.chance(2) ? .leaf : .intermediate
    let minter = draft.workshop.minter
    let isLeaf = part == .leaf
    let keys: [SigningKey] = [
      minter.foreign.rootKey, minter.foreign.intermediateKey, minter.pki.rootKey, minter.pki.intermediateKey,
      .ec(minter.pki.leafKey),
    ]
    let key = keys[stream.below(keys.count)]
    let other = try key.sign(Array("another".utf8), .sha256)
    return try CertificateEdits.edit(part, of: &draft, using: &random, signing: false) { certificate in
      guard certificate.children.count == 3 else { return }
      switch stream.below(8) {
      case 0: certificate[2] = .bitString(other)
      case 1:
        if let value = try? key.sign(certificate[0].encoded, .sha256) { certificate[2] = .bitString(value) }
      case 2: certificate[2].contents = OctetEdits.nearly(certificate[2].contents, using: &stream)
      case 3:
        // Covered by the signature: one octet anywhere, often the last.
        var body = certificate[0].encoded
        body = OctetEdits.nearly(body, using: &stream)
        certificate[0] = ASN1Node(ber: body) ?? .raw(body)
      case 4, 5:
        certificate[2] = .bitString(SignatureValues.edited(Array(certificate[2].contents.dropFirst()), using: &stream))
      case 6:
        certificate[2] = .bitString(Array(certificate[2].contents.dropFirst()), unusedBits: stream.pick([0, 1, 7]))
      default:
        // SHA-384 under the name of SHA-256, and the other way about.
        let authority = isLeaf ? minter.pki.intermediateKey : minter.pki.rootKey
        if let value = try? authority.sign(certificate[0].encoded, stream.pick([.sha1, .sha384, .sha512])) {
          certificate[2] = .bitString(value)
        }
      }
    }
  }
}

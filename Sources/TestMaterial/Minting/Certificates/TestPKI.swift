import PaymentToken

/// A root, an intermediate and leaves modelled on Apple's, with keys derived from the seed.
package struct TestPKI: Sendable {
  /// P-384, signs itself with ecdsa-with-SHA384, like Apple Root CA - G3.
  package var rootKey: SigningKey
  /// The contents of the root.
  package var rootRecipe: CertificateRecipe
  /// The root, DER.
  package private(set) var root: [UInt8]
  /// The key of the intermediate, P-256.
  package var intermediateKey: SigningKey
  /// The contents of the intermediate.
  package var intermediateRecipe: CertificateRecipe
  /// The intermediate, DER.
  package private(set) var intermediate: [UInt8]
  /// The key of the leaf, P-256: signs tokens.
  package var leafKey: KeyPair
  /// The contents of the leaf.
  package var leafRecipe: CertificateRecipe
  /// The leaf, DER.
  package private(set) var leaf: [UInt8]
  /// RSA with the leaf's marker, under the same intermediate: signs tokens of RSA_v1.
  package var rsaLeafKey: RSAKeyPair
  /// The contents of the RSA leaf.
  package var rsaLeafRecipe: CertificateRecipe
  /// The RSA leaf, DER.
  package private(set) var rsaLeaf: [UInt8]

  /// The seconds of a mean Gregorian year, the unit of validities.
  package static let year: Int64 = 31_556_952

  /// The root alone.
  package var anchors: TrustAnchors { TrustAnchors(certificates: [root]) }

  /// Makes keys and certificates.
  ///
  /// - Parameters:
  ///   - generator: the source of keys and serial numbers.
  ///   - time: the certificates are valid for at least a year before and four after it.
  ///   - label: a word in the names, so that two PKIs differ in them.
  ///   - rsaLeafKey: passed in, because making an RSA key from a seed is slow.
  package init(
    from generator: SeededGenerator, at time: UnixTime, label: String, rsaLeafKey: RSAKeyPair
  ) throws(MintingError) {
    let year = TestPKI.year
    var rootStream = generator.stream("root")
    var intermediateStream = generator.stream("intermediate")
    var leafStream = generator.stream("leaf")
    let rootPair = try KeyPair(.p384, from: &rootStream)
    let intermediatePair = try KeyPair(.p256, from: &intermediateStream)
    var leafPair = try KeyPair(.p256, from: &leafStream)
    // Nearly all tokens have this leaf. If a coordinate of its key began or ended with a zero byte, one bug about zeros
    // would fail all these tokens.
    while leafPair.hasZeroAtAnEdge { leafPair = try KeyPair(.p256, from: &leafStream) }
    let rootName = Names.name("assay \(label) Root CA")
    let intermediateName = Names.name("assay \(label) Integration CA")
    let rootIdentifier = Extensions.keyIdentifier(of: rootPair.publicKeyInfo)
    let intermediateIdentifier = Extensions.keyIdentifier(of: intermediatePair.publicKeyInfo)

    rootKey = .ec(rootPair)
    rootRecipe = CertificateRecipe(
      serial: TestPKI.serial(&rootStream), algorithm: Algorithms.ecdsaSHA384, digest: .sha384, issuer: rootName,
      notBefore: .time(time.advanced(by: -10 * year)), notAfter: .time(time.advanced(by: 15 * year)),
      subject: rootName, publicKeyInfo: rootPair.publicKeyInfo,
      extensions: [
        Extensions.subjectKeyIdentifier(rootIdentifier), Extensions.basicConstraints(authority: true),
        Extensions.keyUsage(0x06),
      ])
    intermediateKey = .ec(intermediatePair)
    intermediateRecipe = CertificateRecipe(
      serial: TestPKI.serial(&intermediateStream), algorithm: Algorithms.ecdsaSHA256, digest: .sha256,
      issuer: rootName, notBefore: .time(time.advanced(by: -5 * year)), notAfter: .time(time.advanced(by: 10 * year)),
      subject: intermediateName, publicKeyInfo: intermediatePair.publicKeyInfo,
      extensions: [
        Extensions.informationAccess("root"), Extensions.subjectKeyIdentifier(intermediateIdentifier),
        Extensions.basicConstraints(authority: true), Extensions.authorityKeyIdentifier(rootIdentifier),
        Extensions.distributionPoints("root"), Extensions.keyUsage(0x06), Extensions.intermediateMarker,
      ])
    leafKey = leafPair
    leafRecipe = CertificateRecipe(
      serial: TestPKI.serial(&leafStream), algorithm: Algorithms.ecdsaSHA256, digest: .sha256,
      issuer: intermediateName, notBefore: .time(time.advanced(by: -year)),
      notAfter: .time(time.advanced(by: 4 * year)),
      subject: Names.name("assay \(label) broker sign", unit: "assay Test Systems"),
      publicKeyInfo: leafPair.publicKeyInfo,
      extensions: [
        Extensions.basicConstraints(authority: false), Extensions.authorityKeyIdentifier(intermediateIdentifier),
        Extensions.informationAccess("integration"), Extensions.policies, Extensions.distributionPoints("integration"),
        Extensions.subjectKeyIdentifier(Extensions.keyIdentifier(of: leafPair.publicKeyInfo)),
        Extensions.keyUsage(0x80), Extensions.leafMarker,
      ])
    var rsaLeafStream = generator.stream("rsa leaf")
    self.rsaLeafKey = rsaLeafKey
    rsaLeafRecipe = leafRecipe
    rsaLeafRecipe.serial = TestPKI.serial(&rsaLeafStream)
    rsaLeafRecipe.subject = Names.name("assay \(label) RSA broker sign", unit: "assay Test Systems")
    rsaLeafRecipe.replaceKey(with: rsaLeafKey.publicKeyInfo)
    root = []
    intermediate = []
    leaf = []
    rsaLeaf = []
    try issue()
  }

  /// Issues all certificates, after their recipes or keys were edited.
  package mutating func issue() throws(MintingError) {
    root = try rootRecipe.issue(by: rootKey)
    try issueIntermediate()
  }

  /// Issues the intermediate and the leaves under the same root.
  package mutating func issueIntermediate() throws(MintingError) {
    intermediate = try intermediateRecipe.issue(by: rootKey)
    try issueLeaf()
  }

  /// Issues both leaves under the same intermediate.
  package mutating func issueLeaf() throws(MintingError) {
    leaf = try leafRecipe.issue(by: intermediateKey)
    rsaLeaf = try rsaLeafRecipe.issue(by: intermediateKey)
  }

  /// A copy with another leaf for tokens of EC_v1, with a key and a serial number from the stream.
  package func withAnotherLeaf(from stream: inout SeededGenerator) throws(MintingError) -> TestPKI {
    var other = self
    other.leafKey = try KeyPair(.p256, from: &stream)
    other.leafRecipe.serial = TestPKI.serial(&stream)
    other.leafRecipe.replaceKey(with: other.leafKey.publicKeyInfo)
    other.leaf = try other.leafRecipe.issue(by: intermediateKey)
    return other
  }

  /// The root, padded by an extension to an exact size.
  package func rootPadded(to size: Int) throws(MintingError) -> [UInt8] {
    var pki = self
    var count = size - root.count - 40
    var filler: UInt8 = 0
    while true {
      pki.rootRecipe = rootRecipe
      pki.rootRecipe.extensions.append(
        .sequence([.oid([2, 999, 1]), .octetString([UInt8](repeating: filler, count: count))]))
      try pki.issue()
      if pki.root.count == size { return pki.root }
      // The length of the signature depends on the signed bytes, so each attempt signs other bytes.
      filler &+= 1
      count += pki.root.count < size ? max(1, (size - pki.root.count) / 2) : -1
    }
  }

  /// A positive serial number of 8 bytes.
  package static func serial(_ stream: inout SeededGenerator) -> ASN1Node {
    var bytes = stream.bytes(8)
    bytes[0] = bytes[0] & 0x7F | 0x40
    return .unsigned(bytes)
  }
}

extension KeyPair {
  /// Whether a coordinate of its public key begins or ends with a zero byte.
  fileprivate var hasZeroAtAnEdge: Bool {
    let size = (point.count - 1) / 2
    return [1, size, size + 1, 2 * size].contains { point[$0] == 0 }
  }
}

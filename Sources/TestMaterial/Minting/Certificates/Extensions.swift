import PaymentToken

/// Certificate extensions (RFC 5280, 4.2) as Apple's certificates carry them.
package enum Extensions {
  /// Extension: OID, `critical` when not nil (an explicit FALSE is not DER but is accepted), the value's encoding.
  package static func make(_ oid: ASN1Node, critical: Bool? = nil, _ value: ASN1Node) -> ASN1Node {
    .sequence([oid] + (critical.map { [.boolean($0)] } ?? []) + [.octetString(value.encoded)])
  }

  package static func basicConstraints(authority: Bool, pathLength: Int? = nil) -> ASN1Node {
    let fields = (authority ? [ASN1Node.boolean(true)] : []) + (pathLength.map { [.integer($0)] } ?? [])
    return make(OID.basicConstraints, critical: true, .sequence(fields))
  }

  /// - Parameter bits: the byte of bits 0-7, bit 0 the highest: 80 digitalSignature, 06 keyCertSign and cRLSign, 28
  ///   keyEncipherment and keyAgreement.
  package static func keyUsage(_ bits: UInt8) -> ASN1Node {
    make(OID.keyUsage, critical: true, .bitString([bits], unusedBits: UInt8(min(7, bits.trailingZeroBitCount))))
  }

  package static func subjectKeyIdentifier(_ identifier: [UInt8]) -> ASN1Node {
    make(OID.subjectKeyIdentifier, .octetString(identifier))
  }

  package static func authorityKeyIdentifier(_ identifier: [UInt8]) -> ASN1Node {
    make(OID.authorityKeyIdentifier, .sequence([.contextPrimitive(0, identifier)]))
  }

  package static func informationAccess(_ host: String) -> ASN1Node {
    let location = ASN1Node.contextPrimitive(6, Array("http://ocsp.assay.test/\(host)".utf8))
    return make(OID.authorityInformationAccess, .sequence([.sequence([OID.ocsp, location])]))
  }

  package static func distributionPoints(_ file: String) -> ASN1Node {
    let name = ASN1Node.contextPrimitive(6, Array("http://crl.assay.test/\(file).crl".utf8))
    return make(OID.crlDistributionPoints, .sequence([.sequence([.context(0, [.context(0, [name])])])]))
  }

  package static let policies = make(
    OID.certificatePolicies,
    .sequence([
      .sequence([
        OID.anyPolicy,
        .sequence([
          .sequence([OID.cps, .primitive(0x16, Array("http://assay.test/worthless-test-certificates/".utf8))])
        ]),
      ])
    ]))

  package static let leafMarker = make(OID.leafMarker, .null)
  package static let intermediateMarker = make(OID.intermediateMarker, .null)

  /// The SHA-256 of the merchant identifier as 64 hexadecimal digits in a UTF8String.
  package static func merchantIdentifierHash(_ identifier: String) -> ASN1Node {
    let digits = Hex.encode(Hashing.sha256(Array(identifier.utf8))).uppercased()
    return make(OID.merchantIdentifierHash, .utf8String(digits))
  }

  /// The key identifier RFC 5280 suggests (4.2.1.2): SHA-1 of the key's bytes.
  package static func keyIdentifier(of publicKeyInfo: ASN1Node) -> [UInt8] {
    SignatureDigest.sha1.hash(Array(publicKeyInfo.children.last?.contents.dropFirst() ?? []))
  }
}

/// Distinguished names in the order in which Apple writes them: CN, OU, O, C.
package enum Names {
  package static func attribute(_ type: ASN1Node, _ value: ASN1Node) -> ASN1Node {
    .set([.sequence([type, value])])
  }

  package static func name(_ commonName: String, unit: String = "assay Test Certification Authority") -> ASN1Node {
    .sequence([
      attribute(OID.commonName, .utf8String(commonName)),
      attribute(OID.organizationalUnit, .utf8String(unit)),
      attribute(OID.organization, .utf8String("assay (worthless test keys)")),
      attribute(OID.country, .printableString("ZZ")),
    ])
  }

  /// The subject of a merchant's certificate: the merchant identifier is in UID and CN.
  package static func merchant(_ identifier: String) -> ASN1Node {
    .sequence([
      attribute(OID.userId, .utf8String(identifier)),
      attribute(OID.commonName, .utf8String("assay Test Payment Processing:\(identifier)")),
      attribute(OID.organizationalUnit, .utf8String("TESTTESTTE")),
      attribute(OID.organization, .utf8String("assay (worthless test keys)")),
      attribute(OID.country, .printableString("ZZ")),
    ])
  }
}

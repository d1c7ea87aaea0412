/// AlgorithmIdentifiers.
package enum Algorithms {
  package static let ecdsaSHA256 = ASN1Node.sequence([OID.ecdsaWithSHA256])
  package static let ecdsaSHA384 = ASN1Node.sequence([OID.ecdsaWithSHA384])
  package static let sha256 = ASN1Node.sequence([OID.sha256])
  package static let sha256WithNull = ASN1Node.sequence([OID.sha256, .null])
  package static let rsa = ASN1Node.sequence([OID.rsaEncryption, .null])
  package static let rsaSHA256 = ASN1Node.sequence([OID.sha256WithRSA, .null])
  package static let rsaSHA384 = ASN1Node.sequence([OID.sha384WithRSA, .null])
}

/// AlgorithmIdentifiers.
enum Algorithms {
  static let ecdsaSHA256 = ASN1Node.sequence([OID.ecdsaWithSHA256])
  static let ecdsaSHA384 = ASN1Node.sequence([OID.ecdsaWithSHA384])
  static let sha256 = ASN1Node.sequence([OID.sha256])
  static let sha256WithNull = ASN1Node.sequence([OID.sha256, .null])
  static let rsa = ASN1Node.sequence([OID.rsaEncryption, .null])
  static let rsaSHA256 = ASN1Node.sequence([OID.sha256WithRSA, .null])
  static let rsaSHA384 = ASN1Node.sequence([OID.sha384WithRSA, .null])
}

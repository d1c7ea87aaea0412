import MerchantKeys
package import PaymentToken

/// The parts of a CMS SignedData (RFC 5652 section 5.1) that the rules use.
struct SignedData {
  /// In the order received, at most three.
  let certificates: [Certificate]
  let signer: SignerInfo
}

/// The parts of the one SignerInfo (RFC 5652 section 5.3) that the rules use.
struct SignerInfo {
  let identifier: SignerIdentifier
  let attributes: SignedAttributes
  /// ecdsaWithSHA256 for EC_v1, sha256WithRSA for RSA_v1 (under either of its two OIDs).
  let algorithm: SignatureAlgorithm
  /// The contents of the signature's OCTET STRING.
  let signature: [UInt8]
}

/// The certificate that a SignerInfo names as its signer (RFC 5652 section 5.3).
enum SignerIdentifier: Hashable {
  /// The issuer's Name as a whole TLV and the contents bytes of the serial number.
  case issuerAndSerialNumber(issuer: [UInt8], serialNumber: [UInt8])
  /// The contents of the subjectKeyIdentifier.
  case subjectKeyIdentifier([UInt8])
}

/// The signed attributes (RFC 5652 section 5.3).
struct SignedAttributes {
  /// The contents bytes as received.
  let contents: ArraySlice<UInt8>
  let messageDigest: Bytes32
  let signingTime: UnixTime
  /// Whether OpenSSL reads these attributes by the same rules: it sorts the values of an attribute, and it rejects some
  /// repeated or unexpected attributes that the rules ignore.
  let isComparableWithOpenSSL: Bool
}

/// Stage 5 on its own, for fuzzing against the fast engine's reader.
package enum SignatureShape {
  /// The signing time and the message digest of a valid CMS; nil for a malformed one.
  package static func read(_ cms: [UInt8], version: TokenVersion) -> (signingTime: UnixTime, digest: Bytes32)? {
    guard let signedData = try? SignedData(contentInfo: cms, version: version) else { return nil }
    return (signedData.signer.attributes.signingTime, signedData.signer.attributes.messageDigest)
  }
}

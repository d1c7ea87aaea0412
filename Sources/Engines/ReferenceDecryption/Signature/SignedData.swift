import MerchantKeys
package import PaymentToken

/// What the rules read out of the CMS SignedData (RFC 5652 section 5.1).
struct SignedData {
  /// In the order received, at most three.
  let certificates: [Certificate]
  let signer: SignerInfo
}

/// What the rules read out of the one SignerInfo (RFC 5652 section 5.3).
struct SignerInfo {
  let identifier: SignerIdentifier
  let attributes: SignedAttributes
  /// How the signature was made: ecdsaWithSHA256 under EC_v1, sha256WithRSA under RSA_v1, whichever of its two names it has.
  let algorithm: SignatureAlgorithm
  /// The contents of the signature's OCTET STRING.
  let signature: [UInt8]
}

/// Which certificate a SignerInfo says it was made with.
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
  /// The messageDigest attribute.
  let messageDigest: Bytes32
  /// The signingTime attribute.
  let signingTime: UnixTime
  /// Whether a reader that encodes the attributes anew, or knows rules for more of them, must agree with this one.
  let isPlain: Bool
}

/// Stage 5 by itself: what fuzzing compares with the fast engine's reader.
package enum SignatureShape {
  /// The signing time and the message digest of a well-shaped CMS; nil for what is malformed.
  package static func read(_ cms: [UInt8], version: TokenVersion) -> (signingTime: UnixTime, digest: Bytes32)? {
    guard let signedData = try? SignedData(contentInfo: cms, version: version) else { return nil }
    return (signedData.signer.attributes.signingTime, signedData.signer.attributes.messageDigest)
  }
}

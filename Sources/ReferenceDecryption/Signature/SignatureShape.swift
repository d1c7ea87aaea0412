package import PaymentToken

/// Stage 5 by itself: what fuzzing compares with the fast engine's reader.
package enum SignatureShape {
  /// The signing time and the message digest of a well-shaped CMS; nil for what is malformed.
  package static func read(_ cms: [UInt8], version: TokenVersion) -> (signingTime: UnixTime, digest: Octets32)? {
    guard let signedData = try? SignedData(contentInfo: cms, version: version) else { return nil }
    return (signedData.signer.attributes.signingTime, signedData.signer.attributes.messageDigest)
  }
}

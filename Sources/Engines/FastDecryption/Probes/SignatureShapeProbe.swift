import PaymentToken
import TokenScanning

/// Stage 5 alone, for fuzzing, which compares it with the reference's reader.
package enum SignatureShape {
  /// The signing time and the message digest of a CMS; nil if it is malformed.
  package static func read(_ cms: Span<UInt8>, version: TokenVersion) -> (signingTime: UnixTime, digest: Bytes32)? {
    do {
      let view = try SignedDataView(cms, version: version)
      let bytes = cms.extracting(view.certificates)
      let certificates = try ChainVerifier.certificates(in: bytes)
      try ChainVerifier.checkSignatureSize(view.signer.signature.count, certificates, version)
      guard let digest = Bytes32(cms, at: view.signer.attributes.messageDigest.lowerBound) else { return nil }
      return (view.signer.attributes.signingTime, digest)
    } catch {
      return nil
    }
  }
}

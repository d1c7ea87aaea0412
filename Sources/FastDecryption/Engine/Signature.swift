import PaymentToken
import TokenScanning

extension Workspace {
  /// Decides the shape of the decoded signature but for its certificates (Docs/Verification.md 5.1-5.12).
  func signedData(_ count: Int, version: TokenVersion) throws(TokenFault) -> SignedDataView {
    do {
      return try SignedDataView(cms.span.extracting(first: count), version: version)
    } catch {
      throw TokenFault(.malformedSignature)
    }
  }

  /// Decides stage 8.
  mutating func checkSignature(
    _ signer: SignerInfoView, of decoded: DecodedToken, by key: SignerKey
  ) throws(TokenFault) {
    let octets = cms.span
    let content = SHA256.digest(of: signed.span.extracting(decoded.signedRange))
    guard content == Octets32(octets, at: signer.attributes.messageDigest.lowerBound) else {
      throw TokenFault(.signatureMismatch)
    }
    let digest = digestOfAttributes(signer.signedAttributes)
    let isGenuine =
      switch key {
      case .p256(let key): verifier.verifies(octets, in: signer.signature, digest: digest, by: key)
      case .rsa(let key): key.signed(digest, with: octets.extracting(signer.signature))
      }
    guard isGenuine else { throw TokenFault(.signatureMismatch) }
  }

  /// The attributes are signed with the tag SET OF in place of the [0] they stand under (RFC 5652 5.4).
  private func digestOfAttributes(_ range: Range<Int>) -> Octets32 {
    let setOf: InlineArray<1, UInt8> = [0x31]
    var hash = SHA256()
    hash.update(setOf.span)
    hash.update(cms.span.extracting(range.dropFirst()))
    return hash.finish()
  }
}

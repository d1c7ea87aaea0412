import PaymentToken
import TokenScanning

extension Workspace {
  /// Decides the shape of the decoded signature but for its certificates (Docs/Verification.md 5.1-5.12).
  func signedData(_ count: Int) throws(TokenFault) -> SignedDataView {
    do {
      return try SignedDataView(cms.span.extracting(first: count))
    } catch {
      throw TokenFault(.malformedSignature)
    }
  }

  /// Decides stage 8.
  mutating func checkSignature(
    _ signer: SignerInfoView, of decoded: DecodedToken, by key: SignerKey
  ) throws(TokenFault) {
    let octets = cms.span
    let content = SHA256.digest(of: signed.span.extracting(first: decoded.content.count))
    guard content == Octets32(octets, at: signer.attributes.messageDigest.lowerBound) else {
      throw TokenFault(.signatureMismatch)
    }
    let digest = digestOfAttributes(signer.signedAttributes)
    guard let value = try? ECDSASignatureValue(octets, in: signer.signature),
      verifier.verifies(r: octets.extracting(value.r), s: octets.extracting(value.s), digest: digest, by: key)
    else { throw TokenFault(.signatureMismatch) }
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

import PaymentToken
import TokenScanning

/// Verifies certificates not seen before: the rest of stage 5, stage 6, and stage 7 up to 7.5, from the root down.
///
/// One an engine: chains remember which verified them, since another one may trust other roots.
final class ChainVerifier: Sendable {
  private let roots: [TrustedRoot]
  private let intermediates = LeastRecentlyUsed<IssuerKey>(capacity: 16)
  private let signers = LeastRecentlyUsed<SignerKey>(capacity: 256)

  init(_ anchors: TrustAnchors) throws(TrustAnchorError) {
    var roots: [TrustedRoot] = []
    for (index, octets) in anchors.certificates.enumerated() {
      do {
        roots.append(try TrustedRoot(octets))
      } catch {
        throw TrustAnchorError(index: index)
      }
    }
    self.roots = roots
  }

  /// Verifies the certificates of a CMS.
  ///
  /// - Parameters:
  ///   - octets: the contents of the certificates field.
  ///   - signer: how the SignerInfo names its signer, in `cms`.
  func verify(
    _ octets: Span<UInt8>, namedBy signer: SignerInfoView.Identifier, in cms: Span<UInt8>
  ) throws(TokenFault) -> VerifiedChain {
    let (leaf, intermediate) = try parts(of: octets)
    let name = LeafName(
      issuer: leaf.issuer, serialNumber: leaf.serialNumber,
      subjectKeyIdentifier: leaf.extensions.subjectKeyIdentifier)
    guard name.matches(signer, in: cms, certificates: octets) else { throw TokenFault(.signerMismatch) }
    guard leaf.maySignTokens, case .p256(let point) = leaf.publicKey,
      octets.extracting(leaf.issuer).elementsEqual(octets.extracting(intermediate.subject)),
      let issuer = issuerKey(of: intermediate, in: octets), issuer.signed(leaf, in: octets),
      let key = signerKey(octets.extracting(point))
    else { throw TokenFault(.untrustedChain) }
    return VerifiedChain(octets: octets, leaf: leaf, intermediate: intermediate, signer: key, by: self)
  }

  /// Tells leaf, intermediate and root apart by their markers (stage 6).
  private func parts(of octets: Span<UInt8>) throws(TokenFault) -> (
    leaf: CertificateView, intermediate: CertificateView
  ) {
    var certificates: [CertificateView] = []
    var position = 0
    do {
      while position < octets.count {
        let certificate = try CertificateView.read(octets, in: position..<octets.count)
        certificates.append(certificate)
        position = certificate.whole.upperBound
      }
    } catch {
      throw TokenFault(.malformedSignature)
    }
    let leaves = certificates.indices.filter { certificates[$0].extensions.hasLeafMarker }
    guard leaves.count == 1 else { throw TokenFault(.missingLeafMarker) }
    let intermediates = certificates.indices.filter { certificates[$0].extensions.hasIntermediateMarker }
    guard intermediates.count == 1, intermediates[0] != leaves[0] else {
      throw TokenFault(.missingIntermediateMarker)
    }
    for index in certificates.indices where index != leaves[0] && index != intermediates[0] {
      let other = octets.extracting(certificates[index].whole)
      guard roots.contains(where: { $0.octets.span.elementsEqual(other) }) else {
        throw TokenFault(.unexpectedCertificate)
      }
    }
    return (certificates[leaves[0]], certificates[intermediates[0]])
  }

  /// The intermediate's key, once a root vouches for it; nil when none does or it may not issue.
  private func issuerKey(of intermediate: CertificateView, in octets: Span<UInt8>) -> IssuerKey? {
    let whole = octets.extracting(intermediate.whole)
    if let known = intermediates.value(for: whole) { return known }
    guard intermediate.mayIssue(intermediatesBelow: 0),
      roots.contains(where: { $0.issued(intermediate, in: octets) }),
      let key = IssuerKey(intermediate, in: octets)
    else { return nil }
    intermediates.insert(key, for: whole)
    return key
  }

  /// One context a public key: certificates are reissued on the same one.
  private func signerKey(_ point: Span<UInt8>) -> SignerKey? {
    if let known = signers.value(for: point) { return known }
    guard let key = SignerKey(point: point) else { return nil }
    signers.insert(key, for: point)
    return key
  }
}

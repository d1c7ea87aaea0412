import PaymentToken
import TokenScanning

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Certificates of a CMS that were verified up to a pinned root, with what must be asked anew at every use.
///
/// Immutable; dates, revocation and the signer's identifier are not part of the verdict.
final class VerifiedChain: Sendable {
  /// The contents of the CMS certificates field, byte for byte.
  let bytes: [UInt8]
  let leaf: Link
  let intermediate: Link
  let signer: SignerKey
  /// Who vouches for it: a chain is worth nothing to an engine with other roots.
  private let verifier: ChainVerifier
  private let issuer: Range<Int>
  private let serialNumber: Range<Int>
  private let subjectKeyIdentifier: Range<Int>?

  /// A certificate's dates and the two digests it can be revoked by.
  struct Link: Sendable {
    let notBefore: UnixTime
    let notAfter: UnixTime
    let digest: Bytes32
    let publicKeyDigest: Bytes32

    init(_ certificate: CertificateView, in input: Span<UInt8>) {
      notBefore = certificate.notBefore
      notAfter = certificate.notAfter
      digest = SHA256.digest(of: input.extracting(certificate.whole))
      publicKeyDigest = SHA256.digest(of: input.extracting(certificate.subjectPublicKeyInfo))
    }

    func isRevoked(by list: RevokedCertificates) -> Bool {
      list.contains(digest) || list.contains(publicKeyDigest)
    }

    /// The date the time falls outside of, expiry first (7.7).
    func dateFault(at time: UnixTime) -> TokenFault.Code? {
      if time > notAfter { return .certificateExpired }
      return time < notBefore ? .certificateNotYetValid : nil
    }
  }

  init(
    bytes: Span<UInt8>, leaf: CertificateView, intermediate: CertificateView, signer: SignerKey,
    by verifier: ChainVerifier
  ) {
    self.verifier = verifier
    self.bytes = bytes.withUnsafeBufferPointer { [UInt8]($0) }
    self.leaf = Link(leaf, in: bytes)
    self.intermediate = Link(intermediate, in: bytes)
    self.signer = signer
    issuer = leaf.issuer
    serialNumber = leaf.serialNumber
    subjectKeyIdentifier = leaf.extensions.subjectKeyIdentifier
  }

  /// Whether these are the certificates that were verified, and it was this verifier that did.
  func holds(_ certificates: Span<UInt8>, verifiedBy verifier: ChainVerifier) -> Bool {
    guard self.verifier === verifier, bytes.count == certificates.count else { return false }
    return bytes.withUnsafeBufferPointer { own in
      certificates.withUnsafeBufferPointer { other in
        guard let own = own.baseAddress, let other = other.baseAddress else { return false }
        // As many bytes as both have, by the guard above: for every token, so by the C library's vectors.
        return memcmp(own, other, certificates.count) == 0
      }
    }
  }

  /// Decides what else of stages 5 to 7.5 depends on the SignerInfo (5.19, 6.4) and on the token's version (7.4).
  func check(_ signer: SignerInfoView, in cms: Span<UInt8>, version: TokenVersion) throws(TokenFault) {
    let isFitting = self.signer.fits(version)
    if isFitting, let size = self.signer.signatureSize, signer.signature.count != size {
      throw TokenFault(.malformedSignature)
    }
    guard isNamed(by: signer.identifier, in: cms) else { throw TokenFault(.signerMismatch) }
    guard isFitting else { throw TokenFault(.untrustedChain) }
  }

  /// Whether a SignerInfo names the leaf (6.4).
  private func isNamed(by identifier: SignerInfoView.Identifier, in cms: Span<UInt8>) -> Bool {
    let bytes = bytes
    return LeafName(issuer: issuer, serialNumber: serialNumber, subjectKeyIdentifier: subjectKeyIdentifier)
      .matches(identifier, in: cms, certificates: bytes.span)
  }

  /// Decides 7.6 and 7.7: what may change between two uses.
  func check(at time: UnixTime, revoked: RevokedCertificates) throws(TokenFault) {
    if !revoked.isEmpty, leaf.isRevoked(by: revoked) || intermediate.isRevoked(by: revoked) {
      throw TokenFault(.certificateRevoked)
    }
    if let code = leaf.dateFault(at: time) ?? intermediate.dateFault(at: time) {
      throw TokenFault(code)
    }
  }
}

/// By what a SignerInfo may name the leaf; ranges of the certificates field.
struct LeafName {
  let issuer: Range<Int>
  let serialNumber: Range<Int>
  let subjectKeyIdentifier: Range<Int>?

  func matches(
    _ identifier: SignerInfoView.Identifier, in cms: Span<UInt8>, certificates: Span<UInt8>
  ) -> Bool {
    switch identifier {
    case .issuerAndSerialNumber(let otherIssuer, let otherSerialNumber):
      return cms.extracting(otherSerialNumber).elementsEqual(certificates.extracting(serialNumber))
        && cms.extracting(otherIssuer).elementsEqual(certificates.extracting(issuer))
    case .subjectKeyIdentifier(let other):
      guard let subjectKeyIdentifier else { return false }
      return cms.extracting(other).elementsEqual(certificates.extracting(subjectKeyIdentifier))
    }
  }
}

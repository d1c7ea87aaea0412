import PaymentToken
import TokenScanning

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The certificates of a CMS, verified up to a pinned root.
///
/// The engine's cache of these finds a chain by every byte of its certificates, holds 1,024, and evicts the least
/// recently used. A cached chain spares the token two signature verifications. What can change from one use to the next
/// is not part of the cached verdict and is checked at every use: validity dates, revocation, the token's version and
/// the signer's identifier.
final class VerifiedChain: Sendable {
  /// The contents of the CMS certificates field, byte for byte.
  let bytes: [UInt8]
  let leaf: Link
  let intermediate: Link
  let signer: SignerKey
  /// The verifier of this chain. Another one may trust other roots.
  private let verifier: ChainVerifier
  private let name: LeafName

  /// A certificate's validity dates and the two digests by which it can be revoked.
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

    /// The fault of a time outside the validity dates, expiry first (7.7).
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
    name = LeafName(leaf)
  }

  /// Whether these are the certificates of this chain, and `verifier` verified them.
  func holds(_ certificates: Span<UInt8>, verifiedBy verifier: ChainVerifier) -> Bool {
    guard self.verifier === verifier, bytes.count == certificates.count else { return false }
    return bytes.withUnsafeBufferPointer { own in
      certificates.withUnsafeBufferPointer { other in
        guard let own = own.baseAddress, let other = other.baseAddress else { return false }
        // The guard above checked the counts. Runs for every token, so it uses the C library's vectorized comparison.
        return memcmp(own, other, certificates.count) == 0
      }
    }
  }

  /// Decides the rules before 7.6 that depend on the SignerInfo (5.19, 6.4) and on the token's version (7.4).
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
    return name.matches(identifier, in: cms, certificates: bytes.span)
  }

  /// Decides 7.6 and 7.7, which can change between two uses.
  func check(at time: UnixTime, revoked: RevokedCertificates) throws(TokenFault) {
    if !revoked.isEmpty, leaf.isRevoked(by: revoked) || intermediate.isRevoked(by: revoked) {
      throw TokenFault(.certificateRevoked)
    }
    if let code = leaf.dateFault(at: time) ?? intermediate.dateFault(at: time) {
      throw TokenFault(code)
    }
  }
}

/// The identifiers by which a SignerInfo can name the leaf, as ranges of the certificates field.
struct LeafName {
  let issuer: Range<Int>
  let serialNumber: Range<Int>
  let subjectKeyIdentifier: Range<Int>?

  init(_ leaf: CertificateView) {
    issuer = leaf.issuer
    serialNumber = leaf.serialNumber
    subjectKeyIdentifier = leaf.extensions.subjectKeyIdentifier
  }

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

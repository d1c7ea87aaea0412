import PaymentToken
import TokenScanning

/// The certificates of a CMS, verified up to a pinned root.
///
/// The engine compares every byte of a token's certificates with the known chains (`KnownSigners`), and does not verify
/// the certificates of a known chain again. Checks whose result can change between uses are made at every use: validity
/// dates, revocation, the token's version, the signer's identifier and the size of an RSA signature.
///
/// Decryption reads only `facts`, which contain no reference-counted object: a retain would write to memory that all
/// threads share.
///
/// `@unchecked Sendable`: nothing changes after `init`.
final class VerifiedChain: @unchecked Sendable {
  /// Valid as long as the chain lives.
  let facts: UnsafePointer<ChainFacts>
  private let memory: UnsafeMutablePointer<ChainFacts>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Retains the key that `facts` refers to.
  private let signer: SignerKey

  init(bytes: Span<UInt8>, leaf: CertificateView, intermediate: CertificateView, signer: SignerKey) {
    self.signer = signer
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = bytes.withUnsafeBufferPointer { copy.initialize(from: $0) }
    self.bytes = copy
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: ChainFacts(
        bytes: UnsafeBufferPointer(copy), leaf: .init(leaf, in: bytes), intermediate: .init(intermediate, in: bytes),
        signer: signer.reference, name: LeafName(leaf),
        isFromSandbox: DecryptedToken.isSandbox(subject: bytes.extracting(leaf.subject))))
    facts = UnsafePointer(memory)
  }

  deinit {
    memory.deallocate()
    bytes.deallocate()
  }
}

/// The part of a verified chain that decryption reads: values, and addresses that are valid as long as the chain lives.
struct ChainFacts {
  /// The contents of the CMS certificates field, byte for byte.
  let bytes: UnsafeBufferPointer<UInt8>
  let leaf: Link
  let intermediate: Link
  let signer: SignerReference
  let name: LeafName
  let isFromSandbox: Bool

  /// A certificate's validity dates and the two digests by which it can be revoked.
  struct Link {
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

  /// Whether these are the certificates of this chain.
  func holds(_ certificates: Span<UInt8>) -> Bool {
    // By vectors, since this runs for every token.
    bytes.span.elementsEqualByVectors(certificates)
  }

  /// Decides the rules before 7.6 that depend on the SignerInfo (5.19, 6.4) and on the token's version (7.4).
  func check(_ signer: SignerInfoView, in cms: Span<UInt8>, version: TokenVersion) throws(TokenFault) {
    let isFitting = self.signer.fits(version)
    if isFitting, let size = self.signer.signatureSize, signer.signature.count != size {
      throw TokenFault(.malformedSignature)
    }
    guard name.matches(signer.identifier, in: cms, certificates: bytes.span) else { throw TokenFault(.signerMismatch) }
    guard isFitting else { throw TokenFault(.untrustedChain) }
  }

  /// Decides 7.6 and 7.7, whose results can change between two uses.
  func check(at time: UnixTime, revoked: borrowing RevokedCertificates) throws(TokenFault) {
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

import PaymentToken
import TokenScanning

/// The certificates of a CMS, verified up to a pinned root.
///
/// The engine's cache of these finds a chain by every byte of its certificates, holds 1,024, and evicts the least
/// recently used. A cached chain saves a token two signature verifications. What can change from one use to the next is
/// not part of the cached verdict and is checked at every use: validity dates, revocation, the token's version and the
/// signer's identifier.
///
/// Tokens read only `facts`, which contain no reference-counted object: a retain would write to memory that all threads
/// share.
///
/// `@unchecked Sendable`: nothing changes after `init`.
final class VerifiedChain: @unchecked Sendable {
  /// Valid as long as the chain.
  let facts: UnsafePointer<ChainFacts>
  private let memory: UnsafeMutablePointer<ChainFacts>
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  /// Retain the objects that `facts` refers to.
  private let signer: SignerKey
  private let verifier: ChainVerifier

  init(
    bytes: Span<UInt8>, leaf: CertificateView, intermediate: CertificateView, signer: SignerKey,
    by verifier: ChainVerifier
  ) {
    self.verifier = verifier
    self.signer = signer
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = bytes.withUnsafeBufferPointer { copy.initialize(from: $0) }
    self.bytes = copy
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: ChainFacts(
        bytes: UnsafeBufferPointer(copy), leaf: .init(leaf, in: bytes), intermediate: .init(intermediate, in: bytes),
        signer: signer.reference, verifier: ObjectIdentifier(verifier), name: LeafName(leaf)))
    facts = UnsafePointer(memory)
  }

  deinit {
    memory.deallocate()
    bytes.deallocate()
  }
}

/// What tokens read of a verified chain: values, and addresses that are valid as long as the chain.
struct ChainFacts {
  /// The contents of the CMS certificates field, byte for byte.
  let bytes: UnsafeBufferPointer<UInt8>
  let leaf: Link
  let intermediate: Link
  let signer: SignerReference
  /// The verifier of this chain. Another one may trust other roots.
  let verifier: ObjectIdentifier
  let name: LeafName

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

  /// Whether these are the certificates of this chain, and `verifier` verified them.
  func holds(_ certificates: Span<UInt8>, verifiedBy verifier: ObjectIdentifier) -> Bool {
    // Runs for every token.
    self.verifier == verifier && bytes.span.elementsEqualByVectors(certificates)
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

  /// Decides 7.6 and 7.7, which can change between two uses.
  func check(at time: UnixTime, revoked: borrowing RevokedCertificates) throws(TokenFault) {
    if !revoked.isEmpty, leaf.isRevoked(by: revoked) || intermediate.isRevoked(by: revoked) {
      throw TokenFault(.certificateRevoked)
    }
    if let code = leaf.dateFault(at: time) ?? intermediate.dateFault(at: time) {
      throw TokenFault(code)
    }
  }
}

/// The chains that a thread used last, so that it finds them without the engine's cache, whose lock all threads share.
///
/// Eight are more than the leaf keys that Apple has used in eleven years. A new chain replaces the oldest.
struct RecentChains {
  private static var capacity: Int { 8 }

  /// Own the chains that `facts` points to.
  private var chains: [VerifiedChain] = []
  private var facts: [UnsafePointer<ChainFacts>] = []
  /// The index of the chain found last, which is compared first.
  private var latest = 0
  private var oldest = 0

  /// The index of the chain with these certificates that `verifier` verified; nil if it is not among them.
  func index(of certificates: Span<UInt8>, verifiedBy verifier: ObjectIdentifier) -> Int? {
    if latest < facts.count, facts[latest].pointee.holds(certificates, verifiedBy: verifier) { return latest }
    for index in facts.indices where facts[index].pointee.holds(certificates, verifiedBy: verifier) { return index }
    return nil
  }

  /// The chain at an index, which becomes the first to be compared. Valid until `add` or `removeAll`.
  mutating func use(_ index: Int) -> UnsafePointer<ChainFacts> {
    latest = index
    return facts[index]
  }

  /// Adds a chain.
  mutating func add(_ chain: VerifiedChain) {
    guard chains.count == Self.capacity else {
      latest = chains.count
      chains.append(chain)
      facts.append(chain.facts)
      return
    }
    latest = oldest
    chains[oldest] = chain
    facts[oldest] = chain.facts
    oldest = (oldest + 1) % Self.capacity
  }

  /// Removes all chains.
  mutating func removeAll() {
    self = RecentChains()
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

import PaymentToken
import TokenScanning

extension FastDecryptor {
  /// Decides stage 8, and adds a chain that was verified for this token to the cache.
  func verifySignature(
    _ claim: SignatureClaim, of decoded: DecodedToken, in workspace: inout Workspace
  ) throws(TokenFault) {
    var table: UnsafePointer<UInt64>?
    if case .p256(let key) = claim.key { table = self.table(of: key, in: &workspace) }
    try verifySignature(claim, of: decoded, table: table, in: &workspace)
  }

  /// Decides stage 8 with the signer's table, or without one, and adds the chain to the cache if it is new.
  func verifySignature(
    _ claim: SignatureClaim, of decoded: DecodedToken, table: UnsafePointer<UInt64>?, in workspace: inout Workspace
  ) throws(TokenFault) {
    try workspace.verifySignature(claim.signer, of: decoded, by: claim.key, table: table, operations)
    remember(claim.chain, in: &workspace)
  }

  /// The table of a signer that is about to verify a signature; nil if it has none yet.
  func table(of key: Unmanaged<P256SignerKey>, in workspace: inout Workspace) -> UnsafePointer<UInt64>? {
    if let known = workspace.heldSigners.table(of: key) { return known }
    guard operations != nil else { return nil }
    key._withUnsafeGuaranteedRef { signers.countUse(of: $0) }
    return workspace.heldSigners.update(from: signers) ? workspace.heldSigners.table(of: key) : nil
  }
}

extension Workspace {
  /// Decides stage 8 (8.1 to 8.4).
  fileprivate mutating func verifySignature(
    _ signer: SignerInfoView, of decoded: DecodedToken, by key: SignerReference, table: UnsafePointer<UInt64>?,
    _ operations: P256Operations?
  ) throws(TokenFault) {
    let digest = try signedDigest(signer, of: decoded)
    let bytes = cms.span
    let isGenuine =
      switch key {
      case .p256(let key):
        key._withUnsafeGuaranteedRef {
          signatureVerifier.verifies(bytes, in: signer.signature, digest: digest, by: $0, table: table, operations)
        }
      case .rsa(let key, _):
        key._withUnsafeGuaranteedRef { $0.signed(digest, with: bytes.extracting(signer.signature)) }
      }
    guard isGenuine else { throw TokenFault(.signatureMismatch) }
  }

  /// Decides 8.1, and returns the digest that the signature covers.
  mutating func signedDigest(_ signer: SignerInfoView, of decoded: DecodedToken) throws(TokenFault) -> Bytes32 {
    let content = SHA256.digest(of: signed.span.extracting(decoded.signedRange))
    guard content == Bytes32(cms.span, at: signer.attributes.messageDigest.lowerBound) else {
      throw TokenFault(.signatureMismatch)
    }
    return digestOfAttributes(signer.signedAttributes)
  }

  /// The signature covers the attributes with the tag SET OF instead of [0] (RFC 5652 5.4), so the tag is replaced
  /// while they are hashed.
  private mutating func digestOfAttributes(_ range: Range<Int>) -> Bytes32 {
    let tag = cms.address(at: range.lowerBound, count: 1)
    let written = tag.pointee
    tag.pointee = 0x31
    defer { tag.pointee = written }
    return SHA256.digest(of: cms.span.extracting(range))
  }
}

/// What results say about a signature.
struct SignatureFacts {
  /// The CMS signingTime.
  let signedAt: UnixTime
  /// The time that the certificates' validity was checked at.
  let verifiedAt: UnixTime
  let isFromSandbox: Bool
}

extension VerificationPolicy {
  /// Decides stage 9 (9.1).
  borrowing func checkSigningTime(_ signature: SignatureFacts, at now: UnixTime) throws(TokenFault) {
    if case .window(let seconds, _) = freshnessRule, signature.signedAt.absoluteDistance(to: now) > UInt64(seconds) {
      throw TokenFault(.signingTimeOutsideWindow)
    }
    if let signingTimes, !signingTimes.contains(signature.signedAt) { throw TokenFault(.signingTimeOutsideWindow) }
  }
}

import PaymentToken
import TokenScanning

/// The chain of a token, from the cache or verified for this token.
///
/// A chain enters the cache only after its leaf's key has verified a token's signature (stage 8). Until then
/// `ChainVerifier` verifies the chain for each token that has it. A valid chain alone is not enough: anyone can rewrite
/// the bytes of a genuine chain and keep it valid, with (r, n − s) in place of a certificate's (r, s), the certificates
/// in another order, or the root added or removed. Each rewriting would fill an entry.
struct FoundChain {
  /// Valid until stage 8 is decided; for a known chain, until the workspace's next token or the batch's next window.
  let facts: UnsafePointer<ChainFacts>
  /// Whether the chain was in the cache, and so in the workspace's snapshot.
  let isKnown: Bool
}

/// The signer and the signing time that a token claims. Stage 8 decides whether the signature is genuine.
struct SignatureClaim {
  let signer: SignerInfoView
  let chain: FoundChain
  let facts: SignatureFacts

  /// The leaf's key.
  var key: SignerReference { chain.facts.pointee.signer }
}

extension Workspace {
  /// Decides stage 5 except the certificates (Docs/Verification.md 5.1-5.12), which `chain` decides.
  @inline(__always)
  mutating func signedData(of decoded: DecodedToken) throws(TokenFault) -> SignedDataView {
    let (count, version) = (decoded.cmsSize, decoded.version)
    if let view = layouts.view(of: cms.span.extracting(first: count), version: version) { return view }
    do {
      let view = try SignedDataView(cms.span.extracting(first: count), version: version)
      let layout = SignedDataLayout(view, of: cms.span.extracting(first: count), version: version)
      layouts.add(layout, of: cms.address(count: count))
      return view
    } catch {
      throw TokenFault(.malformedSignature)
    }
  }
}

extension FastDecryptor {
  /// The verified chain of a CMS, from the cache or verified now. Decides the rest of stage 5, stage 6, and rules 7.1
  /// to 7.5.
  func chain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace
  ) throws(TokenFault) -> FoundChain {
    if let known = try knownChain(of: signedData, for: decoded, in: &workspace) { return known }
    let verified = try verify(signedData, of: decoded, in: workspace)
    workspace.unknownChain = verified
    return FoundChain(facts: verified.facts, isKnown: false)
  }

  private func verify(
    _ signedData: SignedDataView, of decoded: DecodedToken, in workspace: borrowing Workspace
  ) throws(TokenFault) -> VerifiedChain {
    let cms = workspace.cms.span.extracting(first: decoded.cmsSize)
    return try chainVerifier.verify(
      cms.extracting(signedData.certificates), signer: signedData.signer, in: cms, version: decoded.version)
  }

  /// The chain of a CMS from the cache, with 5.19, 6.4 and 7.4 checked; nil if it is not there.
  func knownChain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace
  ) throws(TokenFault) -> FoundChain? {
    guard let facts = cachedChain(of: signedData, in: &workspace) else { return nil }
    try facts.pointee.check(
      signedData.signer, in: workspace.cms.span.extracting(first: decoded.cmsSize), version: decoded.version)
    return FoundChain(facts: facts, isKnown: true)
  }

  /// The chain from the workspace's snapshot; if it is not there, from a newer one.
  private func cachedChain(
    of signedData: SignedDataView, in workspace: inout Workspace
  ) -> UnsafePointer<ChainFacts>? {
    var index = workspace.heldSigners.chainIndex(of: workspace.cms.span.extracting(signedData.certificates))
    if index == nil, workspace.heldSigners.update(from: signers) {
      index = workspace.heldSigners.chainIndex(of: workspace.cms.span.extracting(signedData.certificates))
    }
    return index.map { workspace.heldSigners.chain(at: $0) }
  }

  /// Adds a chain to the cache after stage 8 has passed.
  func remember(_ chain: FoundChain, in workspace: inout Workspace) {
    guard !chain.isKnown, let verified = workspace.unknownChain, verified.facts == chain.facts else { return }
    workspace.heldSigners.take(signers.learn(verified))
    workspace.unknownChain = nil
  }

  /// Decides rules 7.6 and 7.7, which are checked for every token, and returns the claim.
  func checkedClaim(
    _ signedData: SignedDataView, by chain: FoundChain, at now: UnixTime, under policy: borrowing VerificationPolicy
  ) throws(TokenFault) -> SignatureClaim {
    let signedAt = signedData.signer.attributes.signingTime
    let verifiedAt =
      switch policy.freshnessRule {
      case .window, .windowOff: now
      case .signingTime: signedAt
      }
    try chain.facts.pointee.check(at: verifiedAt, revoked: policy.revoked)
    return SignatureClaim(
      signer: signedData.signer, chain: chain,
      facts: SignatureFacts(
        signedAt: signedAt, verifiedAt: verifiedAt, isFromSandbox: chain.facts.pointee.isFromSandbox))
  }
}

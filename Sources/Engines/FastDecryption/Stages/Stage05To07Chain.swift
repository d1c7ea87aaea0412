import PaymentToken
import TokenScanning

/// How the engine finds the chain of a token, and when it remembers one.
///
/// Anyone can rewrite the bytes of a genuine chain and leave it valid: (r, s) of a certificate as (r, n − s), the certificates
/// in another order, with the root or without it. So a valid chain is worth nothing by itself: it is remembered once its leaf's
/// key has verified the signature of a token (stage 8), which needs a token that Apple signed. Until then, every token that
/// brings it is verified from the root down.
struct FoundChain {
  let verified: VerifiedChain
  /// Whether it was remembered, rather than verified for this token.
  let isKnown: Bool
}

/// Who is said to have signed a token, and when; whether the signature is genuine is yet to be decided.
struct SignatureClaim {
  let signer: SignerInfoView
  let chain: FoundChain
  let times: SignatureTimes

  /// The leaf's.
  var key: SignerKey { chain.verified.signer }
}

extension Workspace {
  /// Decides stage 5 but for the certificates (Docs/Verification.md 5.1-5.12); `ChainVerifier` decides the rest of it.
  @inline(__always)
  func signedData(of decoded: DecodedToken) throws(TokenFault) -> SignedDataView {
    do {
      return try SignedDataView(cms.span.extracting(first: decoded.signatureCount), version: decoded.version)
    } catch {
      throw TokenFault(.malformedSignature)
    }
  }
}

extension FastDecryptor {
  /// The verified chain of a CMS: from the workspace, from the cache, or verified now by `ChainVerifier`, which decides stage 6 and
  /// 7.1 to 7.5.
  func chain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace
  ) throws(TokenFault) -> FoundChain {
    if let known = try knownChain(of: signedData, for: decoded, in: &workspace) { return known }
    return try verifiedChain(of: signedData, for: decoded, in: workspace)
  }

  /// The chain of a CMS from the workspace or from the cache; nil when it has yet to be verified.
  func knownChain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace
  ) throws(TokenFault) -> FoundChain? {
    let known = try knownChain(
      of: signedData, in: workspace.cms.span.extracting(first: decoded.signatureCount), version: decoded.version,
      lastUsed: workspace.lastChain)
    guard let known else { return nil }
    if workspace.lastChain !== known { workspace.lastChain = known }
    return FoundChain(verified: known, isKnown: true)
  }

  private func knownChain(
    of signedData: SignedDataView, in cms: Span<UInt8>, version: TokenVersion, lastUsed: VerifiedChain?
  ) throws(TokenFault) -> VerifiedChain? {
    let certificates = cms.extracting(signedData.certificates)
    let known =
      if let lastUsed, lastUsed.holds(certificates, verifiedBy: verifier) { lastUsed } else {
        chains.value(for: certificates)
      }
    try known?.check(signedData.signer, in: cms, version: version)
    return known
  }

  private func verifiedChain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: borrowing Workspace
  ) throws(TokenFault) -> FoundChain {
    let cms = workspace.cms.span.extracting(first: decoded.signatureCount)
    let verified = try verifier.verify(
      cms.extracting(signedData.certificates), signer: signedData.signer, in: cms, version: decoded.version)
    return FoundChain(verified: verified, isKnown: false)
  }

  /// Remembers a chain by which stage 8 has just passed.
  func remember(_ chain: FoundChain, in workspace: inout Workspace) {
    guard !chain.isKnown else { return }
    let certificates = chain.verified.bytes
    chains.insert(chain.verified, for: certificates.span)
    workspace.lastChain = chain.verified
  }

  /// Stage 7 from 7.6 on: what of a verified chain is looked at every time.
  func claim(
    _ signedData: SignedDataView, by chain: FoundChain, at now: UnixTime, under policy: borrowing VerificationPolicy
  ) throws(TokenFault) -> SignatureClaim {
    let signedAt = signedData.signer.attributes.signingTime
    let verifiedAt =
      switch policy.freshness {
      case .window, .windowOff: now
      case .signingTime: signedAt
      }
    try chain.verified.check(at: verifiedAt, revoked: policy.revoked)
    return SignatureClaim(
      signer: signedData.signer, chain: chain, times: SignatureTimes(signed: signedAt, verified: verifiedAt))
  }
}

import MerchantKeys
import PaymentToken
import TokenScanning

/// The fast engine: verifies and decrypts payment tokens by the rules of Docs/Verification.md.
///
/// An engine is immutable except for its caches and can be shared by any number of threads. With a `Workspace` per
/// thread, it allocates no memory of its own for a token whose certificates it has seen before:
/// Benchmarks/Thresholds.json limits the allocations of `decrypt/fast/ec_v1` to 0. Engines read no clock, file or
/// environment for a verdict: time, keys, roots and policy are arguments.
///
/// ```swift
/// let engine = try FastDecryptor(keys: keys, anchors: .apple)
/// let token = try engine.decrypt(request.span, at: now, under: policy)
/// ```
///
/// A token whose certificates are not cached can take as long as 13 to 18 others. Anyone can send such tokens: Apple's
/// intermediate is public. An engine reads no clock, so it cannot limit how many it verifies a second. A
/// `DecryptionPool` does; without one, call `decryptOfKnownSigner`, and `decrypt` only as often as a limit of your own
/// allows (Docs/ThreatModel.md).
public final class FastDecryptor: Sendable {
  /// The merchants' keys.
  public let keys: MerchantKeySet
  let chainVerifier: ChainVerifier
  /// Chains whose leaf has signed a token, and tables of frequent leaves' keys.
  package let signers: KnownSigners
  let workspaces = WorkspacePool()
  /// The kernel that verifies signatures by keys with tables, and computes the key agreements of batches. libcrypto
  /// computes everything else, such as the key agreement of a single token.
  public let kernel: P256Kernel
  /// The kernel's functions; nil if libcrypto computes everything.
  let operations: P256Operations?

  /// The number of verified chains in the cache.
  package var knownChains: Int { signers.chainCount }

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - keys: the merchants' keys.
  ///   - anchors: the roots that chains must end in, usually `.apple`.
  ///   - kernel: the P-256 kernel to use. If this machine does not run it, the fastest available one is used.
  /// - Throws: `EngineError` for the first root that is not a certificate by rules 5.13 to 5.18, or for an algorithm
  ///   that libcrypto does not provide.
  public convenience init(
    keys: MerchantKeySet, anchors: TrustAnchors, kernel: P256Kernel = .preferred
  ) throws(EngineError) {
    try self.init(keys: keys, anchors: anchors, kernel: kernel, tables: .afterSomeUses)
  }

  /// Creates an engine, and chooses when it makes tables for signers.
  package init(
    keys: MerchantKeySet, anchors: TrustAnchors, kernel: P256Kernel, tables: KnownSigners.Moment
  ) throws(EngineError) {
    if let failure = Cryptography.failure { throw failure }
    self.keys = keys
    self.kernel = kernel.isAvailable ? kernel : .fastest
    operations = self.kernel.operations
    signers = KnownSigners(for: self.kernel, tables: tables)
    chainVerifier = try ChainVerifier(anchors)
  }

  private init(_ other: FastDecryptor, keys: MerchantKeySet) {
    self.keys = keys
    kernel = other.kernel
    operations = other.operations
    signers = other.signers
    chainVerifier = other.chainVerifier
  }

  /// Returns an engine for other keys that has the same roots and shares this engine's caches, so that replacing a
  /// merchant's key causes no chain to be verified again.
  public func replacingKeys(with keys: MerchantKeySet) -> FastDecryptor { FastDecryptor(self, keys: keys) }

  /// Verifies and decrypts one token, and passes it to `body` without copying it.
  ///
  /// - Parameters:
  ///   - request: the token (`PKPaymentToken.paymentData`), or the request that contains it, as `policy.envelope`
  ///     specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements.
  ///   - workspace: the buffers to use; a thread keeps one for all its calls.
  ///   - body: called once if the token is accepted. The plaintext is wiped when it returns.
  /// - Returns: the result of `body`.
  /// - Throws: the first `TokenFault` in the order of the stages (Docs/Verification.md), or a fault that `body` throws.
  public func decrypt<Result>(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let extracted = try workspace.extract(request, from: policy.envelope)
    return try decide(extracted, of: request, at: now, under: policy, in: &workspace, body)
  }

  /// Verifies and decrypts one token as `decrypt` does if its certificates are cached. Otherwise it reads the token
  /// (stages 0 to 5 without the certificates) and returns nil.
  ///
  /// For a token that gets nil, call `decrypt`, but only as often as a limit allows: an attacker can send any number of
  /// new certificates. `decrypt` caches the certificates of a genuine signature. Throws the same faults.
  public func decryptOfKnownSigner<Result>(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result? {
    let extracted = try workspace.extract(request, from: policy.envelope)
    let decoded = try workspace.decode(extracted, of: request)
    workspace.heldSigners.begin(with: signers)
    let signedData = try workspace.signedData(of: decoded)
    guard let chain = try knownChain(of: signedData, for: decoded, in: &workspace) else { return nil }
    return try finish(
      decoded, from: TokenOrigin(extracted), checkedClaim(signedData, by: chain, at: now, under: policy), at: now,
      under: policy, in: &workspace, body)
  }

  /// Decides the rest of stage 0 and all later stages, each with its own function.
  func decide<Result>(
    _ extracted: ExtractedToken, of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    // 0 to 4: size, JSON, parts, encodings
    let decoded = try workspace.decode(extracted, of: request)
    // 5 to 7: the signature's shape, certificates, chain
    workspace.heldSigners.begin(with: signers)
    let signedData = try workspace.signedData(of: decoded)
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    let claim = try checkedClaim(signedData, by: chain, at: now, under: policy)
    return try finish(decoded, from: TokenOrigin(extracted), claim, at: now, under: policy, in: &workspace, body)
  }

  /// Decides stages 8 to 14 of a token whose chain is verified.
  private func finish<Result>(
    _ decoded: DecodedToken, from origin: TokenOrigin, _ claim: SignatureClaim, at now: UnixTime,
    under policy: borrowing VerificationPolicy, in workspace: inout Workspace,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    // 8 and 9: signature, signing time
    try verifySignature(claim, of: decoded, in: &workspace)
    try policy.checkSigningTime(claim.facts, at: now)
    // 10 to 12: merchant key, symmetric key, decryption
    defer { workspace.wipe(plaintextCount: decoded.content.ciphertextCount) }
    try workspace.deriveKey(for: decoded.content, with: keys)
    try workspace.decrypt(decoded.content)
    // 13 and 14: payload, expectations
    return try deliver(decoded, from: origin, claim.facts, at: now, under: policy, in: &workspace, to: body)
  }

  /// Decides stages 13 and 14 of the plaintext in the workspace, and passes the opened token to `body`.
  ///
  /// - Parameter asksStore: false leaves the replay store to `body`.
  func deliver<Result>(
    _ decoded: DecodedToken, from origin: TokenOrigin, _ signature: SignatureFacts, at now: UnixTime,
    under policy: borrowing VerificationPolicy, in workspace: inout Workspace, asksStore: Bool = true,
    to body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let payload = try workspace.payload(of: decoded.content)
    let count = decoded.content.ciphertextCount
    try policy.checkExpectations(
      decoded, from: origin, payload, in: workspace.plaintext.span.extracting(first: count), at: now,
      asksStore: asksStore)
    return try body(
      OpenedToken(
        OpenedToken.Facts(
          envelope: origin.envelope, version: decoded.version, transactionId: decoded.transactionId,
          publicKeyHash: decoded.content.publicKeyHash, applicationData: decoded.applicationData,
          signature: signature, fields: payload),
        ephemeralPublicKey: workspace.signed.span.extracting(decoded.content.ephemeralPublicKey),
        plaintext: workspace.plaintext.span.extracting(first: count)))
  }
}

extension FastDecryptor: TokenDecryptor {
  /// `fast`, as results name this engine.
  public var name: String { "fast" }

  /// Verifies and decrypts one token with a workspace that the engine keeps, and returns a copy. The copy is ordinary
  /// memory, which is not wiped.
  ///
  /// - Parameters:
  ///   - request: the token (`PKPaymentToken.paymentData`), or the request that contains it, as `policy.envelope`
  ///     specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements.
  /// - Throws: the first `TokenFault` in the order of the stages (Docs/Verification.md), or `keyUnavailable` if there
  ///   is no memory for a workspace.
  public func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    let lease = try workspaces.lease()
    defer { workspaces.end(lease) }
    return try decrypt(request, at: now, under: policy, in: &lease.workspace) { opened throws(TokenFault) in
      try opened.copy()
    }
  }
}

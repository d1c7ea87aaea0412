import MerchantKeys
import PaymentToken
import TokenScanning

/// The fast engine: decides as Docs/Verification.md says, without an allocation of its own per token once warm.
///
/// Shared by any number of threads, each with a `Workspace` of its own.
public final class FastDecryptor: Sendable {
  /// The keys it opens tokens with.
  public let keys: MerchantKeySet
  let verifier: ChainVerifier
  let chains: LeastRecentlyUsed<VerifiedChain>
  let workspaces = WorkspacePool()
  /// What computes on P-256.
  public let kernel: P256Kernel
  /// What of it is code of our own.
  let operations: P256Operations?
  package let tables: SignerTables

  /// How many verified chains are remembered.
  package var knownChains: Int { chains.count }

  /// An engine for these keys and roots.
  ///
  /// - Parameter kernel: what computes on P-256; the fastest takes the place of one that does not run here.
  /// - Throws: the position of the first root that breaks the rules for certificates.
  public convenience init(
    keys: MerchantKeySet, anchors: TrustAnchors, kernel: P256Kernel = .preferred
  ) throws(TrustAnchorError) {
    try self.init(keys: keys, anchors: anchors, kernel: kernel, tables: .afterSomeUses)
  }

  /// As the other form, with a say in when signers get their tables.
  package init(
    keys: MerchantKeySet, anchors: TrustAnchors, kernel: P256Kernel, tables: SignerTables.Moment
  ) throws(TrustAnchorError) {
    self.keys = keys
    self.kernel = kernel.isAvailable ? kernel : .fastest
    operations = self.kernel.operations
    self.tables = SignerTables(for: self.kernel, made: tables)
    chains = LeastRecentlyUsed(capacity: 1_024)
    verifier = try ChainVerifier(anchors)
  }

  private init(_ other: FastDecryptor, keys: MerchantKeySet) {
    self.keys = keys
    kernel = other.kernel
    operations = other.operations
    tables = other.tables
    chains = other.chains
    verifier = other.verifier
  }

  /// An engine for other keys that trusts the same roots, and shares what this one knows of signers: none has to be
  /// verified anew when a merchant's key is replaced.
  public func replacingKeys(with keys: MerchantKeySet) -> FastDecryptor { FastDecryptor(self, keys: keys) }

  /// Verifies and opens one token and lends it to `body`.
  ///
  /// - Parameters:
  ///   - request: the token, `PKPaymentToken.paymentData`, or the request it came in, as `policy.envelope` says.
  ///   - now: the verification time.
  ///   - policy: the caller's demands.
  ///   - workspace: this thread's.
  ///   - body: called once if the token is accepted; what it is lent is wiped when it returns.
  /// - Throws: the first fault in the order of the stages.
  public func decrypt<Result>(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let extracted = try workspace.extract(request, from: policy.envelope)
    return try decrypt(extracted, of: request, at: now, under: policy, in: &workspace, body)
  }

  /// What follows once stage 0 has found the token: the stages of Docs/Verification.md, a function each.
  func decrypt<Result>(
    _ extracted: ExtractedToken, of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, _ body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    // 0 to 4: size, JSON, parts, encodings
    let decoded = try workspace.decode(extracted, of: request)
    // 5 to 7: the signature's shape, certificates, chain
    let signedData = try workspace.signedData(of: decoded)
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    let claim = try claim(signedData, by: chain, at: now, under: policy)
    // 8 and 9: signature, signing time
    try verifySignature(claim, of: decoded, table: claim.key.table(among: tables), in: &workspace)
    try policy.checkSigningTime(claim.times, at: now)
    // 10 to 12: merchant key, symmetric key, decryption
    defer { workspace.wipe(plaintextCount: decoded.content.ciphertextCount) }
    try workspace.deriveKey(for: decoded.content, with: keys)
    try workspace.decrypt(decoded.content)
    // 13 and 14: payload, expectations
    return try lend(
      decoded, from: TokenOrigin(extracted), claim.times, at: now, under: policy, in: &workspace, to: body)
  }

  /// Stages 13 and 14 of a token whose plaintext lies in the workspace, and lends it.
  func lend<Result>(
    _ decoded: DecodedToken, from origin: TokenOrigin, _ times: SignatureTimes, at now: UnixTime,
    under policy: borrowing VerificationPolicy, in workspace: inout Workspace,
    to body: (borrowing OpenedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let payload = try workspace.payload(of: decoded.content)
    let count = decoded.content.ciphertextCount
    try policy.checkExpectations(
      decoded, from: origin, payload, in: workspace.plaintext.span.extracting(first: count), at: now)
    return try body(
      OpenedToken(
        decoded, from: origin.envelope,
        ephemeralPublicKey: workspace.signed.span.extracting(decoded.content.ephemeralPublicKey),
        signedAt: times.signed, verifiedAt: times.verified,
        plaintext: workspace.plaintext.span.extracting(first: count), fields: payload))
  }
}

extension FastDecryptor: TokenDecryptor {
  public var name: String { "fast" }

  /// As the other form, with a workspace from a pool and the token copied out: convenient, and it allocates.
  public func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    let lease = workspaces.lease()
    defer { workspaces.giveBack(lease) }
    return try decrypt(request, at: now, under: policy, in: &lease.workspace) { opened throws(TokenFault) in
      try opened.copy()
    }
  }
}

import PaymentToken
import TokenScanning

extension FastDecryptor {
  /// Verifies and decrypts one token as `decrypt` does, but also accepts token parts without a signature ("Unsigned
  /// policy" of Docs/Verification.md).
  ///
  /// - Parameters:
  ///   - request: the token, or the request that contains it, as `policy.envelope` specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements.
  ///   - workspace: the buffers to use; a thread keeps one for all its calls.
  ///   - signed: called once if the token has a signature and passes every stage.
  ///   - unsigned: called once if the token has no signature, can be decrypted, and meets the policy's expectations.
  /// - Returns: the result of the closure that was called. The plaintext is wiped when that closure returns.
  /// - Throws: the first `TokenFault` in the order of the stages, or a fault that a closure throws.
  public func decryptAllowingUnsigned<Result>(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, signed: (borrowing OpenedToken) throws(TokenFault) -> Result,
    unsigned: (borrowing OpenedUnsignedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let extracted = try workspace.extract(request, from: policy.envelope)
    guard case .parts(let parts) = extracted.form, !parts.isSigned else {
      return try decide(extracted, of: request, at: now, under: policy, in: &workspace, signed)
    }
    try extracted.checkFields()
    let fields = try UnsignedFields(parts, isRemembered: policy.detectsReplays)
    let content = try workspace.decode(fields, of: request)
    defer { workspace.wipe(plaintextCount: content.ciphertextCount) }
    try workspace.deriveKey(for: content, with: keys)
    try workspace.decrypt(content)
    let payload = try workspace.payload(of: content)
    try policy.checkExpectationsUnsigned(
      TokenOrigin(extracted), payload, in: workspace.plaintext.span.extracting(first: content.ciphertextCount))
    return try unsigned(
      OpenedUnsignedToken(
        envelope: extracted.envelope, publicKeyHash: content.publicKeyHash,
        plaintext: workspace.plaintext.span.extracting(first: content.ciphertextCount), fields: payload))
  }

  /// Verifies and decrypts one token under the unsigned policy with a workspace that the engine keeps, and returns a
  /// copy. The copy is ordinary memory, which is not wiped.
  ///
  /// - Throws: the first `TokenFault` in the order of the stages, or `keyUnavailable` if there is no memory.
  public func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    let lease = try workspaces.lease()
    defer { workspaces.end(lease) }
    return try decryptAllowingUnsigned(
      request, at: now, under: policy, in: &lease.workspace,
      signed: { opened throws(TokenFault) in .signed(try opened.copy()) },
      unsigned: { opened throws(TokenFault) in .unsigned(try opened.copy()) })
  }
}

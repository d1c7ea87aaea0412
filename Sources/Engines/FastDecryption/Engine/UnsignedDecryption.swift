import PaymentToken
import TokenScanning

extension FastDecryptor {
  /// As `decrypt`, under the unsigned policy: parts without a signature are opened all the same and lent to `unsigned`.
  ///
  /// - Parameters:
  ///   - request: the token, or the request it came in, as `policy.envelope` says.
  ///   - now: the verification time.
  ///   - policy: the caller's demands.
  ///   - workspace: this thread's.
  ///   - signed: called once if the token has a signature and passes every stage.
  ///   - unsigned: called once if it is parts without a signature that open and are as expected.
  /// - Throws: the first fault in the order of the stages.
  public func decryptUnsigned<Result>(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace, signed: (borrowing OpenedToken) throws(TokenFault) -> Result,
    unsigned: (borrowing OpenedUnsignedToken) throws(TokenFault) -> Result
  ) throws(TokenFault) -> Result {
    let extracted = try workspace.extract(request, from: policy.envelope)
    guard case .parts(let parts) = extracted.form, !parts.isSigned else {
      return try decrypt(extracted, of: request, at: now, under: policy, in: &workspace, signed)
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

  /// As the other form, with a workspace from a pool and the token copied out: convenient, and it allocates.
  public func decryptUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> TokenUnderUnsignedPolicy {
    let lease = workspaces.lease()
    defer { workspaces.giveBack(lease) }
    return try decryptUnsigned(
      request, at: now, under: policy, in: &lease.workspace,
      signed: { opened throws(TokenFault) in .signed(try opened.copy()) },
      unsigned: { opened throws(TokenFault) in .unsigned(try opened.copy()) })
  }
}

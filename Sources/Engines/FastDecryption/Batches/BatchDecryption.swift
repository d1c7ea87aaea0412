import CP256
import MerchantKeys
import PaymentToken
import TokenScanning

extension FastDecryptor: BatchDecryptor {
  /// Verifies and decrypts any number of tokens, and reports a verdict for each, in the order of the requests.
  ///
  /// The verdicts are those of `decrypt` for one request after the other, and the replay store is asked in their order.
  /// With a kernel that has SIMD lanes, up to eight signatures or key agreements are computed at once, whichever
  /// merchants and signers the tokens have.
  ///
  /// - Parameters:
  ///   - requests: tokens, or the requests that contain them, as `policy.envelope` specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements, the same for all requests.
  ///   - batch: the buffers to use; a thread keeps one for all its calls.
  ///   - opened: called for each accepted token with its index in `requests`. The plaintext is wiped when it returns. A
  ///     fault that it throws is passed to `refused`.
  ///   - refused: called for each rejected token with its index and the first fault in the order of the stages.
  public func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: borrowing VerificationPolicy,
    in batch: inout BatchWorkspace, opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    refused: (Int, TokenFault) -> Void
  ) {
    decryptBatch(
      UniformRequests(bytes: requests, now: now, policy: copy policy), in: &batch, slowTokens: .decide, stores: .ask,
      opened: opened, awaitingStore: { _, _, _ in }, refused: refused, skipped: { _, _ in })
  }

  /// Decides requests that each have their own time and policy, in windows of up to 64.
  ///
  /// A window goes through stages 0 to 8 token by token, except the signatures of known chains whose signers have
  /// tables: the lanes verify these together. Then the lanes compute the shared secrets, and the remaining stages
  /// follow token by token. An operation that the lanes cannot decide is repeated by libcrypto.
  ///
  /// - Parameters:
  ///   - awaitingStore: called in place of `opened` for each token that only an asynchronous store can still reject, if
  ///     `stores` is `.leaveToCaller`. The caller must ask the store.
  ///   - skipped: called with the index of each request that is not decided because it takes long, and the reason.
  func decryptBatch(
    _ requests: some BatchedRequests, in batch: inout BatchWorkspace, slowTokens: SlowTokens,
    stores: AsynchronousStores, opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    awaitingStore: (Int, borrowing OpenedToken, AskableStore) -> Void,
    refused: (Int, TokenFault) -> Void, skipped: (Int, SlowReason) -> Void
  ) {
    var next = 0
    while next < requests.count {
      let first = next
      batch.workspace.heldSigners.begin(with: signers)
      while next < requests.count, batch.hasRoom {
        let outcome = requests.withRequest(next) { bytes, now, policy in
          read(bytes.span, at: now, under: policy, in: &batch, slowTokens: slowTokens)
        }
        batch.outcomes.append(outcome)
        next += 1
      }
      batch.verifySignatures(by: operations)
      batch.checkTimes(of: requests, from: first)
      batch.agree(with: keys, by: operations)
      reportOutcomes(
        requests, from: first, in: &batch, stores: stores, opened: opened, awaitingStore: awaitingStore,
        refused: refused, skipped: skipped)
      batch.clear()
    }
  }

  /// Decrypts the pending tokens of the window that begins at request `first`, and reports every verdict.
  private func reportOutcomes(
    _ requests: some BatchedRequests, from first: Int, in batch: inout BatchWorkspace, stores: AsynchronousStores,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    awaitingStore: (Int, borrowing OpenedToken, AskableStore) -> Void,
    refused: (Int, TokenFault) -> Void, skipped: (Int, SlowReason) -> Void
  ) {
    for position in batch.outcomes.indices {
      switch batch.outcomes[position] {
      case .refused(let fault): refused(first + position, fault)
      case .skipped(let reason): skipped(first + position, reason)
      case .pending(let token):
        let fault = requests.withPolicy(first + position) { now, policy in
          guard stores == .leaveToCaller, let store = policy.asynchronousStore else {
            return finish(token, at: now, under: policy, in: &batch, asksStore: true) { opening throws(TokenFault) in
              try opened(first + position, opening)
            }
          }
          return finish(token, at: now, under: policy, in: &batch, asksStore: false) { opening in
            awaitingStore(first + position, opening, store)
          }
        }
        if let fault { refused(first + position, fault) }
      }
    }
  }

  /// Verifies and decrypts any number of tokens with buffers of its own, and returns copies of the accepted ones, in
  /// the order of the requests. The copies are ordinary memory, which is not wiped. If there is no memory for the
  /// buffers, every result is `keyUnavailable`.
  public func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: VerificationPolicy
  ) -> [Result<DecryptedToken, TokenFault>] {
    guard var batch = BatchWorkspace() else { return requests.map { _ in .failure(TokenFault(.keyUnavailable)) } }
    return decryptBatch(UniformRequests(bytes: requests, now: now, policy: policy), in: &batch)
  }

  /// A request with its verification time and its policy.
  package typealias TimedRequest = (bytes: [UInt8], now: UnixTime, policy: VerificationPolicy)

  /// Decides requests together that each have their own time and policy, as a pool does, and returns copies.
  package func decryptBatch(
    _ requests: [TimedRequest], in batch: inout BatchWorkspace
  ) -> [Result<DecryptedToken, TokenFault>] {
    decryptBatch(MixedRequests(requests: requests), in: &batch)
  }

  /// Returns copies of the accepted tokens, in the order of the requests.
  private func decryptBatch(
    _ requests: some BatchedRequests, in batch: inout BatchWorkspace
  ) -> [Result<DecryptedToken, TokenFault>] {
    var results: [Result<DecryptedToken, TokenFault>] = []
    results.reserveCapacity(requests.count)
    decryptBatch(
      requests, in: &batch, slowTokens: .decide, stores: .ask,
      opened: { index, token throws(TokenFault) in
        precondition(index == results.count)
        results.append(.success(try token.copy()))
      },
      awaitingStore: { _, _, _ in },
      refused: { index, fault in
        precondition(index == results.count)
        results.append(.failure(fault))
      }, skipped: { _, _ in })
    return results
  }

  /// Decides stages 0 to 7, and stage 8 unless the chain is known and its signer has a table. Adds a pending token to
  /// `batch.tokens`.
  private func read(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in batch: inout BatchWorkspace, slowTokens: SlowTokens
  ) -> WindowOutcome {
    do throws(TokenFault) {
      let extracted = try batch.workspace.extract(request, from: policy.envelope)
      let decoded = try batch.workspace.decode(extracted, of: request)
      let signedData = try batch.workspace.signedData(of: decoded)
      guard let chain = try chain(of: signedData, for: decoded, in: &batch.workspace, slowTokens) else {
        return .skipped(.unknownChain)
      }
      // Only a token with a known chain is skipped here, so the thread that unwraps the key need not verify a chain.
      if slowTokens == .skip, decoded.hasWrappedKey { return .skipped(.wrappedKey) }
      let claim = try checkedClaim(signedData, by: chain, at: now, under: policy)
      if !chain.isKnown {
        // Verified now, not in a lane, so that later tokens of the batch find the chain in the cache.
        try verifySignature(claim, of: decoded, in: &batch.workspace)
      } else if case .p256(let key) = claim.key, let table = table(of: key, in: &batch.workspace) {
        try batch.addToLanes(claim.signer, of: decoded, by: key, table: table)
      } else {
        try verifySignature(claim, of: decoded, table: nil, in: &batch.workspace)
      }
      let offset = batch.keep(decoded.content)
      batch.tokens.append(
        ReadToken(
          position: batch.outcomes.count, origin: TokenOrigin(extracted), decoded: decoded, signature: claim.facts,
          offset: offset))
      return .pending(token: batch.tokens.count - 1)
    } catch {
      return .refused(error)
    }
  }

  private func chain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace, _ slowTokens: SlowTokens
  ) throws(TokenFault) -> FoundChain? {
    switch slowTokens {
    case .decide: try chain(of: signedData, for: decoded, in: &workspace)
    case .skipUnknownChains, .skip: try knownChain(of: signedData, for: decoded, in: &workspace)
    }
  }

  /// Decides stages 10 to 14 of `batch.tokens[index]`, and returns the fault, if any.
  private func finish(
    _ index: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    asksStore: Bool, _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) -> TokenFault? {
    do throws(TokenFault) {
      try open(index, at: now, under: policy, in: &batch, asksStore: asksStore, body)
      return nil
    } catch {
      return error
    }
  }

  private func open(
    _ index: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    asksStore: Bool, _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) {
    let token = batch.tokens[index]
    let content = token.decoded.content
    batch.restore(content, from: token.offset)
    defer { batch.workspace.wipe(plaintextCount: content.ciphertextCount) }
    if let key = token.secretKey {
      batch.workspace.secrets.sharedSecret.update(from: batch.secret(at: index), count: P256KeyAgreement.secretSize)
      batch.workspace.hashSecret(with: keys, at: key)
      try batch.workspace.decrypt(content, keepsKey: true)
    } else {
      try batch.workspace.deriveKey(for: content, with: keys)
      try batch.workspace.decrypt(content)
    }
    try deliver(
      token.decoded, from: token.origin, token.signature, at: now, under: policy, in: &batch.workspace,
      asksStore: asksStore, to: body)
  }
}

extension BatchWorkspace {
  /// Decides 8.1 and the signature's encoding (8.3) for the token being read. The lanes decide the rest of stage 8.
  mutating func addToLanes(
    _ info: SignerInfoView, of decoded: DecodedToken, by signer: Unmanaged<P256SignerKey>,
    table: UnsafePointer<UInt64>
  ) throws(TokenFault) {
    let digest = try workspace.signedDigest(info, of: decoded)
    let signature = assay_p256_signature(workspace.cms.span, in: info.signature, digest: digest, by: table)
    guard let signature else { throw TokenFault(.signatureMismatch) }
    signatures.append(
      WaitingSignature(token: tokens.count, signature: signature, digest: digest, signer: signer))
  }

  /// Decides stage 9 for the pending tokens of the window that begins at request `first`.
  mutating func checkTimes(of requests: some BatchedRequests, from first: Int) {
    for index in tokens.indices where isPending(index) {
      let position = tokens[index].position
      let signature = tokens[index].signature
      let fault: TokenFault? = requests.withPolicy(first + position) { now, policy in
        do throws(TokenFault) {
          try policy.checkSigningTime(signature, at: now)
          return nil
        } catch {
          return error
        }
      }
      if let fault { outcomes[position] = .refused(fault) }
    }
  }
}

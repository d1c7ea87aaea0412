import CP256
import MerchantKeys
import PaymentToken
import TokenScanning

extension FastDecryptor {
  /// Verifies and opens any number of tokens, and gives each its own verdict, in the order of the requests.
  ///
  /// What `decrypt` would say of each, one after the other; but eight tokens share the lanes of the kernel where there is
  /// one, whichever merchants and signers they have. The replay store is asked in the order of the requests.
  ///
  /// - Parameters:
  ///   - requests: tokens, or the requests they came in, as `policy.envelope` says.
  ///   - now: the verification time.
  ///   - policy: the caller's demands, the same of all.
  ///   - batch: this thread's.
  ///   - opened: called for each accepted token with its position; what it is lent is wiped when it returns. A fault it
  ///     throws goes to `refused`.
  ///   - refused: called for each refused token with its position and the first fault in the order of the stages.
  public func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: borrowing VerificationPolicy,
    in batch: inout BatchWorkspace, opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    refused: (Int, TokenFault) -> Void
  ) {
    decryptBatch(
      UniformRequests(bytes: requests, now: now, policy: copy policy), in: &batch, unknownChains: .verified,
      opened: opened, refused: refused, left: { _ in })
  }

  /// As the public form, with demands of each request's own, and a say in what becomes of certificates not seen yet.
  ///
  /// - Parameter left: called with the position of each request that is left undecided for its certificates.
  func decryptBatch(
    _ requests: some BatchedRequests, in batch: inout BatchWorkspace, unknownChains: UnknownChains,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void, refused: (Int, TokenFault) -> Void,
    left: (Int) -> Void
  ) {
    var next = 0
    while next < requests.count {
      let first = next
      while next < requests.count, batch.hasRoom {
        let outcome = requests.withRequest(next) { bytes, now, policy in
          read(bytes.span, at: now, under: policy, in: &batch, unknownChains: unknownChains)
        }
        batch.outcomes.append(outcome)
        next += 1
      }
      batch.verifySignatures(by: operations)
      batch.checkTimes(of: requests, from: first)
      batch.agree(with: keys, by: operations)
      deliver(requests, from: first, in: &batch, opened: opened, refused: refused, left: left)
      batch.clear()
    }
  }

  /// Opens what is left of the window, the first request of which is `first`, and tells every verdict.
  private func deliver(
    _ requests: some BatchedRequests, from first: Int, in batch: inout BatchWorkspace,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void, refused: (Int, TokenFault) -> Void,
    left: (Int) -> Void
  ) {
    var token = 0
    for position in batch.outcomes.indices {
      let isRead = token < batch.tokens.count && batch.tokens[token].position == position
      switch batch.outcomes[position] {
      case .refused(let fault): refused(first + position, fault)
      case .left: left(first + position)
      case .standing:
        let fault = requests.withRequest(first + position) { _, now, policy in
          finish(token, at: now, under: policy, in: &batch) { opening throws(TokenFault) in
            try opened(first + position, opening)
          }
        }
        if let fault { refused(first + position, fault) }
      }
      if isRead { token += 1 }
    }
  }

  /// As the other form, with a workspace of its own and the tokens copied out: convenient, and it allocates.
  public func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: VerificationPolicy
  ) -> [Result<DecryptedToken, TokenFault>] {
    guard var batch = BatchWorkspace() else { fatalError("no memory left for a batch workspace") }
    var results: [Result<DecryptedToken, TokenFault>] = []
    results.reserveCapacity(requests.count)
    decryptBatch(
      requests, at: now, under: policy, in: &batch,
      opened: { _, token throws(TokenFault) in results.append(.success(try token.copy())) },
      refused: { _, fault in results.append(.failure(fault)) })
    return results
  }

  /// Stages 0 to 7, and stage 8 unless the chain is known and its signer has a table; leaves a token that stands with those read.
  private func read(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in batch: inout BatchWorkspace, unknownChains: UnknownChains
  ) -> WindowOutcome {
    do throws(TokenFault) {
      let extracted = try batch.workspace.extract(request, from: policy.envelope)
      let decoded = try batch.workspace.decode(extracted, of: request)
      let signedData = try batch.workspace.signedData(of: decoded)
      guard let chain = try chain(of: signedData, for: decoded, in: &batch.workspace, unknownChains) else {
        return .left
      }
      let claim = try claim(signedData, by: chain, at: now, under: policy)
      if !chain.isKnown {
        // Decided at once, so that the tokens behind it find the chain.
        try verifySignature(claim, of: decoded, table: claim.key.table(among: tables), in: &batch.workspace)
      } else if case .p256(let key) = claim.key, let signer = batch.signer(for: key, among: tables) {
        try batch.postpone(claim.signer, of: decoded, by: signer)
      } else {
        try verifySignature(claim, of: decoded, table: nil, in: &batch.workspace)
      }
      let offset = batch.keep(decoded.content)
      batch.tokens.append(
        ReadToken(
          position: batch.outcomes.count, origin: TokenOrigin(extracted), decoded: decoded, times: claim.times,
          offset: offset))
      return .standing
    } catch {
      return .refused(error)
    }
  }

  private func chain(
    of signedData: SignedDataView, for decoded: DecodedToken, in workspace: inout Workspace, _ unknown: UnknownChains
  ) throws(TokenFault) -> FoundChain? {
    switch unknown {
    case .verified: try chain(of: signedData, for: decoded, in: &workspace)
    case .left: try knownChain(of: signedData, for: decoded, in: &workspace)
    }
  }

  /// Stages 10 to 14 of the token at `index` among those read; the fault, if there is one.
  private func finish(
    _ index: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) -> TokenFault? {
    do throws(TokenFault) {
      try open(index, at: now, under: policy, in: &batch, body)
      return nil
    } catch {
      return error
    }
  }

  private func open(
    _ index: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
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
    try lend(
      token.decoded, from: token.origin, token.times, at: now, under: policy, in: &batch.workspace, to: body)
  }
}

extension BatchWorkspace {
  /// Decides 8.1 of the token being read and leaves the rest of stage 8 to the lanes.
  mutating func postpone(
    _ info: SignerInfoView, of decoded: DecodedToken, by signer: Int
  ) throws(TokenFault) {
    let digest = try workspace.signedDigest(info, of: decoded)
    let signature = assay_p256_signature(
      workspace.cms.span, in: info.signature, digest: digest, by: signers[signer].table)
    guard let signature else { throw TokenFault(.signatureMismatch) }
    signatures.append(
      WaitingSignature(token: tokens.count, signature: signature, digest: digest, signer: signer))
  }

  /// Where a key that has a table stands among the window's signers; nil when it has none.
  mutating func signer(for key: P256SignerKey, among tables: SignerTables) -> Int? {
    for index in signers.indices where signers[index].key === key { return index }
    guard let table = tables.table(for: key) else { return nil }
    signers.append(BatchSigner(key: key, table: table))
    return signers.count - 1
  }

  /// Decides stage 9 for what is left of the window, the first request of which is `first`.
  mutating func checkTimes(of requests: some BatchedRequests, from first: Int) {
    for index in tokens.indices where isGood(index) {
      let position = tokens[index].position
      let times = tokens[index].times
      let fault: TokenFault? = requests.withRequest(first + position) { _, now, policy in
        do throws(TokenFault) {
          try policy.checkSigningTime(times, at: now)
          return nil
        } catch {
          return error
        }
      }
      if let fault { outcomes[position] = .refused(fault) }
    }
  }
}

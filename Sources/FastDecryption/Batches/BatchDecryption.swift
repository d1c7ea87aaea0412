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
    var next = 0
    while next < requests.count {
      let first = next
      while next < requests.count, batch.hasRoom {
        let request = requests[next]
        let fault = read(request.span, at: now, under: policy, in: &batch)
        batch.faults.append(fault)
        next += 1
      }
      batch.verifySignatures()
      batch.checkTimes(at: now, under: policy)
      if kernel == .lanes { batch.agree(with: keys) }
      deliver(first, at: now, under: policy, in: &batch, opened: opened, refused: refused)
      batch.clear()
    }
  }

  /// Opens what is left of the window, the first request of which is `first`, and tells every verdict.
  private func deliver(
    _ first: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void, refused: (Int, TokenFault) -> Void
  ) {
    var token = 0
    for position in batch.faults.indices {
      let isRead = token < batch.tokens.count && batch.tokens[token].position == position
      if let fault = batch.faults[position] {
        refused(first + position, fault)
      } else {
        do throws(TokenFault) {
          try finish(token, at: now, under: policy, in: &batch) { opening throws(TokenFault) in
            try opened(first + position, opening)
          }
        } catch {
          refused(first + position, error)
        }
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

  /// Stages 0 to 7, and stage 8 unless the signer has a table; returns the fault, or leaves the token with those read.
  private func read(
    _ request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in batch: inout BatchWorkspace
  ) -> TokenFault? {
    do throws(TokenFault) {
      let wrapped = try batch.workspace.unwrap(request, from: policy.envelope)
      let decoded = try batch.workspace.decode(wrapped, of: request)
      let claim = try claim(of: decoded, at: now, under: policy, in: &batch.workspace)
      if case .p256(let key) = claim.key, let signer = batch.signer(for: key, among: tables) {
        try batch.postpone(claim.signer, of: decoded, by: signer)
      } else {
        try batch.workspace.checkSignature(claim.signer, of: decoded, by: claim.key, table: nil)
      }
      let offset = batch.keep(decoded.content)
      batch.tokens.append(
        ReadToken(
          position: batch.faults.count, origin: TokenOrigin(wrapped), decoded: decoded, times: claim.times,
          offset: offset))
      return nil
    } catch {
      return error
    }
  }

  /// Stages 10 to 14 of the token at `index` among those read.
  private func finish(
    _ index: Int, at now: UnixTime, under policy: borrowing VerificationPolicy, in batch: inout BatchWorkspace,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) {
    let decoded = batch.tokens[index].decoded
    let content = decoded.content
    batch.restore(content, from: batch.tokens[index].offset)
    defer { batch.workspace.wipe(plaintextCount: content.ciphertextCount) }
    if let key = batch.tokens[index].secretKey {
      batch.workspace.secrets.sharedSecret.update(from: batch.secret(at: index), count: P256KeyAgreement.secretSize)
      try batch.workspace.openWithSecret(content, with: keys, at: key)
    } else {
      try batch.workspace.open(content, with: keys)
    }
    try finish(
      decoded, from: batch.tokens[index].origin, batch.tokens[index].times, at: now, under: policy,
      in: &batch.workspace, body)
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

  /// Decides stage 9 for what is left.
  mutating func checkTimes(at now: UnixTime, under policy: borrowing VerificationPolicy) {
    for index in tokens.indices where isGood(index) {
      do throws(TokenFault) {
        try policy.check(tokens[index].times, at: now)
      } catch {
        faults[tokens[index].position] = error
      }
    }
  }
}

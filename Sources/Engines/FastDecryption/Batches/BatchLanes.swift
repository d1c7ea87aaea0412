import CP256
import MerchantKeys
import PaymentToken

extension BatchWorkspace {
  /// Computes the shared secrets of EC_v1 tokens whose merchant key is in memory, unless these are too few. All other
  /// tokens, and those that the lanes reject or cannot decide, get their keys in `Workspace.deriveKey`.
  mutating func agree(with keys: MerchantKeySet, by operations: P256Operations?) {
    guard let operations, let agree = operations.agree else { return }
    for index in tokens.indices where isPending(index) {
      let offset = tokens[index].offset
      guard let key = laneKey(of: tokens[index].decoded.content, at: offset, among: keys) else { continue }
      agreements.append(WaitingAgreement(token: index, key: key, offset: offset))
    }
    guard agreements.count >= operations.minimumAgreements else { return }
    fillLanes(with: keys, by: agree)
    for index in agreements.indices where statuses[index] == UInt8(ASSAY_P256_DONE) {
      tokens[agreements[index].token].secretKey = agreements[index].key
    }
  }

  /// The index of the merchant key of a token that lanes can take; nil for any other token.
  private func laneKey(of content: EncryptedContent, at offset: Int, among keys: MerchantKeySet) -> Int? {
    guard case .agreement = content.version.traits.keyEstablishment,
      let key = keys.index(of: content.publicKeyHash, for: content.version),
      keys.externalAgreement(at: key) == nil,
      P256KeyInfo.isUncompressed(bytes.span.extracting(offset..<(offset + content.keySize)))
    else { return nil }
    return key
  }

  /// Computes the waiting agreements, a window at most.
  private mutating func fillLanes(with keys: MerchantKeySet, by agree: P256Operations.Agree) {
    statuses.removeAll(keepingCapacity: true)
    agreementLanes.removeAll(keepingCapacity: true)
    for waiting in agreements {
      statuses.append(UInt8(ASSAY_P256_UNSURE))
      agreementLanes.append(
        assay_p256_agreement(
          peer: bytes.address(at: waiting.offset + P256KeyInfo.coordinatesOffset, count: 64),
          scalar: keys.scalarAddress(at: waiting.key), secret: secret(at: waiting.token)))
    }
    withExtendedLifetime(keys) {
      agree(agreementLanes, agreementLanes.count, &statuses)
    }
  }
}

extension BatchWorkspace {
  /// Decides stage 8 for the waiting signatures, a window at most.
  mutating func verifySignatures(by operations: P256Operations?) {
    guard !signatures.isEmpty else { return }
    statuses.removeAll(keepingCapacity: true)
    for _ in signatures { statuses.append(UInt8(ASSAY_P256_UNSURE)) }
    if let operations, let generator = SignerTable.generatorWords { fillLanes(by: operations, with: generator) }
    for index in signatures.indices where !isGenuine(index) {
      outcomes[tokens[signatures[index].token].position] = .refused(TokenFault(.signatureMismatch))
    }
  }

  /// Verifies the waiting signatures as far as the kernel can decide them.
  private mutating func fillLanes(by operations: P256Operations, with generator: UnsafePointer<UInt64>) {
    lanes.removeAll(keepingCapacity: true)
    for index in signatures.indices { lanes.append(signatures[index].signature) }
    if lanes.count < operations.minimumSignatures {
      for index in lanes.indices { statuses[index] = operations.verifyOne(generator, &lanes[index]) }
    } else {
      operations.verify(generator, lanes, lanes.count, &statuses)
    }
  }

  /// Whether the waiting signature is genuine. If the kernel left it undecided, libcrypto decides.
  private func isGenuine(_ index: Int) -> Bool {
    if let verdict = assay_p256_signature.verdict(statuses[index]) { return verdict }
    let waiting = signatures[index]
    return waiting.signer._withUnsafeGuaranteedRef {
      workspace.signatureVerifier.verifiesByLibcrypto(waiting.signature, digest: waiting.digest, by: $0)
    }
  }
}

import CP256
import PaymentToken

extension BatchWorkspace {
  /// Decides stage 8 for the signatures that wait, a window at most.
  mutating func verifySignatures(by operations: P256Operations?) {
    guard !signatures.isEmpty, let operations, let generator = SignerTable.generator else { return }
    statuses.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
    for index in signatures.indices { lanes.append(signatures[index].signature) }
    if lanes.count < operations.minimumSignatures {
      for index in lanes.indices { statuses.append(operations.verifyOne(generator.words, &lanes[index])) }
    } else {
      for _ in lanes { statuses.append(UInt8(ASSAY_P256_UNSURE)) }
      operations.verify(generator.words, lanes, lanes.count, &statuses)
    }
    for index in signatures.indices where !isGenuine(index) {
      outcomes[tokens[signatures[index].token].position] = .refused(TokenFault(.signatureMismatch))
    }
  }

  private func isGenuine(_ index: Int) -> Bool {
    if let verdict = assay_p256_signature.verdict(statuses[index]) { return verdict }
    let waiting = signatures[index]
    return workspace.verifier.verifies(waiting.signature, digest: waiting.digest, by: signers[waiting.signer].key)
  }
}

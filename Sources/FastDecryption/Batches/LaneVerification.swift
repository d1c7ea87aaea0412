import CP256
import PaymentToken

extension BatchWorkspace {
  /// From so many signatures on all lanes at once take less time than one signature after the other.
  private static var leastSignatures: Int { 4 }

  /// Decides stage 8 for the signatures that wait, a window at most.
  mutating func verifySignatures() {
    guard !signatures.isEmpty, let generator = SignerTable.generator else { return }
    statuses.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
    for index in signatures.indices { lanes.append(signatures[index].signature) }
    if lanes.count < Self.leastSignatures {
      for index in lanes.indices { statuses.append(assay_p256_verify_one(generator.words, &lanes[index])) }
    } else {
      for _ in lanes { statuses.append(UInt8(ASSAY_P256_UNSURE)) }
      assay_p256_verify(generator.words, lanes, lanes.count, &statuses)
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

import CP256
import PaymentToken

extension BatchWorkspace {
  /// From so many signatures on all lanes at once take less time than one signature after the other.
  private static var leastSignatures: Int { 4 }

  /// Decides stage 8 for the signatures that wait.
  mutating func verifySignatures() {
    guard let generator = SignerTable.generator else { return }
    var first = 0
    while first < signatures.count {
      let count = min(signatures.count - first, Int(ASSAY_P256_LANES))
      verifySignatures(first..<(first + count), generator)
      first += count
    }
  }

  private mutating func verifySignatures(_ range: Range<Int>, _ generator: SignerTable) {
    var statuses = InlineArray<8, UInt8>(repeating: UInt8(ASSAY_P256_UNSURE))
    if range.count < Self.leastSignatures {
      for index in range {
        statuses[index - range.lowerBound] = withUnsafePointer(to: signatures[index].signature) {
          assay_p256_verify_one(generator.words, $0)
        }
      }
    } else {
      var lanes = InlineArray<8, assay_p256_signature>(repeating: signatures[range.lowerBound].signature)
      for index in range { lanes[index - range.lowerBound] = signatures[index].signature }
      let span = lanes.span
      var results = statuses.mutableSpan
      span.withUnsafeBufferPointer { lanes in
        results.withUnsafeMutableBufferPointer { results in
          assay_p256_verify(generator.words, lanes.baseAddress, range.count, results.baseAddress)
        }
      }
    }
    for index in range where !isGenuine(signatures[index], statuses[index - range.lowerBound]) {
      tokens[signatures[index].token] = .refused(TokenFault(.signatureMismatch))
    }
  }

  private func isGenuine(_ waiting: WaitingSignature, _ status: UInt8) -> Bool {
    assay_p256_signature.verdict(status)
      ?? workspace.verifier.verifies(waiting.signature, digest: waiting.digest, by: waiting.key)
  }
}

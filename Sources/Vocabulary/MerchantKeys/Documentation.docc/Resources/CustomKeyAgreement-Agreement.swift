import PaymentToken

/// Shared secrets from a key service.
struct RemoteKeyAgreement: KeyAgreement {
  let service: any KeyService
  let key: String

  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    let point = peer.withUnsafeBufferPointer { [UInt8]($0) }
    guard
      var answer = try? service.sharedSecret(of: key, with: point, timeout: .milliseconds(200)),
      answer.count == secret.count
    else { throw KeyUnavailable() }
    for index in answer.indices {
      secret[index] = answer[index]
      answer[index] = 0
    }
  }
}

import Gateways
import MerchantKeys
import PaymentToken

/// What engines need to be made for a group, and to judge its tests.
extension VectorGroup {
  /// The merchants' keys.
  ///
  /// - Throws: what loading keys throws.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    var files: [KeyFile] = []
    var merchantIDs: [MerchantIDAssignment] = []
    for (index, key) in keys.enumerated() {
      let name = "keys[\(index)]"
      files.append(KeyFile(name: name, bytes: Array(key.privateKeyPem.utf8)))
      if let certificate = key.certificatePem {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: Array(certificate.utf8)))
      }
      if let merchantId = key.merchantId { merchantIDs.append(.file(name: name, merchantID: merchantId)) }
    }
    return try MerchantKeySet.load(files: files, merchantIDs: merchantIDs)
  }

  /// The roots to trust.
  ///
  /// - Throws: what loading certificates throws.
  public func trustAnchors() throws(KeyError) -> TrustAnchors {
    try TrustAnchors.load(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }

  /// The policy for a test and its prelude, with a replay store of their own; nil for an envelope of no known name.
  public func verificationPolicy(for test: VectorTest) -> VerificationPolicy? {
    let selection: EnvelopeSelection
    if policy.envelope == "auto" {
      selection = .automatic
    } else {
      guard let envelope = Envelope.named(policy.envelope) else { return nil }
      selection = .named(envelope)
    }
    let freshness: Freshness
    if let windowSeconds {
      let store = MemoryReplayStore(capacity: test.prelude.count + 1, longestWindow: windowSeconds)
      freshness = .window(seconds: windowSeconds, replay: policy.replay ? store : nil)
    } else {
      freshness = .windowOff
    }
    return VerificationPolicy(
      envelope: selection, freshness: freshness, revoked: RevokedCertificates(policy.revoked),
      expectations: policy.expect)
  }

  /// What an engine that was made for this group says about one of its tests; nil for an envelope of no known name.
  public func verdict(of test: VectorTest, by engine: any TokenDecryptor) -> VectorVerdict? {
    guard let demands = verificationPolicy(for: test) else { return nil }
    for earlier in test.prelude { _ = verdict(of: earlier, by: engine, under: demands) }
    return verdict(of: test.token, by: engine, under: demands)
  }

  private func verdict(
    of token: [UInt8], by engine: any TokenDecryptor, under demands: VerificationPolicy
  ) -> VectorVerdict {
    do {
      guard policy.unsigned else {
        return .accept(plaintext: try engine.decrypt(token.span, at: at, under: demands).plaintext)
      }
      switch try engine.decryptUnsigned(token.span, at: at, under: demands) {
      case .signed(let opened): return .accept(plaintext: opened.plaintext)
      case .unsigned(let opened): return .accept(plaintext: opened.plaintext)
      }
    } catch {
      return .reject(error)
    }
  }
}

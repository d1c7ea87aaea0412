import Gateways
import MerchantKeys
import PaymentToken

/// What engines are made with, from the words of the line protocol.
extension [VectorKey] {
  /// The merchants' keys; copies made of private ones are wiped.
  ///
  /// - Throws: what loading keys throws.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    var merchantIDs: [MerchantIDAssignment] = []
    for (index, key) in enumerated() {
      let name = "keys[\(index)]"
      files.append(KeyFile(name: name, bytes: [UInt8](key.privateKeyPem.utf8)))
      if let certificate = key.certificatePem {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: [UInt8](certificate.utf8)))
      }
      if let merchantId = key.merchantId { merchantIDs.append(.file(name: name, merchantID: merchantId)) }
    }
    return try MerchantKeySet.load(files: files, merchantIDs: merchantIDs)
  }
}

extension TrustAnchors {
  /// The roots to trust, each as PEM.
  ///
  /// - Throws: what loading certificates throws.
  public static func load(rootsPem: [String]) throws(KeyError) -> TrustAnchors {
    try load(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }
}

extension VectorPolicy {
  /// The policy as engines understand it, with a replay store that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - window: in seconds; nil when the signing time does not matter. Without one, replays are not looked for.
  ///   - tokens: how many tokens the store must hold.
  /// - Returns: nil for the name of no envelope.
  public func verificationPolicy(window: UInt32?, tokens: Int) -> VerificationPolicy? {
    guard let selection else { return nil }
    let store = window.flatMap { replay ? MemoryReplayStore(capacity: tokens, longestWindow: $0) : nil }
    return VerificationPolicy(
      envelope: selection, freshness: window.map { .window(seconds: $0, replay: store) } ?? .windowOff,
      revoked: RevokedCertificates(revoked), expectations: expect)
  }

  private var selection: EnvelopeSelection? {
    envelope == "auto" ? .automatic : Envelope.named(envelope).map { .named($0) }
  }
}

extension VectorGroup {
  /// What an engine that was made for this group says about one of its tests; nil for an envelope of no known name.
  public func verdict(of test: VectorTest, by engine: any TokenDecryptor) -> VectorVerdict? {
    guard let demands = policy.verificationPolicy(window: windowSeconds, tokens: test.prelude.count + 1) else {
      return nil
    }
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

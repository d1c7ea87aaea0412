public import MerchantKeys
public import PaymentToken

/// The merchants' keys and the roots that an engine is made with, as PEM.
public struct TestSetting: Hashable, Sendable {
  /// The merchants' keys.
  public var keys: [TestKey]
  /// The roots to trust, each as PEM; when empty, nothing is trusted.
  public var rootsPem: [String]
  /// Whether these are known test keys. Other keys are passed to other programs only with the user's consent.
  public var hasTestKeys: Bool

  /// Keys and roots.
  public init(keys: [TestKey], rootsPem: [String], hasTestKeys: Bool) {
    self.keys = keys
    self.rootsPem = rootsPem
    self.hasTestKeys = hasTestKeys
  }

  /// Loads the merchants' keys; temporary copies of private keys are wiped.
  ///
  /// - Throws: `KeyError` when a key cannot be loaded.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    var merchantIDs: [MerchantIDAssignment] = []
    var external: [ExternalECKey] = []
    var externalRSA: [ExternalRSAKey] = []
    for (index, key) in keys.enumerated() {
      let name = "keys[\(index)]"
      if key.holder == .merchant {
        files.append(KeyFile(name: name, bytes: [UInt8](key.privateKeyPem.utf8)))
      } else {
        try key.addExternalKey(named: name, to: &external, &externalRSA)
      }
      if let certificate = key.certificatePem {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: [UInt8](certificate.utf8)))
      }
      // The merchant identifier of an external key is in its certificate.
      if let merchantId = key.merchantId, key.holder == .merchant {
        merchantIDs.append(.file(name: name, merchantID: merchantId))
      }
    }
    return try MerchantKeySet(
      files: files, merchantIDs: merchantIDs, externalECKeys: external, externalRSAKeys: externalRSA)
  }

  /// Whether other programs can use these keys: none of the keys is silent.
  public var isForOtherPrograms: Bool { keys.allSatisfy { $0.holder != .silent } }

  /// Loads the roots to trust.
  ///
  /// - Throws: `KeyError` when a certificate cannot be loaded.
  public func trustAnchors() throws(KeyError) -> TrustAnchors {
    try TrustAnchors(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }
}

// String interpolation and `dump` would otherwise print private keys by reflection.
extension TestSetting: RedactedReflection {
  public var description: String { "TestSetting(\(keys.count) keys, \(rootsPem.count) roots)" }
}

extension TestKey: RedactedReflection {
  public var description: String { "TestKey(\(holder.rawValue))" }
}

/// A merchant's key as text.
public struct TestKey: Hashable, Sendable {
  /// PKCS #8.
  public var privateKeyPem: String
  /// The payment processing certificate, which names the merchant; nil if there is none.
  public var certificatePem: String?
  /// The merchant identifier; may be nil if there is a certificate, and for a key of RSA_v1.
  public var merchantId: String?
  /// Who computes with the key.
  public var holder: Holder

  /// Who computes with a key.
  public enum Holder: String, Hashable, Sendable, CaseIterable {
    /// The engine, from the private key.
    case merchant
    /// An external key with a certificate (rule 11.3). Other programs are given the private key.
    case external
    /// An external key with a certificate that never answers (rule 11.3).
    case silent
  }

  /// A key and its merchant.
  public init(
    privateKeyPem: String, certificatePem: String?, merchantId: String? = nil, holder: Holder = .merchant
  ) {
    self.privateKeyPem = privateKeyPem
    self.certificatePem = certificatePem
    self.merchantId = merchantId
    self.holder = holder
  }

  /// The same key with another holder.
  public func held(by holder: Holder) -> TestKey {
    var key = self
    key.holder = holder
    return key
  }
}

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
    for (index, key) in keys.enumerated() {
      let name = "keys[\(index)]"
      files.append(KeyFile(name: name, bytes: [UInt8](key.privateKeyPem.utf8)))
      if let certificate = key.certificatePem {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: [UInt8](certificate.utf8)))
      }
      if let merchantId = key.merchantId { merchantIDs.append(.file(name: name, merchantID: merchantId)) }
    }
    return try MerchantKeySet.load(files: files, merchantIDs: merchantIDs)
  }

  /// Loads the roots to trust.
  ///
  /// - Throws: `KeyError` when a certificate cannot be loaded.
  public func trustAnchors() throws(KeyError) -> TrustAnchors {
    try TrustAnchors.load(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }
}

// String interpolation and `dump` would otherwise print private keys by reflection.
extension TestSetting: CustomStringConvertible, CustomReflectable {
  public var description: String { "TestSetting(\(keys.count) keys, \(rootsPem.count) roots)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A merchant's key as text.
public struct TestKey: Hashable, Sendable {
  /// PKCS #8.
  public var privateKeyPem: String
  /// The payment processing certificate, which names the merchant; nil when `merchantId` names it.
  public var certificatePem: String?
  /// The merchant identifier; nil when there is a certificate.
  public var merchantId: String?

  /// A key and its merchant.
  public init(privateKeyPem: String, certificatePem: String?, merchantId: String? = nil) {
    self.privateKeyPem = privateKeyPem
    self.certificatePem = certificatePem
    self.merchantId = merchantId
  }
}

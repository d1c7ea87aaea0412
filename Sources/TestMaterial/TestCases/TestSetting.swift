public import MerchantKeys
public import PaymentToken

/// What an engine is made with: merchants' keys and roots, as the line protocol has them.
public struct TestSetting: Hashable, Sendable {
  /// The merchants' keys.
  public var keys: [TestKey]
  /// The roots to trust, each as PEM; none means that nothing is trusted.
  public var rootsPem: [String]
  /// Whether the keys are known to be worthless. Others are given to no program without the user's word.
  public var hasTestKeys: Bool

  /// Keys and roots.
  public init(keys: [TestKey], rootsPem: [String], hasTestKeys: Bool) {
    self.keys = keys
    self.rootsPem = rootsPem
    self.hasTestKeys = hasTestKeys
  }

  /// The merchants' keys, loaded; copies made of private ones are wiped.
  ///
  /// - Throws: what loading keys throws.
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

  /// The roots to trust, loaded.
  ///
  /// - Throws: what loading certificates throws.
  public func trustAnchors() throws(KeyError) -> TrustAnchors {
    try TrustAnchors.load(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }
}

// Interpolation and `dump` would reach private keys by reflection.
extension TestSetting: CustomStringConvertible, CustomReflectable {
  public var description: String { "TestSetting(\(keys.count) keys, \(rootsPem.count) roots)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A merchant's key as text.
public struct TestKey: Hashable, Sendable {
  /// PKCS #8.
  public var privateKeyPem: String
  /// The payment processing certificate, which names the merchant; nil where `merchantId` does.
  public var certificatePem: String?
  /// The merchant identifier, where there is no certificate.
  public var merchantId: String?

  /// A key and its merchant.
  public init(privateKeyPem: String, certificatePem: String?, merchantId: String? = nil) {
    self.privateKeyPem = privateKeyPem
    self.certificatePem = certificatePem
    self.merchantId = merchantId
  }
}

import COpenSSL

/// The private keys in a .p12 file (PFX, RFC 7292), and the certificates as DER.
struct PKCS12Contents {
  private(set) var secrets: [MerchantSecret] = []
  private(set) var certificates: [[UInt8]] = []
  /// Whether any part or bag is encrypted.
  private(set) var isEncrypted = false

  /// The maximum nesting depth of bags, more than any known writer uses.
  private static let depthLimit = 4

  private var budget: KeyDerivationBudget

  /// Reads a PFX in BER or DER, which must take up all of `bytes`, and checks its MAC, within the rest of the file's
  /// budget. `password` is nil if the file has none.
  ///
  /// - Throws: `malformedPKCS12`, `passwordNeeded`, `wrongPassword`, `unsupportedEncryption`, `excessiveKeyDerivation`,
  ///   or a code for private keys.
  init(_ bytes: [UInt8], password: Password?, _ budget: inout KeyDerivationBudget) throws(KeyError) {
    self.budget = budget
    let callersErrors = CallersErrors()
    defer {
      budget = self.budget
      callersErrors.restore()
    }
    var file = PKCS12_init_ex(NID_pkcs7_data, KeyFileEncryption.context, nil)
    defer { PKCS12_free(file) }
    let isWhole = bytes.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard file != nil, d2i_PKCS12(&file, &next, bytes.count) != nil else { return false }
      return next == bytes.baseAddress.map { $0 + bytes.count }
    }
    guard isWhole, let file else { throw CallersErrors.failure(.malformedPKCS12) }
    guard let password else {
      try read(file, nil, 0)
      return
    }
    try password.withBytes { (text) throws(KeyError) in try read(file, text, Int32(password.count)) }
  }

  private mutating func read(_ file: OpaquePointer, _ password: UnsafePointer<CChar>?, _ count: Int32) throws(KeyError)
  {
    let password = try verified(password, count, of: file)
    guard let parts = PKCS12_unpack_authsafes(file) else { throw CallersErrors.failure(.malformedPKCS12) }
    defer { assay_sk_PKCS7_pop_free(parts) }
    for index in 0..<assay_sk_PKCS7_num(parts) {
      guard let part = assay_sk_PKCS7_value(parts, index) else { throw KeyError(.malformedPKCS12) }
      let bags: OpaquePointer?
      if assay_PKCS7_type_is_data(part) == 1 {
        bags = PKCS12_unpack_p7data(part)
      } else if assay_PKCS7_type_is_encrypted(part) == 1 {
        isEncrypted = true
        try budget.pay(for: part.pointee.d.encrypted?.pointee.enc_data?.pointee.algorithm)
        bags = PKCS12_unpack_p7encdata(part, password, count)
        if bags == nil { throw KeyFileEncryption.failure(hasPassword: password != nil) }
      } else {
        throw KeyError(.unsupportedEncryption)
      }
      guard let bags else { throw CallersErrors.failure(.malformedPKCS12) }
      defer { assay_sk_PKCS12_SAFEBAG_pop_free(bags) }
      try read(bags: bags, password, count, depth: 1)
    }
  }

  /// The password with which the MAC verifies. Writers encode an empty password as no bytes or as two zero bytes.
  private mutating func verified(
    _ password: UnsafePointer<CChar>?, _ count: Int32, of file: OpaquePointer
  ) throws(KeyError) -> UnsafePointer<CChar>? {
    guard PKCS12_mac_present(file) == 1 else { return password }
    try budget.pay(forMACOf: file)
    if count > 0 {
      guard PKCS12_verify_mac(file, password, count) == 1 else { throw KeyFileEncryption.failure(hasPassword: true) }
      return password
    }
    if PKCS12_verify_mac(file, nil, 0) == 1 { return nil }
    try budget.pay(forMACOf: file)
    if PKCS12_verify_mac(file, Self.empty, 0) == 1 { return Self.empty }
    throw KeyFileEncryption.failure(hasPassword: password != nil)
  }

  private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
    let empty = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    empty.initialize(to: 0)
    return UnsafePointer(empty)
  }()

  private mutating func read(
    bags: OpaquePointer, _ password: UnsafePointer<CChar>?, _ count: Int32, depth: Int
  ) throws(KeyError) {
    guard depth <= PKCS12Contents.depthLimit else { throw KeyError(.malformedPKCS12) }
    for index in 0..<assay_sk_PKCS12_SAFEBAG_num(bags) {
      guard let bag = assay_sk_PKCS12_SAFEBAG_value(bags, index) else { throw KeyError(.malformedPKCS12) }
      switch PKCS12_SAFEBAG_get_nid(bag) {
      case NID_keyBag:
        try add(PKCS12_SAFEBAG_get0_p8inf(bag))
      case NID_pkcs8ShroudedKeyBag:
        isEncrypted = true
        var algorithm: UnsafePointer<X509_ALGOR>?
        if let encrypted = PKCS12_SAFEBAG_get0_pkcs8(bag) { X509_SIG_get0(encrypted, &algorithm, nil) }
        try budget.pay(for: algorithm)
        guard let info = PKCS12_decrypt_skey_ex(bag, password, count, KeyFileEncryption.context, nil) else {
          throw KeyFileEncryption.failure(hasPassword: password != nil)
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        try add(info)
      case NID_certBag:
        try addCertificate(in: bag)
      case NID_safeContentsBag:
        guard let inner = PKCS12_SAFEBAG_get0_safes(bag) else { throw KeyError(.malformedPKCS12) }
        try read(bags: inner, password, count, depth: depth + 1)
      default:
        continue
      }
    }
  }

  private mutating func add(_ info: OpaquePointer?) throws(KeyError) {
    guard let info else { throw KeyError(.malformedPKCS12) }
    var key = try PrivateKeyInfo(info: info)
    defer { key.wipe() }
    let secret = try MerchantSecret(key)
    try budget.pay(forCheckOf: secret)
    secrets.append(secret)
  }

  private mutating func addCertificate(in bag: OpaquePointer) throws(KeyError) {
    guard PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate else { return }
    guard let certificate = PKCS12_SAFEBAG_get1_cert(bag) else { throw CallersErrors.failure(.malformedPKCS12) }
    defer { X509_free(certificate) }
    guard let der = LibcryptoCoding.encoded({ i2d_X509(certificate, $0) }) else { throw KeyError(.memoryUnavailable) }
    certificates.append(der)
  }
}

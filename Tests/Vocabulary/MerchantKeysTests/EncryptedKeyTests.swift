import COpenSSL
import Foundation
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

@Suite(.blocking, .enabled(if: OpenSSLTool.isInstalled)) struct EncryptedKeyTests {
  static let password = "open sesame ü"
  static let key = KeyFileTests.key
  static let rsa = KeyFileTests.rsa2048
  static let merchantID = KeyFileTests.merchantID

  static func password(_ text: String) throws -> Password { try Password(fileContents: Array(text.utf8)) }

  static func load(_ bytes: [UInt8], _ password: String?) throws -> MerchantKeySet {
    let file = KeyFile(name: "file", bytes: bytes, password: try password.map { try Self.password($0) })
    return try MerchantKeySet(files: [file], merchantIDs: merchantID)
  }

  static func code(_ bytes: [UInt8], _ password: String?) -> KeyError.Code? {
    do {
      _ = try load(bytes, password)
      return nil
    } catch {
      return (error as? KeyError)?.code
    }
  }

  /// Options of `openssl pkcs8 -topk8`. The last two need the legacy provider.
  static let algorithms = [
    "-v2 aes-256-cbc", "-v2 aes-128-cbc -v2prf hmacWithSHA512", "-v2 des3", "-v2 aes256 -iter 10000", "-scrypt",
    "-v1 PBE-SHA1-3DES", "-v1 PBE-MD5-DES -provider legacy -provider default",
    "-v1 PBE-SHA1-RC2-128 -provider legacy -provider default",
  ]

  @Test(arguments: algorithms)
  func `encrypted PKCS #8 opens with its password`(_ algorithm: String) throws {
    let openssl = try OpenSSLTool()
    try openssl.write(Array(Self.password.utf8), to: "password")
    try openssl.write(PEM.block("PRIVATE KEY", Self.key.pkcs8), to: "ec.pem")
    try openssl.write(PEM.block("PRIVATE KEY", Self.rsa.pkcs8), to: "rsa.pem")
    for form in ["PEM", "DER"] {
      for kind in ["ec", "rsa"] {
        try openssl(
          "pkcs8 -topk8 -in \(kind).pem -out \(kind).key -outform \(form) -passout file:password \(algorithm)")
        let bytes = try openssl.read("\(kind).key")
        let set = try Self.load(bytes, Self.password + "\n")
        #expect(set.count == 1 && set[0].version == (kind == "ec" ? .ecV1 : .rsaV1))
        if kind == "ec" { #expect(set.withScalar(at: 0) { Array($0) } == Self.key.scalar) }
        #expect(Self.code(bytes, "wrong") == .wrongPassword)
        #expect(Self.code(bytes, "") == .wrongPassword)
        #expect(Self.code(bytes, nil) == .passwordNeeded)
      }
    }
  }

  @Test func `without the legacy provider, old encryption is rejected as unsupported and new encryption works`()
    async throws
  {
    let openssl = try OpenSSLTool()
    try Self.makeIdentity(openssl)
    try openssl("pkcs12 -export -inkey key.pem -in leaf.pem -out old.p12 -passout file:password -legacy")
    try openssl("pkcs12 -export -inkey key.pem -in leaf.pem -out new.p12 -passout file:password")
    let (old, new) = (try openssl.read("old.p12"), try openssl.read("new.p12"))
    await #expect(processExitsWith: .success) { [old = old as [UInt8], new = new as [UInt8]] in
      setenv("OPENSSL_MODULES", "/nowhere", 1)
      #expect(EncryptedKeyTests.code(old, EncryptedKeyTests.password) == .unsupportedEncryption)
      #expect(EncryptedKeyTests.code(old, "wrong") == .wrongPassword)
      #expect(EncryptedKeyTests.code(new, EncryptedKeyTests.password) == nil)
    }
  }

  @Test func `encryption that no provider supports is reported`() throws {
    // PBES2 with an unknown cipher.
    let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    let parameters = DER.sequence(
      DER.algorithm(pbkdf2, DER.sequence(DER.bytes([1, 2, 3, 4, 5, 6, 7, 8]), DER.integer([8]))),
      DER.algorithm([0x2A, 0x03, 0x04], DER.bytes([UInt8](repeating: 0, count: 16))))
    let unknown = DER.sequence(DER.algorithm(pbes2, parameters), DER.bytes([UInt8](repeating: 7, count: 48)))
    #expect(Self.code(unknown, "x") == .unsupportedEncryption)
    let scheme = DER.sequence(DER.algorithm([0x2A, 0x03, 0x04]), DER.bytes([UInt8](repeating: 7, count: 48)))
    #expect(Self.code(scheme, "x") == .unsupportedEncryption)
  }

  static let archives = [
    "", "-legacy", "-certpbe AES-128-CBC -keypbe PBE-SHA1-3DES -macalg sha1", "-nomac", "-certpbe NONE -keypbe NONE",
    "-certpbe NONE", "-noenc",
  ]

  @Test(arguments: archives)
  func `a .p12 gives its key and certificate, without those of authorities`(_ algorithm: String) throws {
    let openssl = try OpenSSLTool()
    try Self.makeIdentity(openssl)
    try openssl(
      "pkcs12 -export -inkey key.pem -in leaf.pem -certfile ca.pem -out file.p12 -passout file:password \(algorithm)")
    let bytes = try openssl.read("file.p12")
    let set = try Self.load(bytes, Self.password)
    #expect(set.count == 1)
    #expect(set.withScalar(at: 0) { Array($0) } == Self.key.scalar)
    #expect(set[0].certificate?.subjectPublicKeyInfo == DER.publicKey(Self.key.point))
    #expect(set[0].file == "file")
    if algorithm != "-nomac" && algorithm != "-noenc" { #expect(Self.code(bytes, "wrong") == .wrongPassword) }
    if algorithm != "-noenc" { #expect(Self.code(bytes, nil) == .passwordNeeded || algorithm.contains("NONE -keypbe")) }
  }

  @Test func `a .p12 of an RSA key, without certificate, opens with the empty password it was made with`() throws {
    let openssl = try OpenSSLTool()
    try openssl.write(PEM.block("PRIVATE KEY", Self.rsa.pkcs8), to: "key.pem")
    try openssl("pkcs12 -export -nocerts -inkey key.pem -out file.p12 -passout pass:")
    let bytes = try openssl.read("file.p12")
    for password in ["", "\n", nil] { #expect(try Self.load(bytes, password)[0].version == .rsaV1) }
    #expect(Self.code(bytes, "wrong") == .wrongPassword)
  }

  @Test func `a .p12 with a certificate alone is named as such`() throws {
    let openssl = try OpenSSLTool()
    try Self.makeIdentity(openssl)
    try openssl("pkcs12 -export -nokeys -in leaf.pem -out file.p12 -passout file:password")
    #expect(Self.code(try openssl.read("file.p12"), Self.password) == .archiveWithoutKey)
  }

  @Test func `a damaged .p12 never opens`() throws {
    let openssl = try OpenSSLTool()
    try Self.makeIdentity(openssl)
    try openssl("pkcs12 -export -inkey key.pem -in leaf.pem -out file.p12 -passout file:password -iter 1 -maciter")
    let bytes = try openssl.read("file.p12")
    #expect(Self.code(bytes, Self.password) == nil, "what is not damaged does not open either")
    for position in stride(from: 30, to: bytes.count - 80, by: 7) {
      var damaged = bytes
      damaged[position] ^= 0x20
      #expect(Self.code(damaged, Self.password) != nil, "byte \(position)")
    }
    for count in stride(from: 0, to: bytes.count, by: 17) {
      #expect(Self.code(Array(bytes.prefix(count)), Self.password) != nil, "cut to \(count)")
    }
    #expect(Self.code(bytes + [0], Self.password) == .malformedPKCS12)
  }

  @Test(arguments: [
    ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret\n\n", "secret\n"),
    (" secret ", " secret "), ("secret\r", "secret\r"),
  ])
  func `only one line end is removed from the password file`(_ contents: String, _ password: String) throws {
    let openssl = try OpenSSLTool()
    try openssl.write(PEM.block("PRIVATE KEY", Self.key.pkcs8), to: "key.pem")
    let encrypted = try Self.encrypted(password)
    #expect(Self.code(encrypted, contents) == nil)
    #expect(Self.code(encrypted, contents + "x") == .wrongPassword)
  }

  @Test func `a password with a NUL or of a mebibyte is rejected`() {
    #expect(throws: KeyError(.unusablePassword)) { try Password(fileContents: [0x61, 0, 0x62]) }
    #expect(throws: KeyError(.unusablePassword)) {
      try Password(fileContents: [UInt8](repeating: 0x61, count: Password.sizeLimit + 1))
    }
  }

  /// The key, encrypted by libcrypto, because the command openssl cuts a password at its line end.
  static func encrypted(_ password: String) throws -> [UInt8] {
    let bytes = key.pkcs8
    let info = bytes.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_PKCS8_PRIV_KEY_INFO(nil, &next, buffer.count)
    }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    let sealed = PKCS8_encrypt(-1, EVP_aes_128_cbc(), password, Int32(password.utf8.count), nil, 0, 1, info)
    defer { X509_SIG_free(sealed) }
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_SIG(sealed, &encoded)
    defer { assay_OPENSSL_free(encoded) }
    return Array(UnsafeBufferPointer(start: try #require(encoded), count: Int(count)))
  }

  /// Writes key.pem, leaf.pem (the key's certificate, with Apple's extension), ca.pem and the password.
  static func makeIdentity(_ openssl: OpenSSLTool) throws {
    try openssl.write(Array(password.utf8), to: "password")
    try openssl.write(PEM.block("PRIVATE KEY", key.pkcs8), to: "key.pem")
    let hash = TestKey.sha256("merchant.test").hex.uppercased()
    let settings =
      "[leaf]\n1.2.840.113635.100.6.32 = ASN1:UTF8String:\(hash)\nkeyUsage = keyEncipherment,keyAgreement\n"
    try openssl.write(Array(settings.utf8), to: "leaf.cnf")
    try openssl(
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -subj /CN=ca -days 30")
    try openssl("req -new -key key.pem -out leaf.csr -subj /CN=leaf")
    try openssl(
      "x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out leaf.pem -days 30 -extfile leaf.cnf "
        + "-extensions leaf")
  }
}

import COpenSSL
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

/// Every kind of key file with each byte changed, and cut off at each byte.
@Suite struct KeyFileSweepTests {
  static let key = KeyFileTests.key
  static let password = "pass"

  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The distance between the bytes that are tried.
    var step = 1
    var testDescription: String { name }
  }

  static let plain: [Kind] = [
    Kind(name: "PKCS #8", bytes: key.pkcs8), Kind(name: "SEC 1", bytes: key.sec1),
    Kind(name: "PKCS #1", bytes: KeyFileTests.rsa2048.pkcs1, step: 203),
    Kind(name: "PKCS #8 of RSA", bytes: KeyFileTests.rsa2048.pkcs8, step: 207),
  ]

  static func encrypted() throws -> [Kind] {
    [
      Kind(name: "encrypted PKCS #8", bytes: try EncryptedKeyTests.encrypted(password)),
      Kind(name: "PKCS #12", bytes: try Archive.bytes(password: password), step: 5),
    ]
  }

  /// The public key of the only key in a file; nil where it is refused.
  static func publicKey(_ bytes: [UInt8]) throws -> PublicKey? {
    let password = try Password(fileContents: Array(password.utf8))
    let file = KeyFile(name: "file", bytes: bytes, password: password)
    let set = try? MerchantKeySet(files: [file], merchantIDs: KeyFileTests.merchantID)
    return set.map { $0.count == 1 ? $0[0].publicKey : .other }
  }

  @Test func `no part of a key file is a key file, nor what something follows`() throws {
    for kind in try Self.plain + Self.encrypted() {
      #expect(try Self.publicKey(kind.bytes) != nil, "\(kind.name): the whole of it is refused as well")
      for count in stride(from: 0, to: kind.bytes.count, by: kind.step) {
        #expect(try Self.publicKey(Array(kind.bytes[..<count])) == nil, "\(kind.name) cut to \(count)")
      }
      #expect(try Self.publicKey(Array(kind.bytes.dropLast())) == nil)
      for byte in [0, 5, 0x30] as [UInt8] { #expect(try Self.publicKey(kind.bytes + [byte]) == nil, "\(kind.name)") }
    }
  }

  @Test func `a key file with any byte changed is refused or has the same key`() throws {
    var refused = 0
    for kind in try Self.plain + Self.encrypted() {
      let expected = try #require(try Self.publicKey(kind.bytes))
      for index in stride(from: 0, to: kind.bytes.count, by: kind.step) {
        for change in [0x01, 0x20, 0x80] as [UInt8] {
          let changed = CertificateRuleTests.changed(kind.bytes, index) { $0 ^= change }
          let found = try Self.publicKey(changed)
          #expect(found == nil || found == expected, "\(kind.name): byte \(index) by \(change)")
          if found == nil { refused += 1 }
        }
      }
    }
    #expect(refused > 1_000, "\(refused)")
  }

  @Test func `after every file, read or refused, libcrypto's queue of errors has the caller's entry alone`() throws {
    for kind in try Self.plain + Self.encrypted() {
      for index in stride(from: 0, to: kind.bytes.count, by: 5 * kind.step) {
        ErrorQueue.plant()
        _ = try Self.publicKey(CertificateRuleTests.changed(kind.bytes, index) { $0 ^= 1 })
        #expect(ErrorQueue.hasOnlyPlanted, "\(kind.name): byte \(index)")
      }
      ErrorQueue.plant()
      let wrong = KeyFile(name: "wrong", bytes: kind.bytes, password: try Password(fileContents: [0x78]))
      let error = keyError { () throws(KeyError) in
        try MerchantKeySet(files: [wrong], merchantIDs: KeyFileTests.merchantID)
      }
      #expect(error == nil || error?.code == .wrongPassword, "\(kind.name)")
      _ = try? KeyFileInspection(KeyFile(name: "none", bytes: kind.bytes))
      #expect(ErrorQueue.hasOnlyPlanted, "\(kind.name)")
    }
    for row in KeyFileTests.files + KeyFileTests.privateKeys {
      ErrorQueue.plant()
      _ = KeyFileTests.load(row.bytes)
      _ = try? KeyFileInspection(KeyFile("file", row.bytes))
      #expect(ErrorQueue.hasOnlyPlanted, "\(row.name)")
    }
    ErrorQueue.plant()
    _ = try? CertificateRequest(der: [0x30, 0])
    #expect(ErrorQueue.hasOnlyPlanted)
  }

  @Test func `a file of 64 MiB is read, and one byte more is not`() {
    for (count, code) in [(KeyFile.sizeLimit, KeyError.Code.unrecognisedFile), (KeyFile.sizeLimit + 1, .fileTooLarge)] {
      let file = KeyFile("large", [UInt8](repeating: 0, count: count))
      #expect(keyError { () throws(KeyError) in try KeyFileInspection(file) } == KeyError(code, file: "large"))
      #expect(keyError { () throws(KeyError) in try Certificate.all(in: file) } == KeyError(code, file: "large"))
    }
    #expect(KeyFile.sizeLimit == 64 * 1_024 * 1_024)
  }

  @Test func `a .p12 is known by its version after a length of any form, and nothing shorter is anything`() {
    func code(_ bytes: [UInt8]) -> KeyError.Code? { KeyFileTests.load(bytes)?.code }
    for length in [[3], [0x7F], [0x80], [0x81, 3], [0x82, 0, 3], [0x83, 0, 0, 3], [0x84, 0, 0, 0, 3]] as [[UInt8]] {
      #expect(code([0x30] + length + [2, 1, 3]) == .malformedPKCS12, "\(length)")
      for other in [[2, 1, 2], [2, 1, 4], [1, 1, 3], [3, 1, 3], [2, 2, 3], [2, 0, 3]] as [[UInt8]] {
        #expect(code([0x30] + length + other) == .unrecognisedFile, "\(length) \(other)")
      }
    }
    for count in 0...4 {
      for byte in [0, 2, 0x30, 0x80, 0xFF] as [UInt8] {
        #expect(code([UInt8](repeating: byte, count: count)) == .unrecognisedFile)
        #expect(code([0x30] + [UInt8](repeating: byte, count: count)) == .unrecognisedFile)
      }
    }
  }
}

/// A .p12 made by libcrypto, with one iteration for each of its passwords.
enum Archive {
  static func bytes(password: String?, key: TestKey = KeyFileTests.key, certificate: [UInt8]? = nil) throws -> [UInt8] {
    let secret = key.pkcs8.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_AutoPrivateKey(nil, &next, buffer.count)
    }
    defer { EVP_PKEY_free(secret) }
    let der = certificate ?? key.certificate(merchantID: "merchant.test")
    let companion = der.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_X509(nil, &next, buffer.count)
    }
    defer { X509_free(companion) }
    let file = PKCS12_create(password, nil, secret, companion, nil, 0, 0, 1, 1, 0)
    defer { PKCS12_free(file) }
    return try encoded(try #require(file))
  }

  /// An archive with a MAC by libcrypto, which writes no count of iterations if that is 1.
  static func authenticated(_ bytes: [UInt8], password: String?, iterations: Int32) throws -> [UInt8] {
    let file = bytes.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_PKCS12(nil, &next, buffer.count)
    }
    defer { PKCS12_free(file) }
    let count = Int32(password?.utf8.count ?? 0)
    try #require(PKCS12_set_mac(file, password, count, nil, 0, iterations, EVP_sha256()) == 1)
    return try encoded(try #require(file))
  }

  private static func encoded(_ file: OpaquePointer) throws -> [UInt8] {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_PKCS12(file, &encoded)
    defer { assay_OPENSSL_free(encoded) }
    return Array(UnsafeBufferPointer(start: try #require(encoded), count: Int(count)))
  }
}

import COpenSSL
import Foundation
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

/// The limits of passwords, names and PEM, and what an inspection lists.
@Suite(.blocking) struct KeyFormTests {
  @Test func `a password may have 1,024 bytes before its line end, and a NUL nowhere`() {
    func isUsable(_ bytes: [UInt8]) -> Bool { (try? Password(fileContents: bytes)) != nil }
    for count in [0, 1, 2, 1_022, 1_023, 1_024, 1_025, 1_026] {
      let bytes = [UInt8](repeating: 0x61, count: count)
      for end in [[], [0x0A], [0x0D, 0x0A]] as [[UInt8]] {
        #expect(isUsable(bytes + end) == (count <= 1_024), "\(count) \(end)")
        // A CR alone and a second line end are part of the password.
        #expect(isUsable(bytes + [0x0D] + end.suffix(end.count == 1 ? 0 : end.count)) == (count <= 1_023))
        #expect(isUsable(bytes + [0x0A, 0x0A]) == (count <= 1_023))
        for place in [0, count / 2, count] {
          var broken = bytes + end
          broken.insert(0, at: place)
          #expect(!isUsable(broken))
        }
      }
    }
  }

  @Test func `a common name has 1 to 64 characters, none of them a control character`() throws {
    for name in ["a", " ", "~", "\u{80}", String(repeating: "é", count: 64), String(repeating: "x", count: 64)] {
      let request = try NewKey(.p256, commonName: name).request
      #expect(request.commonName == name)
      // The signed part begins with version 1, which is encoded as 0.
      var outside = try DERReader.single(request.der[...]).reader
      var inside = try outside.read(.sequence).reader
      #expect(try inside.read(.integer).contents.elementsEqual([0]))
    }
    for name in ["", String(repeating: "é", count: 65)] {
      #expect(throws: KeyError(.unusableCommonName)) { try NewKey(.p256, commonName: name) }
    }
    for value in Array(UInt32(0)..<0x20) + [0x7F] {
      let name = "a\(try #require(Unicode.Scalar(value)))b"
      #expect(throws: KeyError(.unusableCommonName)) { try NewKey(.p256, commonName: name) }
    }
  }

  @Test func `a label is printable without hyphens, and not what decides`() {
    for byte in UInt8.min...UInt8.max {
      let label = Array("PRIVATE K".utf8) + [byte] + Array("EY".utf8)
      let text = KeyFileTests.pem.split(separator: 0x0A).dropFirst().dropLast().joined(separator: [0x0A])
      let file =
        Array("-----BEGIN ".utf8) + label + Array("-----\n".utf8) + text + Array("\n-----END ".utf8) + label
        + Array("-----\n".utf8)
      let isLabel = (32...126).contains(byte) && byte != 45
      #expect(KeyFileTests.load(file)?.code == (isLabel ? nil : .malformedPEM), "\(byte)")
    }
    #expect(KeyFileTests.load(KeyFileTests.text("-----BEGIN -----\nMDAw\n-----END -----\n"))?.code == .malformedPEM)
    #expect(
      KeyFileTests.load(KeyFileTests.text("-----BEGIN K-----\nMDAw\n-----END K-----\n"))?.code == .unsupportedBlock)
  }

  @Test func `a body is base64 and white space, whatever byte is put into it`() throws {
    let begin = "-----BEGIN PRIVATE KEY-----\n".utf8.count
    for byte in UInt8.min...UInt8.max {
      for place in [begin, begin + 1, begin + 64, begin + 70] {
        var file = KeyFileTests.pem
        file.insert(byte, at: place)
        let isSpace = [9, 10, 13, 32].contains(byte)
        let code: KeyError.Code? = isSpace ? nil : byte == 58 ? .encryptedKey : .malformedPEM
        #expect(KeyFileTests.load(file)?.code == code, "\(byte) at \(place)")
      }
    }
    for count in 0...130 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 201 &* $0) }
      #expect(PEMText.encode(bytes, label: "A B") == PEM.block("A B", bytes), "\(count)")
    }
  }

  /// The items that an inspection lists, as text.
  private static func items(_ bytes: [UInt8], _ password: String? = nil) throws -> String {
    let file = KeyFile(name: "file", bytes: bytes, password: try password.map { try EncryptedKeyTests.password($0) })
    let inspection = try KeyFileInspection(file)
    let items = inspection.items.map { item in
      switch item {
      case .privateKey(let secret): "key \(secret.version.rawValue)"
      case .publicKey: "public key"
      case .certificate: "certificate"
      case .request: "request"
      }
    }
    return "\(inspection.encoding.rawValue)\(inspection.isEncrypted ? ", encrypted" : ""): "
      + items.joined(separator: ", ")
  }

  @Test func `an inspection lists everything in a file, however it is written`() throws {
    let (key, rsa, certificate) = (KeyFileTests.key, KeyFileTests.rsa2048, KeyFileTests.certificate)
    let encrypted = try EncryptedKeyTests.encrypted("pass")
    let request = try NewKey(.p256, commonName: "x").request.der
    let archive = try Archive.bytes(password: "pass")
    #expect(try Self.items(key.pkcs8) == "DER: key EC_v1" && Self.items(key.sec1) == "DER: key EC_v1")
    #expect(try Self.items(rsa.pkcs1) == "DER: key RSA_v1" && Self.items(rsa.pkcs8) == "DER: key RSA_v1")
    #expect(try Self.items(encrypted, "pass") == "DER, encrypted: key EC_v1")
    #expect(try Self.items(PEM.block("ENCRYPTED PRIVATE KEY", encrypted), "pass") == "PEM, encrypted: key EC_v1")
    #expect(try Self.items(archive, "pass") == "PKCS #12, encrypted: key EC_v1, certificate")
    #expect(try Self.items(certificate) == "DER: certificate" && Self.items(request) == "DER: request")
    #expect(try Self.items(DER.publicKey(key.point)) == "DER: public key")
    #expect(try Self.items(Array(WebKeyTests.ec(key).utf8)) == "JWK: key EC_v1")
    #expect(try Self.items(KeyFileTests.text(KeyFileTests.hexadecimal(key.scalar))) == "hexadecimal: key EC_v1")
    #expect(try Self.items(KeyFileTests.text(KeyFileTests.hexadecimal([0] + key.scalar))) == "hexadecimal: key EC_v1")
    #expect(try Self.items(PEM.block("CERTIFICATE", archive), "pass") == "PEM, encrypted: key EC_v1, certificate")
    #expect(try Self.items(PEM.block("PUBLIC KEY", key.sec1)) == "PEM: key EC_v1")
    #expect(try Self.items(PEM.block("PRIVATE KEY", DER.publicKey(key.point))) == "PEM: public key")
    let blocks: [(String, [UInt8])] = [
      ("CERTIFICATE", certificate), ("EC PARAMETERS", DER.oid(ObjectIdentifiers.prime256v1)),
      ("EC PRIVATE KEY", key.sec1),
      ("ENCRYPTED PRIVATE KEY", encrypted), ("RSA PRIVATE KEY", rsa.pkcs1), ("PUBLIC KEY", DER.publicKey(key.point)),
      ("NEW CERTIFICATE REQUEST", request), ("CERTIFICATE REQUEST", request),
    ]
    let text = blocks.flatMap { PEM.block($0.0, $0.1) }
    let listed = "certificate, key EC_v1, key EC_v1, key RSA_v1, public key, request, request"
    #expect(try Self.items(text, "pass") == "PEM, encrypted: " + listed)
    #expect(try Self.items(PEM.block("PRIVATE KEY", key.pkcs8)) == "PEM: key EC_v1")
    #expect(throws: KeyError(.emptyFile, file: "file")) { try Self.items(PEM.block("EC PARAMETERS", [5, 0])) }
    #expect(throws: KeyError(.unsupportedBlock, file: "file")) { try Self.items(PEM.block("X", [5, 0])) }
    #expect(throws: KeyError(.passwordNeeded, file: "file")) { try Self.items(encrypted) }
    // The error on an unsupported public key says why.
    let compressed = [2 + key.point[64] % 2] + key.point[1..<33]
    for (code, bytes) in [
      (KeyError.Code.compressedPublicKey, DER.publicKey(compressed)),
      (.malformedPublicKey, DER.publicKey(key.point.dropLast() + [key.point[64] ^ 1])),
    ] {
      #expect(throws: KeyError(code, file: "file")) { try Self.items(bytes) }
      #expect(throws: KeyError(code, file: "file")) { try Self.items(PEM.block("PUBLIC KEY", bytes)) }
      #expect(KeyFileTests.load(bytes)?.code == .publicKeyGiven)
    }
    for (code, label) in [(KeyError.Code.bareRSAPublicKey, "RSA PUBLIC KEY"), (.openSSHKey, "OPENSSH PRIVATE KEY")] {
      #expect(throws: KeyError(code, file: "file")) { try Self.items(PEM.block(label, [5, 0])) }
    }
    #expect(KeyFileTests.load(PEM.block("OPENSSH PRIVATE KEY", [5, 0]))?.code == .openSSHKey)
    #expect(throws: KeyError(.malformedPublicKey, file: "file")) { try Self.items(PEM.block("PUBLIC KEY", [0x30, 0])) }
    #expect(throws: KeyError(.malformedRequest, file: "file")) {
      try Self.items(PEM.block("CERTIFICATE REQUEST", CertificateRuleTests.changed(request, 4) { $0 ^= 1 }))
    }
    let damaged = CertificateRuleTests.changed(certificate, 4) { $0 ^= 1 }
    #expect((try? Self.items(damaged)) == nil && (try? Self.items(request.dropLast() + [7])) == nil)
  }

  @Test func `libcrypto gets back all memory, whether a file is read or refused`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      guard OpenSSLAllocator.install() else { exit(2) }
      var files = (KeyFileTests.forms.map(\.bytes) + (KeyFileTests.files + KeyFileTests.privateKeys).map(\.bytes)).map {
        ($0, 24)
      }
      files += [(KeyFileTests.rsa2048.pkcs8, 8), (KeyFileTests.rsa2048.pkcs8 + [0], 24)]
      for bytes in [
        try EncryptedKeyTests.encrypted("pass"), try Archive.bytes(password: "pass"), try Archive.bytes(password: ""),
      ] {
        files += [(bytes, 24), (bytes + [0], 24), (Array(bytes.dropLast()), 24)]
        files.append((CertificateRuleTests.changed(bytes, bytes.count - 40) { $0 ^= 1 }, 24))
      }
      files += [(try NewKey(.p256, commonName: "x").request.der, 24), (DER.publicKey(KeyFileTests.key.point), 24)]
      for (index, (bytes, rounds)) in files.enumerated() {
        for _ in 0..<18 where rounds > 8 { use(bytes) }
        use(bytes)
        let before = OpenSSLAllocator.blocks
        for _ in 0..<rounds { use(bytes) }
        // The memory of libcrypto's error queue changes by a few blocks. A leak grows with every round.
        guard OpenSSLAllocator.blocks - before < rounds / 2 else { exit(Int32(10 + index)) }
      }
      for _ in 0..<4 { _ = try NewKey(.p256, commonName: "x") }
      let old = OpenSSLAllocator.blocks
      for _ in 0..<24 { _ = try NewKey(.p256, commonName: "x") }
      guard OpenSSLAllocator.blocks - old < 12 else { exit(4) }
      let before = OpenSSLAllocator.blocks
      for _ in 0..<24 { _ = CRYPTO_malloc(8, #file, Int32(#line)) }
      exit(OpenSSLAllocator.blocks - before == 24 ? 0 : 3)
    }
  }

  @Test func `algorithms for which libcrypto has no memory are not called missing`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      guard OpenSSLAllocator.install(), Cryptography.failure == nil else { exit(2) }
      var failure: EngineError?
      OpenSSLAllocator.exhausted { failure = Cryptography.failure }
      exit(failure == .memoryUnavailable && Cryptography.failure == nil ? 0 : 1)
    }
  }

  @Test func `a key for which libcrypto has no memory is not called malformed`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      guard OpenSSLAllocator.install() else { exit(2) }
      let (key, rsa) = (KeyFileTests.key, KeyFileTests.rsa2048)
      for (index, bytes) in [key.pkcs8, key.sec1, rsa.pkcs8, rsa.pkcs1].enumerated() {
        let sound = KeyFileTests.load(bytes)?.code
        var (place, failures) = (0, 0)
        var code: KeyError.Code?
        while OpenSSLAllocator.failing(place, { code = KeyFileTests.load(bytes)?.code }) {
          guard [sound, .memoryUnavailable, .cryptographyUnavailable].contains(code) else { exit(Int32(10 + index)) }
          failures += code == .memoryUnavailable ? 1 : 0
          place += 1
        }
        guard failures > 20 else { exit(3) }
      }
      exit(0)
    }
  }
}

/// Reads a file as a set of keys, and inspects it, with several passwords.
private func use(_ bytes: [UInt8]) {
  for password in ["pass", "", "wrong", nil] as [String?] {
    let file = KeyFile(name: "file", bytes: bytes, password: try? password.map { try EncryptedKeyTests.password($0) })
    _ = try? MerchantKeySet(files: [file], merchantIDs: KeyFileTests.merchantID)
    if password == "pass" { _ = try? KeyFileInspection(file) }
    if bytes.count > 1_000 { break }
  }
}

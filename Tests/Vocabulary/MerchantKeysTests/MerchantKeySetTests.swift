import COpenSSL
import Foundation
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

@Suite struct MerchantKeySetTests {
  let first = TestKey()
  let second = TestKey()

  static func pem(_ key: TestKey) -> [UInt8] { PEM.block("PRIVATE KEY", key.pkcs8) }

  func code(_ files: [KeyFile], _ merchantIDs: [MerchantIDAssignment] = []) -> KeyError.Code? {
    keyError { () throws(KeyError) in try MerchantKeySet(files: files, merchantIDs: merchantIDs) }?.code
  }

  @Test(.enabled(if: RealTokens.available)) func `real keys have the publicKeyHash of their tokens`() throws {
    var loaded = 0
    for token in RealTokens.all {
      guard let key = token.privateKeyPEM else { continue }
      let version = try #require(TokenVersion(rawValue: token.version))
      let json = try #require(try JSONSerialization.jsonObject(with: Data(token.token)) as? [String: Any])
      let header = try #require(json["header"] as? [String: Any])
      let hash = try #require((header["publicKeyHash"] as? String).flatMap { Data(base64Encoded: $0) })
      let files = [KeyFile("key", key)] + (token.certificatePEM.map { [KeyFile("certificate", $0)] } ?? [])
      let merchantIDs = token.merchantID.map { [MerchantIDAssignment.file(name: "key", merchantID: $0)] } ?? []
      let set = try MerchantKeySet(files: files, merchantIDs: merchantIDs)
      #expect(set.index(of: try #require(Bytes32([UInt8](hash))), for: version) == 0, "\(token.name)")
      loaded += 1
      guard token.certificatePEM != nil else { continue }
      let certified = try MerchantKeySet(files: files.reversed())
      #expect(certified[0].merchantIDHash == set[0].merchantIDHash)
      #expect(certified[0].validity != nil && certified[0].merchantID == nil)
    }
    #expect(loaded >= 5)
  }

  @Test func `certificates and keys are paired in any order`() throws {
    let parts = [
      KeyFile("a.key", Self.pem(first)), KeyFile("b.key", Self.pem(second)),
      KeyFile("a.pem", PEM.block("CERTIFICATE", first.certificate(merchantID: "merchant.a"))),
      KeyFile("b.cer", second.certificate(merchantID: "merchant.b")),
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 1, 3, 0], [1, 3, 0, 2]] {
      let set = try MerchantKeySet(files: order.map { parts[$0] })
      #expect(set.count == 2)
      for (key, name) in [(first, "merchant.a"), (second, "merchant.b")] {
        let index = try #require(set.index(of: TestKey.sha256(DER.publicKey(key.point)), for: .ecV1))
        #expect(set[index].publicKey == .p256(key.point))
        #expect(set[index].merchantIDHash == TestKey.sha256(name))
        #expect(set.merchantIDHash(at: index) == TestKey.sha256(name))
        #expect(set.withScalar(at: index) { Array($0) } == key.scalar)
        #expect(set[index].certificate?.notAfter.rfc3339 == "2035-01-01T00:00:00Z")
        #expect(set[index].version == .ecV1)
      }
    }
  }

  @Test func `an unknown hash is not found and no key is a set too`() throws {
    let set = try MerchantKeySet([])
    #expect(set.count == 0)
    #expect(set.index(of: TestKey.sha256("x"), for: .ecV1) == nil)
    #expect(try MerchantKeySet(files: []).count == 0)
  }

  @Test func `twenty thousand keys load into one set`() throws {
    var sources: [MerchantKeySource] = []
    for number in 1...20_000 {
      var scalar = [UInt8](repeating: 0, count: 32)
      for place in 0..<4 { scalar[31 - place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
      let key = try scalar.withUnsafeBytes { try PrivateKey(scalar: $0) }
      sources.append(MerchantKeySource(privateKey: key, merchantID: "merchant.\(number)"))
    }
    let set = try MerchantKeySet(sources)
    #expect(set.count == 20_000)
    for number in [1, 2, 9_999, 16_384, 20_000] {
      let source = sources[number - 1]
      let index = try #require(set.index(of: source.secret.publicKeyHash(), for: .ecV1))
      #expect(set.withScalar(at: index) { $0[29...].reduce(0) { $0 << 8 | Int($1) } } == number)
      #expect(set.merchantIDHash(at: index) == TestKey.sha256("merchant.\(number)"))
    }
  }

  @Test func `a description of a set shows nothing of its keys`() throws {
    let set = try MerchantKeySet(
      files: [KeyFile("key", Self.pem(first))], merchantIDs: [.uncertified(merchantID: "merchant.a")])
    var text = ""
    dump(set, to: &text)
    // The whole text is compared: a search for keys would have to know each of their forms.
    #expect("\(set)" == "1 merchant keys" && text == "▿ 1 merchant keys #0\n  - count: 1\n", "\(text)")
  }

  @Test func `the same key with the same merchant ID is one key`() throws {
    let files = [KeyFile("a", Self.pem(first)), KeyFile("b", PEM.block("EC PRIVATE KEY", first.sec1))]
    let names: [MerchantIDAssignment] = ["a", "b"].map { .file(name: $0, merchantID: "merchant.a") }
    let set = try MerchantKeySet(files: files, merchantIDs: names)
    #expect(set.count == 1 && set[0].file == "a")
    let half = try MerchantKeySet(files: files, merchantIDs: [names[1]])
    #expect(half.count == 1 && half[0].merchantIDHash == TestKey.sha256("merchant.a"))
  }

  @Test func `the same key under two merchant IDs is refused`() {
    let files = [KeyFile("a", Self.pem(first)), KeyFile("b", Self.pem(first))]
    #expect(
      code(files, [.file(name: "a", merchantID: "merchant.a"), .file(name: "b", merchantID: "merchant.b")])
        == .conflictingMerchantIDs)
    #expect(
      code(files, [.file(name: "a", merchantID: "merchant.a"), .file(name: "a", merchantID: "merchant.b")])
        == .conflictingMerchantIDs)
    #expect(
      code(files, [.uncertified(merchantID: "merchant.a"), .uncertified(merchantID: "merchant.b")])
        == .conflictingMerchantIDs)
    let certificates = ["merchant.a", "merchant.b"].map {
      PEM.block("CERTIFICATE", first.certificate(merchantID: $0))
    }
    #expect(code([KeyFile("a", Self.pem(first), certificates[0], certificates[1])]) == .conflictingMerchantIDs)
  }

  @Test func `a renewed certificate of the same key replaces the old one`() throws {
    let old = PEM.block("CERTIFICATE", first.certificate(merchantID: "merchant.a", until: "260101000000Z"))
    let new = PEM.block("CERTIFICATE", first.certificate(merchantID: "merchant.a", until: "280101000000Z"))
    for certificates in [old + new, new + old, new + new + old] {
      let set = try MerchantKeySet(files: [KeyFile("key", Self.pem(first), certificates)])
      #expect(set.count == 1)
      #expect(set[0].validity?.upperBound.rfc3339 == "2028-01-01T00:00:00Z")
    }
  }

  @Test func `certificate and merchant ID must agree`() throws {
    let file = KeyFile("a", Self.pem(first), PEM.block("CERTIFICATE", first.certificate(merchantID: "merchant.a")))
    #expect(code([file], [.file(name: "a", merchantID: "merchant.a")]) == nil)
    #expect(code([file], [.file(name: "a", merchantID: "merchant.b")]) == .merchantIDMismatch)
    #expect(code([file], [.uncertified(merchantID: "merchant.a")]) == nil)
    #expect(code([file], [.uncertified(merchantID: "merchant.b")]) == .merchantIDMismatch)
    let mixed = try MerchantKeySet(
      files: [file, KeyFile("b", Self.pem(second))], merchantIDs: [.uncertified(merchantID: "merchant.b")])
    #expect(mixed[0].merchantIDHash == TestKey.sha256("merchant.a") && mixed[0].merchantID == nil)
    #expect(mixed[1].merchantIDHash == TestKey.sha256("merchant.b") && mixed[1].merchantID == "merchant.b")
  }

  @Test func `a key needs a merchant ID`() {
    let bare = PEM.block("CERTIFICATE", first.certificate())
    #expect(code([KeyFile("a", Self.pem(first))]) == .missingMerchantID)
    #expect(code([KeyFile("a", Self.pem(first), bare)]) == .missingMerchantID)
    #expect(code([KeyFile("a", Self.pem(first), bare)], [.uncertified(merchantID: "merchant.a")]) == nil)
    #expect(code([KeyFile("a", Self.pem(first))], [.uncertified(merchantID: "")]) == .emptyMerchantID)
    #expect(code([KeyFile("a", Self.pem(first))], [.file(name: "a", merchantID: "")]) == .emptyMerchantID)
    #expect(code([KeyFile("a", Self.pem(first))], [.file(name: "b", merchantID: "x")]) == .merchantIDWithoutKey)
  }

  @Test func `64 hex digits are a merchant ID like any other`() throws {
    let digits = String(repeating: "ab", count: 32)
    let set = try MerchantKeySet(
      files: [KeyFile("a", Self.pem(first))], merchantIDs: [.uncertified(merchantID: digits)])
    #expect(set[0].merchantIDHash == TestKey.sha256(digits))
  }

  @Test(arguments: [
    DER.value(0x0C, Array(repeating: 0x61, count: 63)), DER.value(0x0C, Array(repeating: 0x61, count: 65)),
    DER.value(0x0C, Array(repeating: 0x67, count: 64)), DER.value(0x13, Array(repeating: 0x61, count: 64)),
    DER.value(0x0C, Array(repeating: 0x61, count: 64)) + [0], [0x0C, 0x81, 0x40] + Array(repeating: 0x61, count: 64),
    Array(repeating: 0x61, count: 64), DER.bytes(Array(repeating: 0x61, count: 32)), [],
  ])
  func `a malformed merchant-ID extension is refused`(value: [UInt8]) {
    let certificate = PEM.block("CERTIFICATE", first.certificate(extensionValue: value))
    let error = keyError { () throws(KeyError) in
      try MerchantKeySet(
        files: [KeyFile("key", Self.pem(first)), KeyFile("certificate", certificate)],
        merchantIDs: [.file(name: "key", merchantID: "merchant.a")])
    }
    #expect(error == KeyError(.malformedMerchantIDExtension, file: "certificate"))
  }

  @Test func `a certificate of another key is refused with its key`() throws {
    let key = try PrivateKey(pkcs8: first.pkcs8)
    let certificate = try Certificate(der: second.certificate(merchantID: "merchant.a"))
    let source = MerchantKeySource(privateKey: key, certificate: certificate, file: "a")
    let error = keyError { () throws(KeyError) in try MerchantKeySet([source]) }
    #expect(error == KeyError(.certificateMismatch, file: "a"))
  }

  @Test func `a scalar has exactly 32 bytes`() {
    for count in [0, 31, 33] {
      let bytes = [UInt8](repeating: 1, count: count)
      let error = bytes.withUnsafeBytes { bytes in
        keyError { () throws(KeyError) in try PrivateKey(scalar: bytes) }
      }
      #expect(error?.code == .malformedKey)
    }
  }

  @Test func `merchant IDs on the command line are for a file after an equals sign`() {
    #expect(MerchantIDAssignment(argument: "merchant.a") == .uncertified(merchantID: "merchant.a"))
    #expect(MerchantIDAssignment(argument: "k.pem=merchant.a") == .file(name: "k.pem", merchantID: "merchant.a"))
    #expect(MerchantIDAssignment(argument: "a=b.pem=merchant.a") == .file(name: "a=b.pem", merchantID: "merchant.a"))
  }
}

@Suite struct TrustAnchorLoadingTests {
  let apple = TrustAnchors.apple.certificates[0]

  @Test func `roots load from PEM and DER, each once`() throws {
    let pem = KeyFile("pem", PEM.block("CERTIFICATE", apple), PEM.block("CERTIFICATE", CertificateRecipe().der))
    let anchors = try TrustAnchors(files: [KeyFile("der", apple), pem])
    #expect(anchors.certificates == [apple, CertificateRecipe().der])
    #expect(try TrustAnchors(files: []).certificates.isEmpty)
  }

  @Test func `errors name the file`() {
    func error(_ bytes: [UInt8]) -> KeyError? {
      keyError { () throws(KeyError) in try TrustAnchors(files: [KeyFile("root", bytes)]) }
    }
    #expect(error(apple + [0]) == KeyError(.unrecognisedFile, file: "root"))
    #expect(
      error(PEM.block("CERTIFICATE", apple + [0]))
        == KeyError(.malformedCertificate, file: "root", certificateError: .malformedEncoding))
    #expect(error(PEM.block("PRIVATE KEY", TestKey().pkcs8)) == KeyError(.privateKeyAmongRoots, file: "root"))
    let otherKey = PEM.block("PRIVATE KEY", TestKey(curve: NID_secp384r1).pkcs8)
    #expect(error(PEM.block("CERTIFICATE", apple) + otherKey) == KeyError(.privateKeyAmongRoots, file: "root"))
    // The advice is about root certificates, not about keys.
    let keys: [(KeyError.Code, [UInt8])] = [
      (.publicKeyGiven, PEM.block("PUBLIC KEY", DER.publicKey(TestKey().point))),
      (.webKeySet, Array("{\"keys\":[\(WebKeyTests.ec(TestKey()))]}".utf8)),
      (.openSSHKey, PEM.block("OPENSSH PRIVATE KEY", [5, 0])),
      (.puttyKey, Array("PuTTY-User-Key-File-3: ecdsa-sha2-nistp256\n".utf8)),
      (.bareScalar, [0xC8] + TestKey().scalar.dropFirst()), (.javaKeyStore, [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]),
    ]
    for (code, bytes) in keys {
      #expect(error(bytes)?.code == code && error(bytes)?.file == "root")
      #expect(error(bytes)?.advice.contains("root certificates") == true && error(bytes)?.advice != code.advice)
    }
    // A certificate of version 1, as `openssl x509 -req` makes it without extensions, is not damaged, so its advice is
    // another one.
    let old = error(CertificateRecipe(version: []).der)
    #expect(old?.certificateError == .malformedStructure && old?.advice != old?.code.advice)
    #expect(error([]) == KeyError(.unrecognisedFile, file: "root"))
  }
}

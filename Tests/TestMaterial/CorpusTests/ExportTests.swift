import COpenSSL
import Corpus
import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing

/// Vectors that are exported to other test suites. OpenSSL checks their results, without code of the engines.
struct ExportTests {
  private typealias Object = [String: Any]

  private static func object(_ bytes: some Sequence<UInt8>) throws -> Object {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
  }

  @Test func `the header of lines has their number and their SHA-256`() throws {
    let bytes = try VectorLines.write(.core, of: try GeneratorTests.files().map(\.file))
    let end = try #require(bytes.firstIndex(of: 0x0A)) + 1
    let header = try Self.object(bytes[..<end])
    #expect(header["schema"] as? String == "assay.lines/1" && header["suite"] as? String == "core")
    #expect(header["version"] as? Int == VectorGenerator.corpusVersion)
    #expect(header["sha256"] as? String == Hex.encode(OpenSSLChecks.sha256(Array(bytes[end...]))))
    let lines = bytes[end...].split(separator: 0x0A)
    #expect(header["count"] as? Int == lines.count)
    let objects = try lines.map { try Self.object($0) }
    #expect(Set(objects.compactMap { $0["id"] as? String }).count == lines.count)
    #expect(Set(objects.map { Set($0.keys) }).count == 1, "every line has every member")
  }

  @Test func `with the key, the roots and the policy of its line, each vector is decided as it says`() throws {
    let bytes = try VectorLines.write(.core, of: try GeneratorTests.files().map(\.file))
    for line in bytes.split(separator: 0x0A).dropFirst() {
      let vector = try Self.object(line)
      let id = try Self.text(vector["id"])
      let input = try Self.input(vector)
      let engine = try Self.engine(vector)
      switch TestVerdict(input.verdict(by: engine)) {
      case .accept(let plaintext), .acceptUnsigned(let plaintext):
        #expect(vector["result"] as? String == "valid" && vector["code"] is NSNull, "\(id)")
        #expect(vector["plaintext"] as? String == Base64.encode(plaintext), "\(id)")
        #expect(vector["key"] is String && vector["leaf"] is String && vector["digest"] is String, "\(id)")
      case .reject(let fault):
        let result = vector["severity"] as? String == "choice" ? "acceptable" : "invalid"
        #expect(vector["result"] as? String == result && vector["code"] as? String == fault.code.rawValue, "\(id)")
        #expect(vector["stage"] as? Int == fault.stage.rawValue && vector["plaintext"] is NSNull, "\(id)")
      }
    }
  }

  private static func text(_ value: Any?) throws -> String { try #require(value as? String) }

  private static func base64(_ value: Any?) throws -> [UInt8] {
    let text = try text(value)
    return [UInt8](try #require(Data(base64Encoded: text)))
  }

  private static func hex(_ value: Any?) throws -> [UInt8] {
    let text = try text(value)
    return try #require(Hex.decode(text))
  }

  private static func time(_ value: Any?) throws -> UnixTime {
    let text = try text(value)
    return try #require(UnixTime(rfc3339: text))
  }

  /// Whether a condition holds for one of the group's roots.
  private static func anyRoot(of group: Object, _ isMet: ([UInt8]) -> Bool) throws -> Bool {
    let roots = try #require(group["roots"] as? [String])
    return try roots.contains { isMet(try hex($0)) }
  }

  private static func input(_ vector: Object) throws -> TestInput {
    let earlier = try #require(vector["prelude"] as? [String])
    let prelude = try earlier.map { try base64($0) }
    let replay = vector["replay"] as? Bool == true
    var policy = TestPolicy(
      freshness: (vector["windowSeconds"] as? UInt32).map {
        .window(seconds: $0, replay: replay ? .capacity(prelude.count + 1) : nil)
      } ?? .windowOff)
    let envelope = try text(vector["envelope"])
    policy.envelope = try #require(EnvelopeSelection(name: envelope))
    policy.isUnsigned = vector["unsigned"] as? Bool == true
    policy.revoked = try #require(vector["revoked"] as? [String]).compactMap { Bytes32(hex: $0) }
    policy.expectations = Expectations(
      applicationData: (vector["expectApplicationData"] as? String).flatMap { Bytes32(hex: $0) },
      currencyCode: vector["expectCurrency"] as? String, transactionAmount: vector["expectAmount"] as? Int64)
    let context = TestContext(now: try time(vector["at"]), policy: policy, prelude: prelude)
    return TestInput(try base64(vector["request"]), context)
  }

  private static func engine(_ vector: Object) throws -> ReferenceDecryptor {
    let key = TestKey(
      privateKeyPem: String(
        decoding: PEMText.encode(try base64(vector["privateKey"]), label: "PRIVATE KEY"), as: UTF8.self),
      certificatePem: nil, merchantId: vector["merchantId"] as? String)
    let roots = try #require(vector["roots"] as? [String])
    let setting = TestSetting(
      keys: [key], rootsPem: try roots.map { PEM.certificate(try base64($0)) }, hasTestKeys: true)
    return try ReferenceDecryptor(keys: try setting.merchantKeySet(), anchors: try setting.trustAnchors())
  }

  // MARK: Wycheproof

  private static let outputs = Result {
    let topics = ["ecdsa", "agreement", "ephemeral-keys", "gcm", "forgeries", "chain", "time"]
    let files = try GeneratorTests.files().filter { file in
      Ring.isDeep || topics.contains { file.path == "vectors/\($0).json" }
    }
    return try WycheproofFiles.write(.project, of: files.map(\.file))
  }

  /// The tests of a file, each with its group. Also checks the members around them.
  private static func tests(of name: String) throws -> [(group: Object, test: Object)] {
    let output = try #require(try outputs.get().first { $0.name == name })
    let file = try object(output.bytes)
    #expect(Set(file.keys) == ["algorithm", "schema", "numberOfTests", "header", "notes", "testGroups"])
    let groups = try #require(file["testGroups"] as? [Object])
    let tests = groups.flatMap { group in (group["tests"] as? [Object] ?? []).map { (group, $0) } }
    #expect(file["numberOfTests"] as? Int == tests.count && output.count == tests.count)
    let notes = Set(try #require(file["notes"] as? Object).keys)
    for (index, (group, test)) in tests.enumerated() {
      #expect(group["type"] is String && (group["source"] as? Object)?["name"] as? String == "assay")
      #expect(test["tcId"] as? Int == index + 1 && test["comment"] is String)
      #expect(Set(test["flags"] as? [String] ?? ["none"]).isSubset(of: notes))
    }
    return tests
  }

  /// - Parameter exceptions: words in the comments of valid tests that OpenSSL refuses.
  private func check(
    _ name: String, atLeast minimum: Int, exceptions: [String] = [],
    _ isValid: (_ group: [String: Any], _ test: [String: Any]) throws -> Bool
  ) throws {
    var counts: [String: Int] = [:]
    for (group, test) in try Self.tests(of: name) {
      let result = try Self.text(test["result"])
      counts[result, default: 0] += 1
      guard result != "acceptable" else { continue }
      let comment = try Self.text(test["comment"])
      let isException = result == "valid" && exceptions.contains { comment.contains($0) }
      #expect(try isValid(group, test) == (result == "valid" && !isException), "\(comment)")
    }
    #expect(counts["valid", default: 0] >= minimum && counts["invalid", default: 0] >= minimum, "\(counts)")
    #expect(Set(counts.keys).isSubset(of: ["valid", "invalid", "acceptable"]))
  }

  @Test func `OpenSSL verifies the valid signatures of ECDSA, and no invalid one`() throws {
    try check("assay_ecdsa_secp256r1_sha256_test.json", atLeast: 30) { group, test in
      let key = try Self.hex(group["publicKeyDer"])
      let point = try #require(group["publicKey"] as? [String: Any])
      #expect(try Self.hex(point["uncompressed"]) == Array(key.suffix(65)))
      return OpenSSLChecks.verifies(try Self.hex(test["sig"]), of: try Self.hex(test["msg"]), by: key)
    }
  }

  /// The bytes before the scalar in the PKCS #8 form of a P-256 key without its public key.
  private static let privateKeyPrefix =
    "3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420"

  @Test func `OpenSSL agrees on the valid shared secrets of ECDH, and refuses the invalid keys`() throws {
    try check("assay_ecdh_secp256r1_test.json", atLeast: 20) { _, test in
      let digits = try Self.hex(test["private"]).drop { $0 == 0 }
      let scalar = [UInt8](repeating: 0, count: 32 - digits.count) + digits
      let key = PEMText.encode(try Self.hex(Self.privateKeyPrefix) + scalar, label: "PRIVATE KEY")
      let shared = OpenSSLChecks.agree(String(decoding: key, as: UTF8.self), try Self.hex(test["public"]))
      return try shared == Self.hex(test["shared"])
    }
  }

  @Test func `OpenSSL decrypts the valid data of AES-GCM to the message, and refuses the invalid`() throws {
    try check("assay_aes_gcm_test.json", atLeast: 15) { group, test in
      let cipher = group["keySize"] as? Int == 256 ? EVP_aes_256_gcm() : EVP_aes_128_gcm()
      let data = try Self.hex(test["ct"]) + Self.hex(test["tag"])
      #expect(try Self.hex(test["iv"]) == [UInt8](repeating: 0, count: 16) && test["aad"] as? String == "")
      let message = OpenSSLChecks.decrypt(data, by: cipher, key: try Self.hex(test["key"]))
      return try message != nil && message == Self.hex(test["msg"])
    }
  }

  /// The last second of the validity belongs to it (RFC 5280, section 4.1.2.5), but OpenSSL refuses it.
  private static let lastSeconds = ["up-to-this-second", "in-this-second-alone", "in-the-last-second"]

  @Test func `OpenSSL follows the valid certificate paths, and no invalid one`() throws {
    try check("assay_x509_path_test.json", atLeast: 20, exceptions: Self.lastSeconds) { group, test in
      let (leaf, intermediate) = (try Self.hex(test["leaf"]), try Self.hex(test["intermediate"]))
      let time = try Self.time(test["time"])
      return try Self.anyRoot(of: group) { OpenSSLChecks.chains(leaf, intermediate, to: $0, at: time) }
    }
  }

  @Test func `OpenSSL verifies the valid CMS`() throws {
    // OpenSSL also checks the validity of the root, although it is a trust anchor.
    let exceptions = Self.lastSeconds + ["of-1950-in-1950", "of-2049-in-2049"]
    try check("assay_cms_test.json", atLeast: 40, exceptions: exceptions) { group, test in
      // OpenSSL does not check Apple's markers and other rules of tokens, so invalid tests are not put to it.
      guard test["result"] as? String == "valid" else { return false }
      let (cms, content) = (try Self.hex(test["cms"]), try Self.hex(test["content"]))
      let time = try Self.time(test["time"])
      return try Self.anyRoot(of: group) { OpenSSLChecks.verifies(cms, over: content, root: $0, at: time) }
    }
  }
}

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

/// Vectors that are exported to other test suites.
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

  private static func time(_ value: Any?) throws -> UnixTime {
    let text = try text(value)
    return try #require(UnixTime(rfc3339: text))
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
}

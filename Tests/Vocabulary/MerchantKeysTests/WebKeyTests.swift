import COpenSSL
import MerchantKeys
import PaymentToken
import Testing

/// JSON Web Keys (RFC 7517), and texts that are none.
@Suite struct WebKeyTests {
  private static let key = KeyFileTests.key

  static func ec(_ key: TestKey) -> String { ec(scalar: key.scalar, point: key.point) }

  static func ec(scalar: [UInt8], point: [UInt8]) -> String {
    text([
      ("kty", "EC"), ("crv", "P-256"), ("x", base64URL(point[1..<33])), ("y", base64URL(point[33...])),
      ("d", base64URL(scalar[...])),
    ])
  }

  private static func text(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ") + "}"
  }

  private static func base64URL(_ bytes: ArraySlice<UInt8>) -> String {
    Base64.encode(Array(bytes)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func code(_ text: String) -> KeyError.Code? { KeyFileTests.load(Array(text.utf8))?.code }

  @Test func `members that are not needed are skipped, whatever they are`() {
    let text = Self.ec(Self.key)
    for more in [
      #""kid": "a\"b}", "#, #""key_ops": ["deriveBits", "deriveKey"], "ext": true, "#, #""x5c": [{"a": "]"}], "#,
      " \n\t",
    ] {
      #expect(code("\n{" + more + text.dropFirst() + "\r\n") == nil, "\(more)")
    }
  }

  @Test func `the public key has to be that of the private key`() {
    let other = TestKey()
    #expect(code(Self.ec(scalar: Self.key.scalar, point: other.point)) == .publicKeyMismatch)
    for name in ["x", "y"] {
      #expect(code(Self.ec(Self.key).replacing("\"\(name)\":", with: "\"z\":")) == .malformedKey)
    }
  }

  @Test func `each other key has its code`() {
    let text = Self.ec(Self.key)
    #expect(code(text.replacing("\"d\":", with: "\"e\":")) == .publicKeyGiven)
    #expect(code(text.replacing("P-256", with: "P-384")) == .unsupportedCurve)
    #expect(code(text.replacing("\"crv\":", with: "\"c\":")) == .unsupportedCurve)
    for kind in ["OKP", "oct", "ec"] {
      #expect(code(text.replacing("\"EC\"", with: "\"\(kind)\"")) == .unsupportedKeyAlgorithm)
    }
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(code(Self.ec(scalar: zeros, point: Self.key.point)) == .scalarOutOfRange)
    #expect(code(Self.ec(scalar: zeros + [1], point: Self.key.point)) == .malformedKey)
    #expect(code(text.replacing("\"d\": \"", with: "\"d\": \"*")) == .malformedKey)
    #expect(
      code(text.replacing("\"d\": \"", with: "\"d\": \"" + String(repeating: "A", count: 2_000))) == .malformedKey)
  }

  @Test func `other JSON is no key`() {
    let text = Self.ec(Self.key)
    for other in [
      "[\(text)]", "{}", "{\"d\": 1}", "\(text) x", String(text.dropLast()), text.replacing(",", with: ""),
      text.replacing("\"d\"", with: "\"x\""), "{\"a\": [, \(text.dropFirst())",
    ] { #expect(code(other) == .unrecognisedFile, "\(other.prefix(20))") }
  }

  @Test func `a key of RSA is read, and its numbers are checked`() throws {
    let numbers = try RSAKeyTests.members(of: KeyFileTests.rsa2048.pkcs1)
    let names = ["n", "e", "d", "p", "q", "dp", "dq", "qi"]
    func text(_ numbers: [[UInt8]]) -> String {
      let members = zip(names, numbers.dropFirst()).map { ($0, Self.base64URL($1.drop { $0 == 0 })) }
      return Self.text([("kty", "RSA"), ("alg", "RSA-OAEP-256")] + members)
    }
    let set = try MerchantKeySet(files: [KeyFile(name: "key", bytes: Array(text(numbers).utf8))])
    let expected = try MerchantKeySet(files: [KeyFile(name: "key", bytes: KeyFileTests.rsa2048.pkcs1)])
    #expect(set.count == 1 && set[0].publicKey == expected[0].publicKey)
    var changed = numbers
    changed[4][20] ^= 1
    #expect(code(text(changed)) == .rsaKeyInconsistent)
    for name in names where name != "d" {
      #expect(code(text(numbers).replacing("\"\(name)\":", with: "\"z\":")) == .malformedKey, "\(name)")
    }
  }

  @Test func `a key with any byte changed or cut off is refused or is the same key`() throws {
    let bytes = Array(Self.ec(Self.key).utf8)
    let expected = try KeyFileSweepTests.publicKey(bytes)
    #expect(expected == .p256(Self.key.point))
    for index in bytes.indices {
      #expect(try KeyFileSweepTests.publicKey(Array(bytes[..<index])) == nil)
      for change in [0x01, 0x20, 0x80] as [UInt8] {
        let found = try KeyFileSweepTests.publicKey(CertificateRuleTests.changed(bytes, index) { $0 ^= change })
        #expect(found == nil || found == expected, "byte \(index) by \(change)")
      }
      #expect(ERR_peek_error() == 0)
    }
  }
}

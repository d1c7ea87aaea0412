import Foundation
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

@Suite struct CertificateTests {
  let root = TrustAnchors.apple.certificates[0]

  @Test func `Apple's root is read`() throws {
    let certificate = try Certificate(der: root)
    #expect(certificate.der == root)
    #expect(certificate.serialNumber == [0x2D, 0xC5, 0xFC, 0x88, 0xD2, 0xC5, 0x4B, 0x95])
    #expect(certificate.issuer == certificate.subject)
    #expect(certificate.notBefore.rfc3339 == "2014-04-30T18:19:06Z")
    #expect(certificate.notAfter.rfc3339 == "2039-04-30T18:19:06Z")
    #expect(certificate.signatureAlgorithm == .ecdsaWithSHA384)
    #expect(certificate.basicConstraints == BasicConstraints(isAuthority: true, pathLength: nil))
    #expect(certificate.keyUsage?.keyCertSign == true)
    #expect(certificate.keyUsage?.digitalSignature == false)
    #expect(certificate.subjectKeyIdentifier?.count == 20)
    #expect(certificate.extensions.map(\.critical) == [false, true, true])
    #expect(certificate.fingerprint().hex == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    guard case .p384(let point) = certificate.publicKey else {
      Issue.record("not a P-384 key")
      return
    }
    #expect(point.count == 97)
  }

  @Test func `every truncation and every trailing byte is refused`() {
    #expect(CertificateRecipe.error(of: root) == nil, "the whole of it is refused as well")
    for count in 0..<root.count {
      #expect(CertificateRecipe.error(of: Array(root.prefix(count))) == .malformedEncoding)
    }
    for byte in UInt8.min...UInt8.max {
      #expect(CertificateRecipe.error(of: root + [byte]) == .malformedEncoding)
    }
  }

  @Test func `a flipped bit never traps and is never accepted in the public key`() throws {
    let certificate = try Certificate(der: root)
    let length = certificate.subjectPublicKeyInfo.count
    let place = try #require(
      root.indices.first { root[$0...].starts(with: certificate.subjectPublicKeyInfo) })
    var (accepted, refused) = (0, 0)
    for index in root.indices {
      for bit in 0..<8 {
        var changed = root
        changed[index] ^= 1 << UInt8(bit)
        let isAccepted = CertificateRecipe.error(of: changed) == nil
        // The last 97 bytes are the point. Before it are the algorithm and the curve: unknown ones are well-formed.
        if ((place + length - 97)..<(place + length)).contains(index) {
          #expect(!isAccepted)
          refused += 1
        } else if isAccepted {
          accepted += 1
        }
      }
    }
    // Many other changes are accepted: of names, dates and the signature.
    #expect(refused == 97 * 8 && accepted > 1_000, "\(accepted)")
  }

  @Test func `no certificate has more bytes than a token`() {
    let serial = DER.integer([1] + Array(repeating: 0, count: 64_900))
    #expect(CertificateRecipe.error { $0.serial = serial } == nil)
    let name = DER.name(String(repeating: "a", count: 600))
    #expect(
      CertificateRecipe.error {
        $0.serial = serial
        $0.issuer = name
      } == .tooLarge)
  }

  @Test func `the recipe the tests change is accepted`() throws {
    #expect(CertificateRecipe.error { _ in } == nil)
    let certificate = try Certificate(der: CertificateRecipe().der)
    #expect(certificate.extensions.isEmpty)
    #expect(certificate.signatureValue == [1, 2, 3])
    #expect(certificate.publicKey == .p256(TestPoints.p256))
  }

  @Test(.enabled(if: RealTokens.available)) func `every certificate within the real tokens is read`() throws {
    var count = 0
    for token in RealTokens.all where token.genuine {
      let json = try #require(try JSONSerialization.jsonObject(with: Data(token.token)) as? [String: Any])
      let signature = try #require((json["signature"] as? String).flatMap { Data(base64Encoded: $0) })
      let found = certificates(within: [UInt8](signature))
      #expect(found.count >= 2, "\(token.name)")
      for der in found { #expect(CertificateRecipe.error(of: der) == nil, "\(token.name)") }
      let parsed = found.compactMap { try? Certificate(der: $0) }
      #expect(parsed.contains { $0.firstExtension(ObjectIdentifiers.appleLeafMarker) != nil })
      #expect(parsed.contains { $0.firstExtension(ObjectIdentifiers.appleIntermediateMarker) != nil })
      count += found.count
    }
    #expect(count >= 10)
  }

  /// A crude search for each SEQUENCE whose first value is a SEQUENCE that begins with [0] { INTEGER 2 }.
  private func certificates(within bytes: [UInt8]) -> [[UInt8]] {
    bytes.indices.compactMap { start in
      guard bytes.count >= start + 13, bytes[start] == 0x30, bytes[start + 1] == 0x82, bytes[start + 4] == 0x30,
        bytes[start + 5] == 0x82, bytes[(start + 8)...].starts(with: [0xA0, 3, 2, 1, 2])
      else { return nil }
      let end = start + 4 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
      return end <= bytes.count ? Array(bytes[start..<end]) : nil
    }
  }
}

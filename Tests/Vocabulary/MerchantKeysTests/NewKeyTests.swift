import MerchantKeys
import PaymentToken
import TestSupport
import Testing

@Suite(.blocking) struct NewKeyTests {
  @Test(arguments: NewKey.Kind.allCases)
  func `a new key loads, and its request has the same key`(_ kind: NewKey.Kind) throws {
    var new = try NewKey(kind, commonName: "merchant.com.example é")
    let set = try MerchantKeySet(
      files: [KeyFile("new", new.privateKeyPEM)], merchantIDs: [.uncertified(merchantID: "merchant.a")])
    #expect(set[0].publicKeyHash == new.request.publicKeyHash())
    #expect(set[0].publicKey == new.request.publicKey)
    #expect(set[0].version == (kind == .p256 ? .ecV1 : .rsaV1))
    #expect(new.request.commonName == "merchant.com.example é")
    #expect(try CertificateRequest(der: new.request.der) == new.request)
    #expect(try NewKey(kind, commonName: "x").request.publicKey != new.request.publicKey)
    new.wipe()
    #expect(new.privateKeyPEM.isEmpty)
  }

  @Test(.enabled(if: OpenSSLTool.isInstalled), arguments: NewKey.Kind.allCases)
  func `openssl verifies the request and finds key and request to match`(_ kind: NewKey.Kind) throws {
    let openssl = try OpenSSLTool()
    let new = try NewKey(kind, commonName: "merchant.com.example")
    try openssl.write(new.privateKeyPEM, to: "key.pem")
    try openssl.write(PEMText.encode(new.request.der, label: "CERTIFICATE REQUEST"), to: "request.pem")
    #expect(try openssl("req -verify -noout -in request.pem").contains("verify OK"))
    #expect(try openssl("pkey -in key.pem -check -noout").contains("Key is valid"))
    #expect(try openssl("req -in request.pem -noout -pubkey") == openssl("pkey -in key.pem -pubout"))
    #expect(try openssl("req -in request.pem -noout -subject").contains("CN = merchant.com.example"))
    let text = try openssl("req -in request.pem -noout -text")
    #expect(text.contains(kind == .p256 ? "ASN1 OID: prime256v1" : "Public-Key: (2048 bit)"))
    #expect(text.contains(kind == .p256 ? "ecdsa-with-SHA256" : "sha256WithRSAEncryption"))
  }

  @Test(arguments: ["", String(repeating: "x", count: 65), "a\nb", "a\u{7F}"])
  func `other common names are rejected`(_ name: String) {
    #expect(throws: KeyError(.unusableCommonName)) { try NewKey(.p256, commonName: name) }
  }

  @Test func `an altered request is rejected`() throws {
    let der = try NewKey(.p256, commonName: "merchant.com.example").request.der
    for index in der.indices {
      var changed = der
      changed[index] ^= 0x01
      let outcome = keyError { () throws(KeyError) in try CertificateRequest(der: changed) }
      #expect(outcome == KeyError(.malformedRequest), "byte \(index)")
    }
    #expect(throws: KeyError(.malformedRequest)) { try CertificateRequest(der: der + [0]) }
  }

  @Test func `PEM has lines of 64 characters and comes back`() throws {
    for count in [1, 47, 48, 49, 96, 300] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(PEMText.encode(bytes, label: "TEST") == PEM.block("TEST", bytes))
    }
  }
}

import Foundation
import TestSupport
import Testing

/// `--revoked FILE`: each line is the SHA-256 of a certificate or of its public key, in hexadecimal.
@Suite(.blocking, .enabled(if: OpenSSLTool.isInstalled)) struct RevokedListTests {
  /// The certificates of a minted token's chain that can be revoked: those below the root.
  private struct Chain {
    let leaf: Data
    let intermediate: Data
    private let openssl: OpenSSLTool

    /// The certificates in the token's signature, told apart by Apple's leaf marker, 1.2.840.113635.100.6.29.
    init(_ minted: MintedFolder) throws {
      let openssl = try OpenSSLTool()
      self.openssl = openssl
      let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(filePath: minted.token)))
      let text = try #require((document as? [String: Any])?["signature"] as? String)
      try openssl.write([UInt8](try #require(Data(base64Encoded: text))), to: "signature")
      let pem = try openssl("pkcs7 -inform DER -print_certs -in signature")
      let certificates = pem.components(separatedBy: "-----END CERTIFICATE-----")
        .dropLast().map { $0 + "-----END CERTIFICATE-----\n" }
      let marker = Data([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x1D])
      let all = try certificates.map { certificate in
        try openssl.write(Array(certificate.utf8), to: "pem")
        try openssl("x509 -in pem -outform DER -out der")
        return Data(try openssl.read("der"))
      }
      leaf = try #require(all.first { $0.range(of: marker) != nil })
      intermediate = try #require(all.first { $0.range(of: marker) == nil })
    }

    func publicKey(of certificate: Data) throws -> Data {
      try openssl.write([UInt8](certificate), to: "der")
      try openssl("x509 -inform DER -in der -noout -pubkey -out key")
      try openssl("pkey -pubin -in key -outform DER -out key.der")
      return Data(try openssl.read("key.der"))
    }
  }

  private func code(_ minted: MintedFolder, _ list: String, engine: String) throws -> String? {
    let file = try minted.folder.write(list, to: "revoked.txt")
    let outcome = try minted.decrypt(["--revoked", file, "--json", "--engine", engine])
    let code = (try outcome.json()["error"] as? [String: Any])?["code"] as? String
    #expect(outcome.status == (code == nil ? 0 : 1))
    return code
  }

  @Test(arguments: ["fast", "reference"])
  func `certificates and public keys on the list are refused, others are not`(engine: String) throws {
    let minted = try MintedFolder()
    let chain = try Chain(minted)
    for certificate in [chain.leaf, chain.intermediate] {
      for bytes in [certificate, try chain.publicKey(of: certificate)] {
        let hex = digest(of: [UInt8](bytes))
        #expect(try code(minted, hex, engine: engine) == "certificateRevoked")
        #expect(try code(minted, hex.uppercased() + "\n", engine: engine) == "certificateRevoked")
        let others = String(repeating: "0", count: 64)
        #expect(try code(minted, "\(others)\r\n\r\n \t\(hex) \r\n\(others)", engine: engine) == "certificateRevoked")
        let changed = (hex.hasPrefix("0") ? "1" : "0") + hex.dropFirst()
        #expect(try code(minted, changed, engine: engine) == nil)
      }
    }
    #expect(try code(minted, "", engine: engine) == nil)
  }

  @Test(arguments: [
    "# comment", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
    String(repeating: "g", count: 64), String(repeating: "0", count: 64) + " leaf",
    "0x" + String(repeating: "0", count: 64),
    "sha256:" + String(repeating: "0", count: 64), "\u{FEFF}" + String(repeating: "0", count: 64),
    String(repeating: "0", count: 64) + "," + String(repeating: "1", count: 64),
  ])
  func `a line that is no digest is no answer`(line: String) throws {
    let minted = try MintedFolder()
    let file = try minted.folder.write("\n" + line + "\n", to: "revoked.txt")
    let outcome = try minted.decrypt(["--revoked", file])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("revoked.txt line 2"))
  }

  @Test func `a list that is not there, or endless, is no answer`() throws {
    let minted = try MintedFolder()
    for path in [minted.folder.path("absent.txt"), minted.folder.url.path, "/dev/zero"] {
      let outcome = try minted.decrypt(["--revoked", path])
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
    }
    #expect(try minted.decrypt(["--revoked"]).status == 64)
  }

  @Test(arguments: [
    ["--expect-currency", ""], ["--expect-currency", "97"], ["--expect-currency", "9780"],
    ["--expect-currency", "٩٧٨"], ["--expect-currency", "-78"], ["--expect-amount", ""], ["--expect-amount", "-1"],
    ["--expect-amount", "+1"], ["--expect-amount", "0x10"], ["--expect-amount", "12.50"], ["--expect-amount", "1e2"],
    ["--expect-amount", "99999999999999999999"], ["--expect-application-data", ""],
    ["--expect-application-data", String(repeating: "0", count: 63)],
    ["--expect-application-data", String(repeating: "0", count: 66)],
    ["--expect-application-data", String(repeating: "x", count: 64)], ["--expect-amount", "1", "--expect-amount", "1"],
    ["--revoked", "a", "--revoked", "b"],
  ])
  func `an expectation that no token could meet is misuse`(options: [String]) throws {
    let outcome = try MintedFolder().decrypt(options)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: ["fast", "reference"])
  func `expectations are held against the token in the order of the rules`(engine: String) throws {
    let data = String(repeating: "ab", count: 32)
    let minted = try MintedFolder(["--application-data", data])
    let options = [
      (["--expect-amount", "1251"], "amountMismatch"), (["--expect-currency", "840"], "currencyMismatch"),
      (["--expect-application-data", String(repeating: "ac", count: 32)], "applicationDataMismatch"),
    ]
    var given = ["--json", "--engine", engine]
    let met = ["--expect-amount", "1250", "--expect-application-data", data.uppercased()]
    #expect(try minted.decrypt(given + met).status == 0)
    for (option, code) in options {
      given += option
      let outcome = try minted.decrypt(given)
      #expect(outcome.status == 1)
      #expect((try outcome.json()["error"] as? [String: Any])?["code"] as? String == code)
    }
  }
}

import Foundation
import TestSupport
import Testing

@Suite(.blocking, .enabled(if: OpenSSLTool.isInstalled)) struct KeysTests {
  /// Makes key and certificate files of many kinds: `openssl` converts minted ones and makes others.
  static func makeFiles() throws -> OpenSSLTool {
    let openssl = try OpenSSLTool()
    let minted = try MintedFolder()
    for name in ["merchant.key", "merchant.pem", "root.pem"] {
      try openssl.write([UInt8](try Data(contentsOf: URL(filePath: minted.folder.path(name)))), to: name)
    }
    try openssl.write(Array("secret\n".utf8), to: "password")
    try openssl("ec -in merchant.key -outform DER -out sec1.der")
    try openssl("pkcs8 -topk8 -in merchant.key -out encrypted.key -passout file:password")
    try openssl(
      "pkcs12 -export -inkey merchant.key -in merchant.pem -certfile root.pem -out new.p12 -passout file:password")
    try openssl("pkcs12 -export -inkey merchant.key -in merchant.pem -out old.p12 -passout file:password -legacy")
    try openssl.write([UInt8](try Data(contentsOf: rsaKey)), to: "rsa.pem")
    try openssl("rsa -in rsa.pem -traditional -out rsa.key")
    try openssl("pkey -in merchant.key -pubout -out public.pem")
    try openssl("req -new -key merchant.key -subj /CN=renewal -out request.pem")
    let identity = """
      [v3]
      basicConstraints = critical,CA:FALSE
      keyUsage = critical,digitalSignature
      extendedKeyUsage = clientAuth
      1.2.840.113635.100.6.32 = ASN1:UTF8String:\(String(repeating: "AB", count: 32))

      """
    try openssl.write(Array(identity.utf8), to: "identity.cnf")
    try openssl("req -new -key rsa.key -subj /CN=identity -out identity.csr")
    try openssl(
      "x509 -req -in identity.csr -signkey rsa.key -days 20 -extfile identity.cnf -extensions v3 -outform DER "
        + "-out identity.cer")
    return openssl
  }

  /// A published test key.
  private static let rsaKey = Package.folder.appending(path: "Corpus/keys/merchant-2048.pem")

  static func inspect(_ folder: OpenSSLTool, _ names: [String], _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["keys", "inspect", "--password-file", folder.path("password")] + more + names.map { folder.path($0) })
  }

  static func items(_ outcome: Program.Outcome) throws -> [[String: Any]] {
    let files = try #require(try outcome.json()["files"] as? [[String: Any]])
    return files.flatMap { $0["items"] as? [[String: Any]] ?? [] }
  }

  @Test func `eleven kinds of file are told apart`() throws {
    let folder = try Self.makeFiles()
    let expected: [(file: String, encoding: String, kinds: [String], key: String)] = [
      ("merchant.key", "PEM", ["privateKey"], "P-256"), ("sec1.der", "DER", ["privateKey"], "P-256"),
      ("encrypted.key", "PEM", ["privateKey"], "P-256"), ("rsa.key", "PEM", ["privateKey"], "RSA 2048"),
      ("new.p12", "PKCS #12", ["privateKey", "certificate", "certificate"], "P-256"),
      ("old.p12", "PKCS #12", ["privateKey", "certificate"], "P-256"),
      ("public.pem", "PEM", ["publicKey"], "P-256"), ("request.pem", "PEM", ["certificateRequest"], "P-256"),
      ("merchant.pem", "PEM", ["certificate"], "P-256"), ("root.pem", "PEM", ["certificate"], "P-384"),
      ("identity.cer", "DER", ["certificate"], "RSA 2048"),
    ]
    let outcome = try Self.inspect(folder, expected.map(\.file), ["--json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.text.hasPrefix(#"{"schema":"assay.keys.inspect/1","#))
    let files = try #require(try outcome.json()["files"] as? [[String: Any]])
    #expect(files.count == expected.count)
    for (file, row) in zip(files, expected) {
      let items = try #require(file["items"] as? [[String: Any]])
      #expect(file["encoding"] as? String == row.encoding, "\(row.file)")
      #expect(file["encrypted"] as? Bool == ["encrypted.key", "new.p12", "old.p12"].contains(row.file))
      #expect(items.map { $0["kind"] as? String } == row.kinds, "\(row.file)")
      #expect(items.first?["key"] as? String == row.key, "\(row.file)")
    }
    #expect(outcome.error.isEmpty)
    for name in ["merchant.key", "rsa.key"] {
      let keys = try SecretSearch(forLinesOf: String(decoding: folder.read(name), as: UTF8.self))
      #expect(try keys.findings(in: outcome.text, marked: "RSA 2048") == [])
    }
    #expect(!outcome.text.contains("PRIVATE"))
  }

  @Test func `a processing certificate is told from an identity certificate, with its merchant ID and its key`() throws
  {
    let folder = try Self.makeFiles()
    let both = try Self.items(Self.inspect(folder, ["merchant.pem", "identity.cer", "merchant.key"], ["--json"]))
    #expect(both[0]["purpose"] as? String == "paymentProcessing")
    #expect(both[0]["merchantID"] as? String == "merchant.test.assay.one")
    #expect((both[0]["merchantIDHash"] as? String)?.count == 64)
    #expect(both[0]["version"] as? String == "EC_v1")
    #expect(both[0]["hasPrivateKey"] as? Bool == true)
    #expect(both[0]["publicKeyHash"] as? String == both[2]["publicKeyHash"] as? String)
    #expect(Data(base64Encoded: try #require(both[0]["publicKeyHash"] as? String))?.count == 32)
    #expect(both[1]["purpose"] as? String == "merchantIdentity")
    #expect(both[1]["hasPrivateKey"] as? Bool == false)
    #expect(both[1]["version"] is NSNull)
    #expect(both[2]["hasCertificate"] as? Bool == true)
    #expect(try Self.inspect(folder, ["merchant.pem", "rsa.key"]).status == 1)
    #expect(try Self.inspect(folder, ["merchant.pem"]).status == 0)
  }

  @Test(arguments: [
    ("2026-03-01T12:00:00Z", "0", 0), ("2026-03-01T12:00:00Z", "365", 0), ("2026-03-01T12:00:00Z", "1000", 1),
    ("2030-01-01T00:00:00Z", "0", 1), ("2020-01-01T00:00:00Z", "0", 1),
  ])
  func `a certificate with too few days left ends with 1`(_ time: String, _ days: String, _ status: Int32) throws {
    let folder = try Self.makeFiles()
    let outcome = try Self.inspect(folder, ["merchant.pem"], ["--at", time, "--warn-days", days, "--json"])
    #expect(outcome.status == status)
    #expect(try outcome.json()["passed"] as? Bool == (status == 0))
    #expect(outcome.error.isEmpty == (status == 0))
  }

  @Test func `days are counted to the last second, and rounded down`() throws {
    let folder = try Self.makeFiles()
    let certificate = try Self.items(Self.inspect(folder, ["merchant.pem"], ["--json"]))[0]
    let end = try #require(certificate["notAfter"] as? String)
    func left(_ time: String) throws -> Int? {
      try Self.items(Self.inspect(folder, ["merchant.pem"], ["--json", "--at", time]))[0]["daysLeft"] as? Int
    }
    #expect(try left(end) == 0)
    let date = try #require(ISO8601DateFormatter().date(from: end))
    func text(_ seconds: Double) -> String { ISO8601DateFormatter().string(from: date.addingTimeInterval(seconds)) }
    #expect(try left(text(-86_399)) == 0)
    #expect(try left(text(-86_400)) == 1)
    #expect(try left(text(1)) == -1)
    #expect(try left(text(86_400)) == -1)
    #expect(try left(text(86_401)) == -2)
  }

  @Test func `what cannot be read ends with 2, and the rest is shown all the same`() throws {
    let folder = try Self.makeFiles()
    try folder.write(Array("nothing".utf8), to: "text")
    let outcome = try Self.inspect(folder, ["text", "merchant.key"], ["--json"])
    #expect(outcome.status == 2)
    let files = try #require(try outcome.json()["files"] as? [[String: Any]])
    #expect((files[0]["error"] as? [String: Any])?["code"] as? String == "unrecognisedFile")
    #expect(files[1]["items"] != nil)
    #expect(try Program.run(["keys", "inspect", folder.path("absent")]).status == 2)
    let locked = try Program.run(["keys", "inspect", "--json", folder.path("encrypted.key"), folder.path("old.p12")])
    #expect(locked.status == 2)
    for file in try #require(try locked.json()["files"] as? [[String: Any]]) {
      #expect((file["error"] as? [String: Any])?["code"] as? String == "passwordNeeded")
    }
  }

  @Test(arguments: ["old.p12", "new.p12"])
  func `a .p12 opens a token, its password from a file or a descriptor`(_ name: String) throws {
    let minted = try MintedFolder()
    let folder = try Self.makeFiles()
    let options = [
      minted.token, "--p12", folder.path(name), "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time,
    ]
    #expect(try Program.run(["decrypt"] + options + ["--password-file", folder.path("password")]).status == 0)
    let password = URL(filePath: folder.path("password"))
    #expect(try Program.run(["decrypt"] + options + ["--password-file", "/dev/fd/0"], input: password).status == 0)
    #expect(try Program.run(["decrypt"] + options + ["--password-file", "-"], input: password).status == 0)
    let none = try Program.run(["decrypt"] + options)
    #expect(none.status == 2 && none.error.contains("passwordNeeded"))
    try folder.write(Array("other".utf8), to: "wrong")
    let wrong = try Program.run(["decrypt"] + options + ["--password-file", folder.path("wrong")])
    #expect(wrong.status == 2 && wrong.error.contains("wrongPassword") && !wrong.error.contains("other"))
  }

  @Test func `an encrypted key opens a token`() throws {
    let minted = try MintedFolder()
    let folder = try Self.makeFiles()
    let outcome = try Program.run([
      "decrypt", minted.token, "--key", folder.path("encrypted.key"), "--cert", minted.folder.path("merchant.pem"),
      "--password-file", folder.path("password"), "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time,
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
  }

  @Test(arguments: ["p256", "rsa2048"])
  func `a request and its key are written, and openssl verifies them`(_ type: String) throws {
    let folder = try OpenSSLTool()
    let arguments = [
      "keys", "csr", "--type", type, "--common-name", "merchant.com.example", "--out", folder.path("new.csr"),
      "--key-out", folder.path("new.key"), "--json",
    ]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json()["schema"] as? String == "assay.keys.csr/1")
    #expect(try folder("req -verify -noout -in new.csr").contains("verify OK"))
    #expect(try folder("req -in new.csr -noout -pubkey") == folder("pkey -in new.key -pubout"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("new.key"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path).sorted() == ["new.csr", "new.key"])
    let inspected = try Self.items(
      Program.run(["keys", "inspect", "--json", folder.path("new.csr"), folder.path("new.key")]))
    #expect(inspected[0]["hasPrivateKey"] as? Bool == true)
    #expect(inspected[0]["publicKeyHash"] as? String == (try outcome.json()["publicKeyHash"] as? String))

    let before = try folder.read("new.key")
    #expect(try Program.run(arguments).status == 2)
    try FileManager.default.removeItem(atPath: folder.path("new.csr"))
    #expect(try Program.run(arguments).status == 2)
    #expect(try folder.read("new.key") == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.csr")))
  }

  @Test(arguments: [
    ["keys"], ["keys", "inspect"], ["keys", "inspect", "--warn-days", "-1", "a"], ["keys", "inspect", "-", "-"],
    ["keys", "csr"], ["keys", "csr", "--type", "p384", "--common-name", "x", "--out", "a", "--key-out", "b"],
    ["keys", "csr", "--type", "p256", "--common-name", "x", "--out", "a", "--key-out", "a"],
  ])
  func `a command line that makes no sense ends with 64`(_ arguments: [String]) throws {
    #expect(try Program.run(arguments).status == 64)
  }
}

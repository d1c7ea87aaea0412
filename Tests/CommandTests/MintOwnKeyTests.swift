import Foundation
import TestSupport
import Testing

/// Minting for keys that this project did not make.
@Suite(.blocking, .enabled(if: OpenSSLTool.isInstalled)) struct MintOwnKeyTests {
  private static let merchant = "merchant.com.example.own"

  /// A folder with a key of OpenSSL and its public half.
  private func own(_ algorithm: String, _ option: String) throws -> OpenSSLTool {
    let tool = try OpenSSLTool()
    try tool("genpkey -algorithm \(algorithm) -pkeyopt \(option) -out own.key")
    try tool("pkey -in own.key -pubout -out own.pub")
    return tool
  }

  private func mint(_ tool: OpenSSLTool, _ options: [String]) throws -> Program.Outcome {
    try Program.run(
      ["mint", "--out", tool.path("minted"), "--seed", "7", "--at", MintedFolder.time, "--force"] + options)
  }

  private func decrypt(_ tool: OpenSSLTool, _ options: [String]) throws -> Program.Outcome {
    try Program.run(
      ["decrypt", tool.path("minted/token.json"), "--root", tool.path("minted/root.pem"), "--at", MintedFolder.time]
        + options)
  }

  @Test func `a public key and the merchant ID are enough, and the private key opens the token`() throws {
    let tool = try own("EC", "ec_paramgen_curve:P-256")
    let minted = try mint(tool, ["--cert", tool.path("own.pub"), "--merchant-id", Self.merchant])
    #expect(minted.status == 0, "\(minted.error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.path("minted")).sorted() == [
        "root.pem", "token.json",
      ])
    let options = ["--key", tool.path("own.key"), "--merchant-id"]
    for engine in ["fast", "reference"] {
      #expect(try decrypt(tool, options + [Self.merchant, "--engine", engine]).status == 0)
    }
    #expect(try decrypt(tool, options + ["merchant.com.example.other"]).status == 1)
  }

  @Test func `an RSA key makes a token of RSA_v1, and the private key alone opens it`() throws {
    let tool = try own("RSA", "rsa_keygen_bits:2048")
    for file in [["--key", tool.path("own.key")], ["--cert", tool.path("own.pub"), "--version", "RSA_v1"]] {
      let minted = try mint(tool, file)
      #expect(minted.status == 0, "\(minted.error)")
      #expect(try decrypt(tool, ["--key", tool.path("own.key")]).text.contains("RSA_v1"))
    }
    let wrong = try mint(tool, ["--key", tool.path("own.key"), "--version", "EC_v1"])
    #expect(wrong.status == 64)
  }

  @Test func `the certificate has the merchant ID, and the printed command opens the token`() throws {
    let other = try TemporaryFolder()
    #expect(try Program.run(["mint", "--out", other.url.path, "--seed", "99", "--at", MintedFolder.time]).status == 0)
    let tool = try OpenSSLTool()
    let (key, certificate) = (other.path("merchant.key"), other.path("merchant.pem"))
    let minted = try mint(tool, ["--cert", certificate, "--key", key])
    #expect(minted.status == 0, "\(minted.error)")
    let command = try #require(minted.text.split(separator: "\n").last)
    let opened = try Program.shell("\(command) --json")
    #expect(opened.status == 0)
    #expect(try opened.json()["accepted"] as? Bool == true)
    // A file with a chain holds the certificates of authorities as well.
    #expect(minted.text.contains(" --key \(key) "))
    let chain =
      try String(contentsOfFile: other.path("root.pem"), encoding: .utf8)
      + String(contentsOfFile: certificate, encoding: .utf8)
    try tool.write(Array(chain.utf8), to: "chain.pem")
    #expect(try mint(tool, ["--cert", tool.path("chain.pem")]).status == 0)
    #expect(try decrypt(tool, ["--key", key, "--cert", certificate]).status == 0)
  }

  @Test func `a key that no token is encrypted to is refused with what is missing`() throws {
    let tool = try own("EC", "ec_paramgen_curve:P-256")
    let minted = try MintedFolder()
    try tool("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out large.key")
    try tool("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out small.key")
    try tool("pkey -in small.key -pubout -out small.pub")
    try tool("pkey -in large.key -pubout -out large.pub")
    for (options, word) in [
      (["--cert", tool.path("own.pub")], "--merchant-id"),
      (["--cert", tool.path("large.pub"), "--merchant-id", Self.merchant], "P-256"),
      (["--cert", tool.path("small.pub")], "1024 bits"),
      (["--cert", minted.folder.path("root.pem")], "payment processing certificate"),
      (["--cert", minted.folder.path("merchant.pem"), "--merchant-id", Self.merchant], "merchantIDMismatch"),
      (["--cert", minted.folder.path("merchant.pem"), "--key", tool.path("own.key")], "different public keys"),
    ] {
      let outcome = try mint(tool, options)
      #expect(outcome.status == 2 && outcome.error.contains(word), "\(options) \(outcome.error)")
      if word != "merchantIDMismatch", !word.hasPrefix("different") { #expect(outcome.error.contains(options[1])) }
    }
    #expect(try mint(tool, ["--merchant-id", Self.merchant]).status == 64)
    #expect(!FileManager.default.fileExists(atPath: tool.path("minted")))
  }

  @Test func `each option takes what its help says, and names the other one`() throws {
    let tool = try own("EC", "ec_paramgen_curve:P-256")
    try tool("req -new -key own.key -subj /CN=x -out own.csr")
    let minted = try MintedFolder()
    for (option, file, other) in [
      ("--key", tool.path("own.pub"), "--cert"), ("--key", tool.path("own.csr"), "--cert"),
      ("--key", minted.folder.path("merchant.pem"), "--cert"), ("--cert", tool.path("own.key"), "--key"),
    ] {
      let outcome = try mint(tool, [option, file, "--merchant-id", Self.merchant])
      #expect(outcome.status == 2 && outcome.error.contains("with \(other)."), "\(outcome.error)")
      #expect(outcome.error.contains(file))
    }
    #expect(try mint(tool, ["--cert", tool.path("own.csr"), "--merchant-id", Self.merchant]).status == 0)
  }

  @Test func `of several keys none is chosen, and a chain has one`() throws {
    let tool = try own("EC", "ec_paramgen_curve:P-256")
    try tool("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out second.key")
    try tool("pkey -in second.key -pubout -out second.pub")
    let first = try MintedFolder()
    let second = try TemporaryFolder()
    #expect(try Program.run(["mint", "--out", second.url.path, "--seed", "8", "--at", MintedFolder.time]).status == 0)
    func joined(_ files: [String], _ name: String) throws -> String {
      try tool.write(Array(files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined().utf8), to: name)
      return tool.path(name)
    }
    let certificate = first.folder.path("merchant.pem")
    for (options, isSingle) in [
      (["--key", try joined([tool.path("own.key"), tool.path("second.key")], "two.key")], false),
      (["--cert", try joined([tool.path("own.pub"), tool.path("second.pub")], "two.pub")], false),
      (["--cert", try joined([certificate, second.path("merchant.pem")], "two.pem")], false),
      (["--cert", try joined([certificate, first.folder.path("root.pem")], "chain.pem")], true),
      (["--cert", try joined([certificate, certificate], "twice.pem")], true),
      (["--key", try joined([first.folder.path("merchant.key"), certificate], "both.pem")], true),
    ] {
      let merchant = options[1].hasSuffix("two.pem") || isSingle ? [] : ["--merchant-id", Self.merchant]
      let outcome = try mint(tool, options + merchant)
      #expect(outcome.status == (isSingle ? 0 : 2), "\(options) \(outcome.error)")
      if !isSingle { #expect(outcome.error.contains("has 2 keys") && outcome.error.contains(options[1])) }
    }
  }

  @Test func `a key in a form that is not read is told with the command that converts it`() throws {
    let tool = try own("EC", "ec_paramgen_curve:P-256")
    try tool("ec -in own.key -pubout -conv_form compressed -out compressed.pub")
    try tool("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key")
    try tool("rsa -in rsa.key -RSAPublicKey_out -out bare.pub")
    try tool("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:3 -out three.key")
    try tool("pkey -in three.key -pubout -out three.pub")
    try tool.write(
      Array("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n".utf8),
      to: "ssh.key")
    for (option, file, code, command) in [
      (
        "--cert", "compressed.pub", "compressedPublicKey", "ec -pubin -in FILE -conv_form uncompressed -pubout -out KEY"
      ),
      ("--cert", "bare.pub", "bareRSAPublicKey", "rsa -RSAPublicKey_in -in FILE -pubout -out KEY"),
      ("--cert", "three.pub", "rsaExponent", ""), ("--key", "ssh.key", "openSSHKey", ""),
    ] {
      let outcome = try mint(tool, [option, tool.path(file), "--merchant-id", Self.merchant])
      #expect(outcome.status == 2 && outcome.error.contains("\(file): \(code): "), "\(outcome.error)")
      #expect(try Program.run(["keys", "inspect", tool.path(file)]).text.contains(code))
      if code == "openSSHKey" { #expect(outcome.error.contains("ssh-keygen -p -m PKCS8")) }
      guard !command.isEmpty else { continue }
      #expect(outcome.error.contains("`openssl \(command)`"))
      try tool(command.replacing("FILE", with: file).replacing("-out KEY", with: "-out converted.pub"))
      #expect(try Program.run(["keys", "inspect", tool.path("converted.pub")]).status == 0)
    }
  }

  @Test func `without an own key the version decides which test key is written`() throws {
    let minted = try MintedFolder(["--version", "RSA_v1"])
    #expect(try minted.decrypt().text.contains("RSA_v1"))
    let outcome = try Program.run(["mint", "--json", "--seed", "7", "--version", "EC_v1", "--at", MintedFolder.time])
    let plain = try Program.run(["mint", "--json", "--seed", "7", "--at", MintedFolder.time])
    #expect(outcome.text == plain.text)
  }
}

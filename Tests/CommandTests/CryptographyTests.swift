import TestSupport
import Testing

/// Commands name what libcrypto's configuration lacks. It is never a verdict about a token, a key or a certificate.
@Suite(.blocking)
struct CryptographyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let withoutDefault = "openssl_conf = a\n[a]\nproviders = b\n"
  private static let configurations = [
    // The default provider is loaded only if no other one is configured.
    "an absent one": withoutDefault + "[b]\nabsent = c\n[c]\nactivate = 1\n",
    "legacy": withoutDefault + "[b]\nlegacy = c\n[c]\nactivate = 1\n",
    "default, not activated": withoutDefault + "[b]\ndefault = c\nlegacy = d\n[c]\n[d]\nactivate = 1\n",
    "base": withoutDefault + "[b]\nbase = c\n[c]\nactivate = 1\n",
    "null": withoutDefault + "[b]\nnull = c\n[c]\nactivate = 1\n",
    "a property that no algorithm has":
      "openssl_conf = a\n[a]\nalg_section = b\n[b]\ndefault_properties = fips=yes\n",
    "FIPS without its module":
      withoutDefault + "alg_section = d\n[b]\nfips = c\n[c]\nactivate = 1\n[d]\ndefault_properties = fips=yes\n",
  ]

  /// Commands that need keys, certificates or engines.
  private func commands(_ minted: String) -> [[String]] {
    let keys = [
      "--key", "\(minted)/merchant.key", "--cert", "\(minted)/merchant.pem", "--root", "\(minted)/root.pem",
    ]
    return [
      ["decrypt", "\(minted)/token.json"] + keys, ["explain", "\(minted)/token.json"] + keys,
      ["decrypt", "\(minted)/token.json", "--engine", "reference"] + keys,
      ["keys", "inspect", "\(minted)/merchant.key"], ["keys", "inspect", "\(minted)/merchant.pem"],
      ["mint", "--out", "\(minted)/more"], ["diff", Package.folder.appending(path: "Corpus/core.json").path],
      ["serve"], ["fuzz", "run", "--duration", "1s", "--dir", "\(minted)/run"],
      ["bench", "run", "stage/json/fast", "--seconds", "0.2"], ["corpus", "lint"],
    ]
  }

  private func minted() throws -> String {
    let minted = folder.path("minted")
    #expect(try Program.run(["mint", "--out", minted]).status == 0)
    return minted
  }

  @Test(arguments: configurations.keys.sorted())
  func `a configuration that lacks algorithms is named, and no token or key is blamed`(name: String) throws {
    let minted = try minted()
    let path = try folder.write(try #require(Self.configurations[name]), to: "openssl.cnf")
    for command in commands(minted) {
      let outcome = try Program.run(command, environment: ["OPENSSL_CONF": path])
      #expect(outcome.status == 2, "\(command): \(outcome.text) \(outcome.error)")
      #expect(outcome.text.isEmpty, "\(command): \(outcome.text)")
      #expect(outcome.error.hasPrefix("assay: cryptographyUnavailable: "), "\(command): \(outcome.error)")
      #expect(outcome.error.contains(path), "\(command): \(outcome.error)")
    }
  }

  @Test(arguments: configurations.keys.sorted())
  func `what helps then works without libcrypto`(name: String) throws {
    let path = try folder.write(try #require(Self.configurations[name]), to: "openssl.cnf")
    let environment = try Program.run(["env", "--json"], environment: ["OPENSSL_CONF": path])
    #expect(environment.status == 1)
    let test = try #require(try environment.json()["self_test"] as? [String: Any])
    #expect(test["passed"] as? Bool == false)
    #expect((test["failure"] as? String)?.contains("cryptographyUnavailable") == true)
    for command in [["version"], ["man", "decrypt"], ["--help"], ["decrypt", "--help"], ["completions", "bash"]] {
      #expect(try Program.run(command, environment: ["OPENSSL_CONF": path]).status == 0, "\(command)")
    }
  }

  @Test(arguments: [
    "", "this is no configuration",
    withoutDefault + "[b]\nlegacy = c\ndefault = d\n[c]\nactivate = 1\n[d]\nactivate = 1\n",
    "openssl_conf = a\n[a]\nalg_section = b\n[b]\ndefault_properties = ?fips=yes\n",
  ])
  func `a configuration with all algorithms decides as without one`(text: String) throws {
    let minted = try minted()
    let path = try folder.write(text, to: "openssl.cnf")
    let command = commands(minted)[0] + ["--at", "signing-time"]
    for path in [path, folder.path("absent.cnf"), folder.url.path] {
      #expect(try Program.run(command, environment: ["OPENSSL_CONF": path]).status == 0)
    }
  }
}

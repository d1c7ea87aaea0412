import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct MintTests {
  @Test func `the printed command opens the token`() throws {
    let folder = try TemporaryFolder()
    let minted = try Program.run(["mint", "--out", folder.path("it's here"), "--seed", "3"])
    #expect(minted.status == 0)
    let command = try #require(minted.text.split(separator: "\n").last)
    #expect(try Program.shell("\(command) --quiet >/dev/null").status == 0)
    #expect(minted.text.contains("seed") && minted.text.contains("3"))
  }

  @Test func `the same seed and time give the same bytes, another seed others`() throws {
    func document(_ seed: String) throws -> [String: Any] {
      try Program.run(["mint", "--json", "--seed", seed, "--at", MintedFolder.time, "--count", "3"]).json()
    }
    let first = try document("5")
    #expect(first["schema"] as? String == "assay.mint/1")
    #expect(first["seed"] as? String == "5")
    #expect((first["tokens"] as? [String])?.count == 3)
    #expect(Set(first["tokens"] as? [String] ?? []).count == 3)
    let (same, other) = (try document("5"), try document("6"))
    #expect(first["tokens"] as? [String] == same["tokens"] as? [String])
    #expect(first["tokens"] as? [String] != other["tokens"] as? [String])
  }

  @Test func `a seed that was not given is drawn and written`() throws {
    let first = try Program.run(["mint", "--json", "--at", MintedFolder.time]).json()
    let again = try Program.run([
      "mint", "--json", "--at", MintedFolder.time, "--seed", try #require(first["seed"] as? String),
    ]).json()
    #expect(first["tokens"] as? [String] == again["tokens"] as? [String])
  }

  @Test func `existing files stay unless force is used`() throws {
    let minted = try MintedFolder()
    let before = try Data(contentsOf: URL(filePath: minted.token))
    let arguments = ["mint", "--out", minted.folder.url.path, "--seed", "8", "--at", MintedFolder.time]
    let refused = try Program.run(arguments)
    #expect(refused.status == 2)
    #expect(try Data(contentsOf: URL(filePath: minted.token)) == before)
    #expect(try Program.run(arguments + ["--force"]).status == 0)
    #expect(try Data(contentsOf: URL(filePath: minted.token)) != before)
    #expect(try minted.decrypt().status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: minted.folder.url.path)
    #expect(Set(names) == ["root.pem", "merchant.key", "merchant.pem", "token.json"])
  }

  @Test(arguments: [
    ("alphapay", "EUR", true), ("alphapay", "CAD", false), ("bambora", "JPY", true), ("bambora", "USD", false),
    ("mpgs", "JPY", false),
  ])
  func `a currency that the gateway's document does not name is remarked on`(
    _ gateway: String, _ currency: String, _ isRemarked: Bool
  ) throws {
    let words = ["mint", "--json", "--seed", "1", "--at", MintedFolder.time, "--envelope", gateway]
    let minted = try Program.run(words + ["--currency", currency])
    #expect(minted.status == 0 && minted.error.contains(currency) == isRemarked)
    #expect(try Program.run(words + ["--currency", currency, "--quiet"]).error.isEmpty)
  }

  @Test func `the key is readable by its owner alone`() throws {
    let minted = try MintedFolder()
    let attributes = try FileManager.default.attributesOfItem(atPath: minted.folder.path("merchant.key"))
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `what cannot be written leaves nothing behind, least of all a key`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("one/token.json"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("two"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("two/merchant.key"), withDestinationPath: "/nonexistent/merchant.key")
    for (name, options, left) in [("one", ["--force"], "token.json"), ("two", [], "merchant.key")] {
      let outcome = try Program.run(["mint", "--out", folder.path(name), "--seed", "1"] + options)
      #expect(outcome.status == 2 && outcome.error.contains(left))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) == [left])
    }
    // A link is replaced, and what it leads to stays as it is.
    #expect(try Program.run(["mint", "--out", folder.path("two"), "--seed", "1", "--force"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: "/nonexistent"))
  }

  // With a limit on files ThreadSanitizer cannot map its copy of constants.
  @Test(.disabled(if: Sanitizer.has("__tsan_init")))
  func `what cannot be replaced as a whole stays as it was`() throws {
    let minted = try MintedFolder()
    let folder = minted.folder.url
    func contents() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
    let before = try contents()
    // There is room for the first files and none for the token.
    let outcome = try Program.shell("ulimit -f 4; assay mint --out \"$1\" --seed 8 --force", [folder.path])
    #expect(outcome.status == 2 && outcome.error.contains("token.json"))
    #expect(try contents() == before)
    #expect(try minted.decrypt().status == 0)
  }

  @Test(arguments: [
    ["--cardholder", String(repeating: "a", count: 15_000)],
    ["--cardholder", String(repeating: "a", count: 12_000), "--envelope", "bambora"], ["--at", "0000-01-01"],
    ["--at", "0019-12-31"], ["--at", "9981-01-01"], ["--at", "9999-12-31"],
  ])
  func `a token that no decryptor accepts is not minted as acceptable`(options: [String]) throws {
    let outcome = try Program.run(["mint", "--json"] + options)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains("shorten --cardholder") || outcome.error.contains("0020-01-01"))
  }

  @Test(arguments: [
    ["--at", "0020-01-01"], ["--at", "9980-12-31"], ["--cardholder", String(repeating: "a", count: 9_300)],
  ])
  func `at the limits the printed command opens the token`(options: [String]) throws {
    try checkPrintedCommand(["--out", "limit", "--seed", "1"] + options, in: TemporaryFolder())
  }

  @Test(arguments: [["--out", "-"], ["--out=-y"]])
  func `a folder that begins with a dash is no option in the printed command`(options: [String]) throws {
    try checkPrintedCommand(options + ["--seed", "1"], in: TemporaryFolder())
  }

  private func checkPrintedCommand(_ options: [String], in folder: TemporaryFolder) throws {
    let script = #"command=$(assay mint "$@" | tail -n 1) && eval "$command --quiet --json""#
    let outcome = try Program.shell(script, options, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json()["accepted"] as? Bool == true)
  }

  @Test func `a folder that cannot be made is no answer`() throws {
    #expect(try Program.run(["mint", "--out", "/proc/none/such"]).status == 2)
  }

  @Test func `several tokens go to files of their own`() throws {
    let minted = try MintedFolder(["--count", "2"])
    for name in ["token-1.json", "token-2.json"] {
      #expect(try Program.run(["decrypt", minted.folder.path(name)] + minted.options).status == 0)
    }
  }
}

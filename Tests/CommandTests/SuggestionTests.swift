import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct SuggestionTests {
  /// The word that the program asks about; nil if it asks about none.
  private func meant(by arguments: [String]) throws -> String? {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
    return outcome.error.firstMatch(of: /did you mean ([^?]+)\?/).map { String($0.1) }
  }

  private static let mistyped: [(words: String, meant: String)] = [
    ("decrpyt token.json", "assay decrypt"),
    ("becnh run", "assay bench run"),
    ("corpse", "assay corpus"),
    ("inspect merchant.pem", "assay keys inspect"),
    ("bench comapre", "assay bench compare"),
    ("decrypt --expect-curency 978", "--expect-currency"),
    ("mint --Seed 1", "--seed"),
    ("decrypt --envelope Mpgs", "mpgs"),
    ("decrypt --output Mpgs", "mpgs"),
    ("gateway show Worldlin", "worldline"),
    ("gateway check MPGS -", "mpgs"),
    ("gateway request worldine", "worldline"),
    ("gateway response alphpay -", "alphapay"),
    ("mint --json --fault version-mising", "version-missing"),
    ("mint --list-faults chian", "chain"),
    ("corpus list --flag merchantkey", "MerchantKey"),
    ("corpus list --code untrustedchian", "untrustedChain"),
    ("fuzz run --target tokn", "token"),
    ("bench run decrpyt", "decrypt"),
    ("mint --json --currency eur", "EUR"),
    ("man benhc", "assay man bench"),
    ("man bench rnu", "assay man bench run"),
    ("completions bahs", "bash"),
    ("--hlep", "assay --help"),
  ]

  @Test(arguments: mistyped)
  func `a mistyped word is answered with the one that was meant`(words: String, word: String) throws {
    #expect(try meant(by: words.split(separator: " ").map(String.init)) == word)
  }

  @Test(arguments: [["nonsense"], ["decrypt", "--nonsense"], ["decrypt", "--envelope", "paypal"], ["mint", "--xy"]])
  func `nothing is guessed of a word that is like no other`(arguments: [String]) throws {
    #expect(try meant(by: arguments) == nil)
  }

  @Test func `a group of commands has no page, and its commands are named`() throws {
    let outcome = try Program.run(["man", "keys"])
    #expect(outcome.status == 64 && outcome.error.contains("man keys inspect or man keys csr"))
    #expect(!outcome.error.contains("there is no command"))
  }

  @Test func `a message points to one place, and does not ask for what was given`() throws {
    for arguments in [["mint", "--json", "--fault", "nosuch"], ["bench", "run", "nosuch"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 64 && outcome.error.split(separator: "See assay ").count == 2, "\(outcome.error)")
    }
    let currency = try Program.run(["decrypt", "--expect-currency", "000", "--expect-amount", "12.50"])
    #expect(currency.status == 64 && !currency.error.contains("given as well") && currency.error.contains("000"))
  }

  @Test func `a flag, a rule or a code that no vector can have is no empty list`() throws {
    let corpus = ["corpus", "list", "--corpus", Package.folder.appending(path: "Corpus").path]
    for (option, word) in [("--flag", "nosuch"), ("--clause", "99.9"), ("--code", "nosuch")] {
      let outcome = try Program.run(corpus + [option, word])
      #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.error.contains(word), "\(option)")
    }
    let known = try Program.run(corpus + ["--flag", "MerchantKey"])
    #expect(known.status == 0 && !known.output.isEmpty)
  }

  @Test func `mint makes the folders above its folder`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run(["mint", "--out", folder.path("a/b/c/"), "--quiet"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(FileManager.default.fileExists(atPath: folder.path("a/b/c/token.json")))
    let file = try folder.write("", to: "file")
    #expect(try Program.run(["mint", "--out", file + "/below"]).status == 2)
  }

  @Test func `the list of faults can be searched, and is grouped by stage and verdict`() throws {
    let chain = try Program.run(["mint", "--list-faults", "chain"])
    #expect(chain.status == 0)
    let heads = chain.text.split(separator: "\n").filter { !$0.hasPrefix("  ") }
    #expect(heads == ["7 chain, rejected:", "7 chain, accepted:"])
    let lines = chain.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(lines.count > 50 && lines.allSatisfy { $0.contains("  7.") })
    let found = try Program.run(["mint", "--list-faults", "root", "expired", "--json"]).json()
    let names = try #require(found["faults"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(!names.isEmpty && names.count < 100)
    #expect(try Program.run(["mint", "--json", "chain"]).status == 64)
  }
}

import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct UsageTests {
  @Test(arguments: [
    [], ["nonsense"], ["decrypt", "--nonsense"], ["decrypt", "a", "b"], ["decrypt", "--key"], ["bench"],
    ["bench", "nonsense"], ["decrypt", "--engine", "slow"], ["decrypt", "--envelope", "paypal"],
    ["decrypt", "--at", "yesterday"], ["decrypt", "--at", "2026-02-30T00:00:00Z"], ["decrypt", "--window", "-1"],
    ["decrypt", "--window", "4294967296"], ["decrypt", "--window", "5", "--at", "signing-time"],
    ["decrypt", "--expect-currency", "XQQ"], ["decrypt", "--expect-amount", "1.5"],
    ["decrypt", "--expect-amount", "1000000000000"], ["decrypt", "--expect-application-data", "ab"],
    ["decrypt", "--json", "--output", "plaintext"], ["decrypt", "--json=yes"], ["decrypt", "--reveal", "--reveal"],
    ["decrypt", "--key", "-"], ["explain", "--reveal"], ["explain", "a", "b"], ["explain", "--engine", "fast"],
    ["explain", "--key", "-"], ["mint"], ["mint", "--json", "--count", "0"], ["mint", "--json", "--seed", "-1"],
    ["mint", "--json", "--currency", "eur"], ["bench", "run", "nothing/of/this/name"],
    ["bench", "run", "--seconds", "0"], ["bench", "run", "--seconds", "0.09"], ["bench", "run", "--seconds", "1e3"],
    ["bench", "run", "--seconds", "3600.1"], ["bench", "run", "--seconds", "1."], ["env", "operand"],
    ["corpus"], ["corpus", "add"], ["corpus", "lint", "operand"],
    ["corpus", "add", "a", "--envelope", "paypal"],
    ["decrypt", "--unsigned", "--envelope", "mpgs"], ["explain", "--unsigned", "--envelope", "apple"],
    ["decrypt", "--expect-amount", "request"], ["decrypt", "--expect-currency", "request", "--envelope", "auto"],
    ["decrypt", "--expect-amount", "request", "--envelope", "apple"],
    ["decrypt", "--expect-amount", "request", "--envelope", "applepayjs"],
    ["decrypt", "--expect-currency", "request", "--envelope", "alphapay"],
    ["mint", "--json", "--envelope", "paypal"], ["mint", "--json", "--envelope", "mpgs", "--currency", "999"],
    ["mint", "--json", "--envelope", "mpgs", "--fault", "version-missing"], ["gateway"], ["gateway", "list", "mpgs"],
    ["gateway", "show"], ["gateway", "show", "paypal"], ["gateway", "events"], ["gateway", "events", "a", "b"],
    ["decrypt", "--json", "--output", "text"], ["decrypt", "--output", "bambora"],
    ["bench", "run", "--thresholds", "a"], ["fuzz"], ["fuzz", "run", "--duration", "8"],
    ["fuzz", "run", "--duration", "0s"], ["fuzz", "run", "--jobs", "0"],
    ["fuzz", "run", "--target", "json"], ["fuzz", "run", "--without", "nothing"], ["fuzz", "replay"],
    ["fuzz", "minimize"], ["fuzz", "status"], ["fuzz", "status", "a", "b"],
    ["corpus", "minimize"],
    ["corpus", "minimize", "a"], ["corpus", "minimize", "a", "--into", "b", "--seeds", "--target", "cms"],
    ["corpus", "add", "a", "--comment", "b"], ["corpus", "add", "a", "--regression", "--envelope", "mpgs"],
  ])
  func `a command line that makes no sense ends with 64 and nothing on standard output`(arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix(arguments.isEmpty ? "usage: assay" : "assay: "))
  }

  @Test func `an error of usage is one line that names the word`() throws {
    let outcome = try Program.run(["decrypt", "--nonsense"])
    #expect(outcome.error == "assay: decrypt has no option --nonsense. See assay decrypt --help.\n")
  }

  @Test func `values follow their option after a space or an equals sign`() throws {
    let minted = try MintedFolder()
    let joined = stride(from: 0, to: minted.options.count, by: 2).map {
      "\(minted.options[$0])=\(minted.options[$0 + 1])"
    }
    #expect(try Program.run(["decrypt"] + joined + ["--", minted.token]).status == 0)
  }

  @Test(arguments: [["--help"], ["help"], ["-h"]])
  func `help lists the commands and exit codes`(arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.text == HelpSnapshots.overview)
    // One screen of a terminal.
    #expect(outcome.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }

  @Test func `help of a group lists its commands, and those for developers of assay apart`() throws {
    #expect(try Program.run(["bench", "--help"]).text == HelpSnapshots.benchGroup)
  }

  @Test(arguments: HelpSnapshots.commands)
  func `help of a command is what it was`(command: String, text: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let outcome = try Program.run(words + ["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.text == text)
    #expect(try Program.run(["help"] + words).text == text)
  }

  /// What the program answers on a pseudoterminal with this number of columns.
  private func answer(_ words: [String], columns: Int, environment: [String: String] = [:]) throws -> String {
    let outcome = try Program.runOnTerminal(words, as: "stdout", columns: columns, environment: environment)
    #expect(outcome.status == 0)
    return outcome.text
  }

  @Test(.enabled(if: Program.python != nil, "python3 makes the terminal"), arguments: [40, 80, 200])
  func `on a terminal the lines of help are broken between words`(columns: Int) throws {
    let words = ["bench", "compare", "--help"]
    let (text, piped) = (try answer(words, columns: columns), try Program.run(words).text)
    let lines = text.split(separator: "\n")
    for line in lines { #expect(line.count <= columns, "\(line)") }
    #expect(text.split(whereSeparator: \.isWhitespace) == piped.split(whereSeparator: \.isWhitespace))
    #expect((text == piped) == (columns == 200))
    // A continuation line begins in the column of the explanation above it.
    if columns == 80 { #expect(lines.contains("                       *; '=NAME' for one (repeatable)")) }
    guard columns == 40 else { return }
    #expect(try answer(words, columns: 200, environment: ["COLUMNS": "40"]) == text)
    for useless in ["-5", "0", "wide"] {
      #expect(try answer(words, columns: 40, environment: ["COLUMNS": useless]) == text)
    }
  }

  @Test(.enabled(if: Program.python != nil, "python3 makes the terminal"), arguments: [40, 80, 200])
  func `on a terminal a table fits, or says what it leaves out`(columns: Int) throws {
    let (words, piped) = (["gateway", "list"], try Program.run(["gateway", "list"]).text)
    let text = try answer(words, columns: columns)
    #expect(text.contains("Left out: gateway. ") == (columns == 40))
    #expect(text.contains("Coinbase Onramp") == (columns > 40))
    // A path is not broken.
    let path = "sourceOfFunds.provided.card.devicePayment.paymentToken,"
    for line in text.split(separator: "\n") {
      #expect(line.count <= columns || line.split(separator: " ").contains { $0.count > 30 }, "\(line)")
    }
    #expect(text.contains(path) && text != piped && piped.contains { $0 == "\n" })
    let json = try answer(words + ["--json"], columns: columns)
    #expect(try json == Program.run(words + ["--json"]).text)
  }

  @Test func `no line of help is wider than a terminal`() {
    let lines = (HelpSnapshots.commands.map(\.1) + [HelpSnapshots.overview]).flatMap { $0.split(separator: "\n") }
    for line in lines { #expect(line.count <= 120, "\(line)") }
    #expect(lines.count > 200 && lines.contains { $0.count > 100 })
  }
}

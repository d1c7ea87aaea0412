import Foundation
import TestSupport
import Testing
import assay

/// The completions that three shells offer. Scripts/try-completions asks the shells themselves.
@Suite(.blocking) struct CompletionTests {
  private static func isInstalled(_ shell: Shell) -> Bool { InstalledProgram.find(shell.rawValue) != nil }

  @Test(.enabled(if: isInstalled(.bash), "bash is not installed"))
  func `bash offers every command and option`() throws { try checkAll(.bash) }

  @Test(.enabled(if: isInstalled(.zsh), "zsh is not installed"))
  func `zsh offers every command and option`() throws { try checkAll(.zsh) }

  @Test(.enabled(if: isInstalled(.fish), "fish is not installed"))
  func `fish offers every command and option`() throws { try checkAll(.fish) }

  @Test func `the program writes the script of each shell`() throws {
    for shell in Shell.allCases {
      let outcome = try Program.run(["completions", shell.rawValue])
      #expect(outcome.status == 0)
      #expect(outcome.text == shell.script)
    }
    for arguments in [["completions"], ["completions", "csh"], ["completions", "bash", "zsh"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
    }
  }

  @Test func `what is offered comes from the definitions of commands, and leaves out what is given already`() throws {
    var definitions = CommandLineProgram.definitions
    let last = try #require(definitions.indices.last)
    definitions[last].options.append(.flag("--planted", "it's [here]: \\ \"$HOME\" `date`"))
    func offered(_ words: [String]) -> String { Completion(definitions).candidates(for: words).text }
    #expect(offered(definitions[last].path + ["-"]).contains("\n--planted\tit's [here]: \\ \"$HOME\" `date`\n"))
    #expect(!offered(definitions[last].path + ["--planted", "-"]).contains("planted"))
    #expect(!offered(["bench", "run", "--seed=1", "--"]).contains("\n--seed\t"))
    #expect(offered(["decrypt", "--key", "a", "--"]).contains("\n--key\t"))
    #expect(offered(["diff", "--strictness="]) == "words\naccept\nplaintext\ncode\n")
    #expect(offered([]).hasPrefix("words\ndecrypt\tverify"))
    #expect(offered(["help", "decrypt", "--"]) == "words\n")
    #expect(offered(["help", "--"]) == "words\n--help\tshow this help\n")
  }

  private func checkAll(_ shell: Shell) throws {
    let definitions = CommandLineProgram.definitions
    let groups = Set(definitions.filter { $0.path.count > 1 }.map(\.path[0])).sorted()

    var lines = ["assay "] + groups.map { "assay \($0) " }
    var expected = [Set(definitions.map(\.path[0]))]
    expected += groups.map { group in
      Set(definitions.filter { $0.path[0] == group && $0.path.count > 1 }.map(\.path[1]))
    }
    for definition in definitions {
      lines.append("assay \(definition.name) --")
      expected.append(Set(definition.allOptions.map(\.name)))
    }
    for example in Self.examples + Self.colon(shell) {
      lines.append(example.line)
      expected.append(example.offered)
    }
    let offered = try ask(shell, lines)
    try #require(offered.count == lines.count)
    for (line, pair) in zip(lines, zip(offered, expected)) { #expect(pair.0 == pair.1, "\(shell): \(line)") }
  }

  private static let examples: [(line: String, offered: Set<String>)] = [
    ("assay be", ["bench"]), ("assay --v", ["--version"]), ("assay bench run --se", ["--seconds", "--seed"]),
    ("assay gateway sh", ["show"]), ("assay diff --strictness ", ["accept", "plaintext", "code"]),
    ("assay decrypt --json --key m", ["merchant.key", "merchant.pem"]), ("assay decrypt t", ["token.json"]),
    ("assay completions ", ["bash", "zsh", "fish"]), ("assay decrypt --at ", []), ("assay nonsense decr", []),
    ("assay bench nonsense ru", []), ("assay man be", ["bench"]), ("assay help keys ", ["inspect", "csr"]),
    ("assay man bench com", ["compare"]), ("assay man keys ", ["inspect", "csr"]), ("assay man decrypt ", []),
    ("assay gateway show m", ["mpgs"]), ("assay bench run decrypt/fast/ec_v1/c", ["decrypt/fast/ec_v1/cold"]),
    ("assay diff --report h", ["html="]), ("assay bench compare --report g", ["github"]),
    ("assay bench run --report g", ["github", "github-benchmark="]),
    ("assay decrypt -- -d", ["-dashed"]), ("assay diff --strictness ac", ["accept"]),
  ]

  /// In bash, readline replaces only what follows the last colon or equals sign; fish offers files at every place of
  /// such a word.
  private static func colon(_ shell: Shell) -> [(line: String, offered: Set<String>)] {
    switch shell {
    case .bash:
      [("assay decrypt --key a:", ["b.pem"]), ("assay decrypt a:b", ["b.pem"]), ("assay decrypt x=", ["y.pem"])]
    case .zsh: [("assay decrypt --key a:", ["a:b.pem"])]
    case .fish: []
    }
  }

  /// What the shell offers for each line.
  private func ask(_ shell: Shell, _ lines: [String]) throws -> [Set<String>] {
    let folder = try TemporaryFolder()
    let script = try folder.write(shell.script, to: "script")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines")
    let outcome = try Program.run(
      [shell.rawValue, script, "merchant.key", "merchant.pem", "token.json", "a:b.pem", "x=y.pem", "-dashed"],
      input: URL(filePath: input),
      environment: ["PATH": Program.url.deletingLastPathComponent().path + ":" + path],
      program: Package.folder.appending(path: "Scripts/try-completions"))
    #expect(outcome.status == 0, "\(outcome.error)")
    return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { Set($0.split(separator: " ").map(String.init)) }
  }
}

import Foundation
import TestSupport
import Testing
import assay

/// What three shells offer, asked by Scripts/try-completions in the shells themselves.
@Suite(.blocking) struct CompletionTests {
  private static func isInstalled(_ shell: Shell) -> Bool { InstalledProgram.find(shell.rawValue) != nil }

  @Test(.enabled(if: isInstalled(.bash), "bash is not installed"))
  func `bash offers every command and option`() throws { try checkAll(.bash) }

  @Test(.enabled(if: isInstalled(.zsh), "zsh is not installed"))
  func `zsh offers every command and option`() throws { try checkAll(.zsh) }

  @Test(.enabled(if: isInstalled(.fish), "fish is not installed"))
  func `fish offers every command and option`() throws { try checkAll(.fish) }

  @Test func `the program writes the completions of its definitions`() throws {
    for shell in Shell.allCases {
      let outcome = try Program.run(["completions", shell.rawValue])
      #expect(outcome.status == 0)
      #expect(outcome.text == shell.completions(of: CommandTree(CommandLineProgram.definitions)))
    }
    for arguments in [["completions"], ["completions", "csh"], ["completions", "bash", "zsh"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
    }
  }

  /// All definitions and one option that exists here only: a search that finds it would find any other.
  private func checkAll(_ shell: Shell) throws {
    var definitions = CommandLineProgram.definitions
    let last = try #require(definitions.indices.last)
    definitions[last].options.append(.flag("--planted", "it's [here]: \\ \"$HOME\" `date`"))
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
    let offered = try ask(shell, definitions, lines)
    try #require(offered.count == lines.count)
    for (line, pair) in zip(lines, zip(offered, expected)) { #expect(pair.0 == pair.1, "\(shell): \(line)") }
    #expect(offered.contains { $0.contains("--planted") })
  }

  private static let examples: [(line: String, offered: Set<String>)] = [
    ("assay be", ["bench"]), ("assay --v", ["--version"]), ("assay bench run --se", ["--seconds", "--seed"]),
    ("assay gateway sh", ["show"]), ("assay diff --strictness ", ["accept", "plaintext", "code"]),
    ("assay decrypt --json --key m", ["merchant.key", "merchant.pem"]), ("assay decrypt t", ["token.json"]),
    ("assay completions ", ["bash", "zsh", "fish"]), ("assay decrypt --at ", []), ("assay nonsense decr", []),
    ("assay bench nonsense ru", []), ("assay man be", ["bench"]), ("assay help keys ", ["inspect", "csr"]),
    ("assay man bench hi", ["history"]), ("assay man keys ", ["inspect", "csr"]), ("assay man decrypt ", []),
    ("assay gateway show m", ["mpgs"]), ("assay bench run decrypt/fast/ec_v1/c", ["decrypt/fast/ec_v1/cold"]),
    ("assay diff --report h", ["html="]), ("assay bench compare --report g", ["github"]),
    ("assay bench run --report g", ["github", "github-benchmark="]),
    ("assay decrypt -- -d", ["-dashed"]),
  ]

  /// In bash, readline replaces only what follows the last colon; fish offers files at every place of such a word.
  private static func colon(_ shell: Shell) -> [(line: String, offered: Set<String>)] {
    switch shell {
    case .bash: [("assay decrypt --key a:", ["b.pem"]), ("assay decrypt a:b", ["b.pem"])]
    case .zsh: [("assay decrypt --key a:", ["a:b.pem"])]
    case .fish: []
    }
  }

  /// What the shell offers for each line.
  private func ask(_ shell: Shell, _ definitions: [CommandDefinition], _ lines: [String]) throws -> [Set<String>] {
    let folder = try TemporaryFolder()
    let script = try folder.write(shell.completions(of: CommandTree(definitions)), to: "script")
    let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines")
    let outcome = try Program.run(
      [shell.rawValue, script, "merchant.key", "merchant.pem", "token.json", "a:b.pem", "-dashed"],
      input: URL(filePath: input),
      program: Package.folder.appending(path: "Scripts/try-completions"))
    #expect(outcome.status == 0, "\(outcome.error)")
    return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { Set($0.split(separator: " ").map(String.init)) }
  }
}

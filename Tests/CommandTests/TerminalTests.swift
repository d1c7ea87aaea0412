import Foundation
import TestSupport
import Testing

/// What is written to standard error on a terminal.
@Suite(.blocking) struct TerminalTests {
  /// Runs the program with a pseudoterminal as standard error, and returns what it shows.
  private func linesOnTerminal(_ arguments: [String]) throws -> [String] {
    let lines = try Program.runOnTerminal(arguments, as: "stderr").text.split(separator: "\n").map(String.init)
    try #require(!lines.isEmpty)
    return lines
  }

  /// The words without line breaks, as a pipe gets them.
  private func words(_ lines: [String]) -> [Substring] { lines.joined(separator: " ").split(separator: " ") }

  @Test(
    .enabled(if: Program.python != nil, "python3 makes the terminal"),
    arguments: [
      [], ["decrypt", "--lines", "/dev/null", "--columns", "foo"], ["bench", "run", "nothing-of-this-name"],
      ["decrypt", "--engine", "none", "/dev/null"], ["mint", "--at", "0001-01-01", "--json"], ["gateway"],
    ])
  func `a message is broken to the columns of the terminal, and no word of it is lost`(arguments: [String]) throws {
    let lines = try linesOnTerminal(arguments)
    #expect(lines.filter { $0.count > 80 } == [])
    let piped = try Program.run(arguments).error
    #expect(words(lines) == words(piped.split(separator: "\n").map(String.init)))
  }

  @Test(.enabled(if: Program.python != nil, "python3 makes the terminal"))
  func `no command and no path is broken`() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "45e62002", count: 32)
    let hexadecimal = try folder.write("308187020100" + text, to: "a key with a name.hex")
    let lines = try linesOnTerminal(["decrypt", "/dev/null", "--key", hexadecimal])
    #expect(lines.contains { $0.contains(hexadecimal) }, "\(lines)")
    let absent = folder.path("a file of a folder that is not there/and a name that is longer than most of its kind")
    #expect(try linesOnTerminal(["explain", absent]).contains { $0.contains(absent) })
    let utf16 = try folder.write("-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----", to: "pem")
    let advice = try linesOnTerminal(["decrypt", "/dev/null", "--key", utf16])
    #expect(advice.contains { $0.hasSuffix(" >KEY`.") && $0.hasPrefix("`printf '%b'") }, "\(advice)")
  }
}

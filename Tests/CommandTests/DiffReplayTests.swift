import Foundation
import TestSupport
import Testing

/// The commands that `assay diff` prints for its findings.
@Suite(.blocking, .timeLimit(.minutes(15)))
struct DiffReplayTests {
  /// A program that accepts every token.
  private static let yes =
    #"read hello; echo '{"hello":1,"name":"yes","version":"2","supports":["EC_v1","RSA_v1","roots","signature"]}'; "#
    + #"while read -r line; do id=${line#*\"id\":\"}; echo "{\"id\":\"${id%%\"*}\",\"accepted\":true,\"plaintext\":\"\"}"; done"#

  @Test func `every printed replay command exits with 1`() throws {
    let minted = try MintedFolder()
    let folder = minted.folder
    let vectors = folder.path("the lengths.json")
    try FileManager.default.copyItem(
      atPath: Package.folder.appending(path: "Corpus/vectors/lengths.json").path, toPath: vectors)
    let tests = ["data-of-0-bytes", "signature-of-no-bytes", "transaction-id-of-0-bytes"].flatMap { ["--test", $0] }
    // The first has findings of several severities, of which only the worst fails; the second one without a standing.
    let runs = [([vectors] + tests, 3), ([try folder.write("{}", to: "a request")] + minted.options, 1)]
    for (index, (inputs, count)) in runs.enumerated() {
      let (found, page) = (folder.path("found \(index)"), folder.path("\(index).html"))
      let limits = ["--timeout", "9", "--memory", "8192", "--engine", "fast", "--level", "critical"]
      let outcome = try Program.run(
        ["diff"] + inputs + limits + ["--strictness", "accept", "--external", Self.yes, "--quiet"]
          + ["--findings", found, "--report", "html=\(page)"])
      #expect(outcome.status == 1, "\(outcome.error)")
      let html = try String(contentsOfFile: page, encoding: .utf8)
      var commands = html.matches(of: /<code>(assay diff [^<]*)<\/code>/).map { Self.unescaped(String($0.1)) }
      for name in try FileManager.default.contentsOfDirectory(atPath: found) {
        let lines = try FileText.text("\(found)/\(name)/README.txt").split(separator: "\n")
        commands += lines.filter { $0.hasPrefix("assay diff ") }.map { String($0) }
      }
      #expect(commands.count >= 2 * count)
      for command in commands {
        #expect(command.contains(" --timeout 9 --memory 8192 --strictness accept"), "\(command)")
        let replay = try Program.shell(command + " --quiet")
        #expect(replay.status == 1, "\(command): \(replay.text) \(replay.error)")
      }
    }
  }

  private static func unescaped(_ text: String) -> String {
    [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(text) { text, pair in
      text.replacingOccurrences(of: pair.0, with: pair.1)
    }
  }
}

import Foundation
import TestSupport
import Testing

/// What `assay diff` writes besides its answer: findings with the commands that replay them, and reports.
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

  // With a limit on files ThreadSanitizer cannot map its copy of constants.
  @Test(.disabled(if: Sanitizer.has("__tsan_init")))
  func `with a full disk each file that is missing is named, and findings still fail`() throws {
    let folder = try TemporaryFolder()
    let (found, page, junit) = (folder.path("found"), folder.path("page.html"), folder.path("junit.xml"))
    let words = ["--findings", found, "--report", "html=\(page)", "--report", "junit=\(junit)", "--quiet"]
    func run(_ external: [String]) throws -> String {
      let command =
        "{ (ulimit -f 1; assay diff --mint 4 --seed 1 --engine fast \"$@\"); echo \"exit code $?\"; } 2>&1 | cat"
      return try Program.shell(command, external + words).text
    }
    let failing = try run(["--external", Self.yes, "--strictness", "accept"])
    #expect(failing.hasSuffix("exit code 1\n") && failing.contains("yes 2: accepted a forgery"), "\(failing)")
    #expect(!failing.contains("Findings are in"))
    for file in ["\(found)/0001-accepted/token", page, junit] {
      #expect(failing.contains("assay: ") && failing.contains(file), "\(file): \(failing)")
    }
    let passing = try run([])
    #expect(passing.hasSuffix("exit code 2\n") && passing.contains(page) && passing.contains(junit), "\(passing)")
  }

  @Test func `with --test the origin of the tests counts only what is asked`() throws {
    let folder = try TemporaryFolder()
    let vectors = Package.folder.appending(path: "Corpus/vectors/lengths.json").path
    let request = try folder.write("{}", to: "request")
    let inputs = ["diff", vectors, request, "--engine", "fast", "--quiet"]
    let one = try Program.run(inputs + ["--test", "signature-of-no-bytes"])
    #expect(one.status == 0 && one.text.contains("1 of \(vectors), 0 of \(request)\n"), "\(one.text)\(one.error)")
    #expect(try Program.run(inputs).text.contains("1 of \(request), 1 of them plain requests\n"))
  }

  private static func unescaped(_ text: String) -> String {
    [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(text) { text, pair in
      text.replacingOccurrences(of: pair.0, with: pair.1)
    }
  }
}

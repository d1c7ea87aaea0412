import Foundation
import TestSupport
import Testing

/// `assay diff` as users run it.
@Suite(.blocking, .timeLimit(.minutes(15)))
struct DiffTests {
  @Test func `of a corpus what has tokens is asked, and of a folder of vectors not its schema`() throws {
    let folder = try TemporaryFolder()
    let corpus = Package.folder.appending(path: "Corpus")
    for name in ["vectors/time.json", "vectors/schema.json", "gateways/events.json"] {
      let target = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: corpus.appending(path: name), to: target)
    }
    let file = try Program.run(["diff", folder.path("vectors/time.json"), "--json", "--quiet"]).json()
    let count = try #require(file["tests"] as? Int)
    for path in [folder.url.path, folder.path("vectors")] {
      let outcome = try Program.run(["diff", path, "--json", "--quiet"])
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(try outcome.json()["tests"] as? Int == count)
    }
  }

  private static let serve = "exec '\(Program.url.path)' serve --engine fast"
  /// A program that accepts every token. It needs no Python, so that it always runs.
  private static let yes =
    #"read hello; echo '{"hello":1,"name":"yes","version":"2","supports":["EC_v1","RSA_v1","expect","payload","replay","revoked","roots","signature"]}'; "#
    + #"while read -r line; do id=${line#*\"id\":\"}; echo "{\"id\":\"${id%%\"*}\",\"accepted\":true,\"plaintext\":\"\"}"; done"#

  private func diff(_ arguments: [String], mint: Int = 12) throws -> Program.Outcome {
    try Program.run(["diff", "--mint", String(mint), "--seed", "1", "--quiet"] + arguments)
  }

  @Test func `both engines and one behind the line protocol agree`() throws {
    let outcome = try diff(["--external", Self.serve, "--strictness", "code", "--json"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    let answer = try outcome.json()
    #expect(answer["schema"] as? String == "assay.diff/1" && answer["held"] as? Bool == true)
    let contenders = try #require(answer["contenders"] as? [[String: Any]])
    #expect(contenders.map { $0["kind"] as? String } == ["engine", "engine", "external"])
    #expect(contenders.allSatisfy { $0["held"] as? Int == 12 && $0["findings"] as? Int == 0 })
    #expect((answer["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func `an unsigned token reported as signed is a finding, although vectors do not say which are unsigned`()
    throws
  {
    let path = Package.folder.appending(path: "Corpus/vectors/unsigned.json").path
    let hiding = #"\#(Self.serve) | sed -u 's/"signed":false,//'"#
    let outcome = try Program.run(["diff", path, "--external", hiding, "--json", "--quiet"])
    let findings = try #require(try outcome.json()["findings"] as? [[String: Any]])
    #expect(outcome.status == 1 && !findings.isEmpty)
    #expect(
      findings.allSatisfy { $0["kind"] as? String == "unsignedAsSigned" && $0["severity"] as? String == "critical" })
  }

  @Test func `of a corpus the vectors, regressions and seeds are asked, and nothing else that lies there`() throws {
    let folder = try TemporaryFolder()
    let corpus = Package.folder.appending(path: "Corpus")
    for name in ["vectors", "regressions"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    }
    for name in ["README.md", "vectors/schema.json", "regressions/a-leaf-of-hundreds-of-extensions.json"] {
      try FileManager.default.copyItem(atPath: corpus.appending(path: name).path, toPath: folder.path(name))
    }
    let outcome = try Program.run(["diff", folder.path(""), "--quiet", "--json"])
    let answer = try outcome.json()
    #expect(outcome.status == 0 && answer["tests"] as? Int == 1)
  }

  @Test func `a corpus with an empty or missing file of vectors is refused, and nobody decides correctly on it`() throws
  {
    let no = Self.program(supports: #""EC_v1","RSA_v1","roots","signature""#, answer: #"\"accepted\":false"#)
    func diff(_ path: String) throws -> Program.Outcome {
      try Program.run(["diff", path, "--engine", "fast", "--external", no, "--quiet"])
    }
    let folder = try TemporaryFolder()
    let vectors = Package.folder.appending(path: "Corpus/vectors")
    try FileManager.default.createDirectory(atPath: folder.path("vectors"), withIntermediateDirectories: false)
    for path in [folder.url.path, try folder.write("", to: "core.json")] {
      #expect(try diff(path).status == 2, "\(path)")
    }
    // All files but one are missing.
    try FileManager.default.copyItem(
      atPath: vectors.appending(path: "unsigned.json").path, toPath: folder.path("vectors/unsigned.json"))
    let some = try Program.run(["diff", folder.url.path, "--external", Self.serve, "--quiet"])
    #expect(some.status == 0 && some.text.contains("; run the corpus.") && !some.text.contains("decides correctly"))
    try folder.write("", to: "vectors/json.json")
    try folder.write("# numbers", to: "numbers.txt")
    for path in [folder.url.path, folder.path("vectors"), folder.path("vectors/json.json")] {
      #expect(try diff(path).status == 2, "\(path)")
    }
  }

  @Test func `one that accepts everything is told first, with all reports`() throws {
    let folder = try TemporaryFolder()
    let reports = ["html", "junit", "markdown"].flatMap { ["--report", "\($0)=\(folder.path($0))"] }
    let outcome = try diff(["--external", Self.yes, "--strictness", "accept", "--report", "github"] + reports)
    #expect(outcome.status == 1)
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("result ") && $0.contains("forgeries") })
    #expect(lines.first?.hasPrefix("yes 2 ") == true)
    #expect(lines.contains("yes 2: accepted a forgery"))
    #expect(outcome.error.contains("::error title=yes 2%3A accepted what must be refused::"))
    let page = try String(contentsOfFile: folder.path("html"), encoding: .utf8)
    #expect(page.contains("It checks no signature.") && page.contains("Critical: "))
    let junit = try XMLFile(folder.path("junit"))
    #expect(junit.names["testsuite"] == 3 && junit.names["testcase"] == 36)
    #expect(junit.names["failure"] == junit.failures && junit.failures > 0)
    let markdown = try String(contentsOfFile: folder.path("markdown"), encoding: .utf8)
    #expect(markdown.contains("| yes 2 | critical | accepted a forgery"))
  }

  @Test func `a finding is replayed by the command written beside it`() throws {
    let folder = try TemporaryFolder()
    let outcome = try diff(
      ["--external", Self.yes, "--strictness", "accept", "--findings", folder.path("found")], mint: 6)
    #expect(outcome.status == 1)
    let found = try FileManager.default.contentsOfDirectory(atPath: folder.path("found")).sorted()
    let first = folder.path("found/\(try #require(found.first))")
    let readme = try String(contentsOfFile: first + "/README.txt", encoding: .utf8)
    let commands = readme.split(separator: "\n").filter { $0.hasPrefix("assay ") }
    #expect(commands.first?.hasPrefix("assay diff ") == true && commands.last?.hasPrefix("assay decrypt ") == true)
    for command in commands {
      let replay = try Program.shell(String(command))
      // The forgery is accepted again, and the engine refuses it.
      #expect(replay.status == 1, "\(command): \(replay.text) \(replay.error)")
    }
  }

  @Test(arguments: [
    "true", "false", "exit 3", "yes", "kill -SEGV $$", "assay-no-such-program", "exit 126",
  ])
  func `with what does not even answer hello nothing was compared, and no forgery was refused`(command: String) throws {
    let outcome = try diff(["--external", command, "--engine", "fast"], mint: 12)
    #expect(outcome.status == 2, "\(outcome.text)")
    #expect(outcome.text.contains("failed too often in a row"))
    let lines = outcome.text.split(separator: "\n")
    let isMissing = ["assay-no-such-program", "exit 126"].contains(command)
    #expect(
      lines[0] == "\(command) "
        + (isMissing ? "could not be run: nothing was compared." : "answered nothing, not even hello."))
    #expect(!outcome.text.contains("refuses"))
    let score = try #require(lines.last { $0.hasPrefix(command) && $0.contains(" of ") && !$0.contains("test ") })
    #expect(score.contains("  0 of "), "\(score)")
  }

  @Test func `one that answers hello and no token has decided nothing, which is a finding`() throws {
    let hello = #"read -r h; echo '{"hello":1,"name":"it","version":"1","supports":["EC_v1","signature","roots"]}'; "#
    let outcome = try diff(["--external", hello + "read -r line; exit 3", "--engine", "fast", "--json"])
    #expect(outcome.status == 1)
    let contenders = try #require(try outcome.json()["contenders"] as? [[String: Any]])
    let it = try #require(contenders.last)
    let refused = try #require(it["forgeries_refused"] as? [String: Int])
    #expect(refused["shown"] == 0 && refused["of"] ?? 0 > 0)
    let sentence = try #require((it["verdict"] as? [String])?.first)
    #expect(sentence.hasPrefix("decided none of "), "\(sentence)")
  }

  @Test func `what never answers is waited for no longer than allowed`() throws {
    let start = Date()
    let outcome = try diff(["--external", "sleep 600", "--engine", "fast", "--timeout", "1"], mint: 4)
    #expect(outcome.status == 2 && Date().timeIntervalSince(start) < 30)
    #expect(outcome.text.contains("timed out: no answer within 3 s"))
  }

  @Test func `keys that are not known to be test keys are given to nobody`() throws {
    let folder = try TemporaryFolder()
    let seen = folder.path("seen")
    let minted = try MintedFolder()
    // The program writes down a line before it answers, since it may be ended after its answer.
    let program = #"while read -r line; do echo "$line" >>'\#(seen)'; echo "$line"; done"#
    let options = ["--root", minted.folder.path("root.pem"), "--at", MintedFolder.time, "--external", program]
    let key = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    // Without its certificate nothing shows that the minter made the key.
    let alone = try folder.write(key, to: "alone.key")
    let outcome = try Program.run(
      ["diff", minted.token, "--key", alone, "--merchant-id", "merchant.test.assay.one", "--quiet"] + options)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.error.contains("--i-trust-this-program-with-my-keys"))
    #expect(!FileManager.default.fileExists(atPath: seen))
    let trusted = try Program.run(
      [
        "diff", minted.token, "--key", alone, "--merchant-id", "merchant.test.assay.one", "--quiet",
        "--i-trust-this-program-with-my-keys",
      ] + options)
    #expect(trusted.status == 2 && FileManager.default.fileExists(atPath: seen))
    // The program sent the private key back. No output repeats it.
    let search = try SecretSearch(
      for: ["PRIVATE KEY", "privateKeyPem"], from: try String(contentsOfFile: seen, encoding: .utf8))
    #expect(try search.findings(in: trusted.text + trusted.error, marked: "result") == [])
  }

  @Test func `a request is held against the reference, under keys given`() throws {
    let minted = try MintedFolder()
    let outcome = try Program.run(
      ["diff", minted.token, "--external", Self.serve, "--strictness", "code", "--quiet"] + minted.options)
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.error)")
    let folder = try Program.run(["diff", minted.folder.url.path, "--quiet", "--json"])
    // The other files of the folder are no tokens, and both engines refuse them.
    #expect(folder.status == 0)
    #expect(try folder.json()["tests"] as? Int == 4)
  }

  /// A program that claims to support these, and answers every token with the same members.
  private static func program(supports: String, answer: String) -> String {
    #"read hello; echo '{"hello":1,"name":"it","version":"1","supports":[\#(supports)]}'; "#
      + #"while read -r line; do id=${line#*\"id\":\"}; echo "{\"id\":\"${id%%\"*}\",\#(answer)}"; done"#
  }

  @Test func `one that decides nothing gets no answer, and one that declines what it claims a finding`() throws {
    let seeds = Package.folder.appending(path: "Corpus/seeds/apple/EC_v1").path
    let nothing = try Program.run([
      "diff", seeds, "--quiet", "--external",
      Self.program(supports: #""RSA_v1""#, answer: #"\"unsupported\":true"#),
    ])
    #expect(nothing.status == 2 && nothing.text.contains("it 1 decided nothing"))
    let declining = try diff([
      "--external", Self.program(supports: #""EC_v1","RSA_v1""#, answer: #"\"unsupported\":true"#), "--json",
    ])
    #expect(declining.status == 1)
    let findings = try #require(try declining.json()["findings"] as? [[String: Any]])
    #expect(!findings.isEmpty && findings.allSatisfy { $0["kind"] as? String == "declined" })
    let both = try diff([
      "--external", Self.program(supports: #""EC_v1","RSA_v1""#, answer: #"\"unsupported\":true,\"accepted\":true"#),
      "--json",
    ])
    let kinds = Set(try #require(try both.json()["findings"] as? [[String: Any]]).compactMap { $0["kind"] as? String })
    #expect(both.status == 1 && kinds == ["brokeProtocol"])
  }

  @Test func `what a program says is cut short in reports`() throws {
    let program = Self.program(supports: #""EC_v1","RSA_v1""#, answer: #"\"error\":\"$(printf %0100000d 0)\""#)
    let outcome = try diff(["--external", program, "--json"])
    #expect(outcome.status == 1 && outcome.output.count < 100_000)
    #expect(outcome.text.contains(String(repeating: "0", count: 20)))
  }

  @Test func `nothing that a program with real keys writes is quoted`() throws {
    let minted = try MintedFolder()
    let folder = try TemporaryFolder()
    let alone = try folder.write(
      try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8), to: "alone.key")
    let answers = [#"\"error\":\"PRIVATE\""#, #"\"accepted\":false,\"code\":\"PRIVATE\",\"member\":\"PRIVATE\""#]
    // The answer is quoted only if the keys are known to be test keys.
    let unknown = ["--key", alone, "--merchant-id", "merchant.test.assay.one", "--i-trust-this-program-with-my-keys"]
    for (answer, (keys, isQuoted)) in answers.flatMap({ answer in
      [(unknown, false), (Array(minted.options.prefix(4)), true)].map { (answer, $0) }
    }) {
      let program = Self.program(supports: #""EC_v1""#, answer: answer).replacingOccurrences(
        of: #":"it""#, with: #":"PRIVATE""#)
      let outcome = try Program.run(
        [
          "diff", minted.token, "--quiet", "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time,
          "--external", "NAME=PRIV; " + program, "--strictness", "code", "--json",
        ] + keys)
      #expect(outcome.status == 1)
      let answered = try #require(try outcome.json()["findings"] as? [[String: Any]]).map { "\($0["answered"] ?? "")" }
      #expect(!answered.isEmpty && answered.allSatisfy { $0.contains("PRIVATE") == isQuoted }, "\(answered)")
    }
  }

  @Test func `vectors are told by their schema, in whatever order their members stand`() throws {
    let folder = try TemporaryFolder()
    let corpus = Package.folder.appending(path: "Corpus/regressions/a-leaf-of-hundreds-of-extensions.json")
    let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: corpus))
    let sorted = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    let path = try folder.write(String(decoding: sorted, as: UTF8.self), to: "sorted.json")
    let outcome = try Program.run(["diff", path, "--test", "1", "--quiet", "--json"])
    let tests = try outcome.json()["tests"] as? Int
    #expect(outcome.status == 0 && tests == 1)
  }

  @Test func `the keys of the corpus are test keys, also those without a certificate`() throws {
    let vectors = Package.folder.appending(path: "Corpus/vectors/merchant-keys.json").path
    let outcome = try Program.run(["diff", vectors, "--external", Self.serve, "--strictness", "code", "--quiet"])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.error)")
  }

  @Test func `a private key in a file of vectors is given to nobody unless it is a test key`() throws {
    let folder = try TemporaryFolder()
    let corpus = Package.folder.appending(path: "Corpus/regressions/a-leaf-of-hundreds-of-extensions.json")
    let minted = try MintedFolder()
    let key = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    var object = try #require(try JSONSerialization.jsonObject(with: try Data(contentsOf: corpus)) as? [String: Any])
    var groups = try #require(object["groups"] as? [[String: Any]])
    groups[0]["keys"] = [["privateKeyPem": key, "certificatePem": NSNull(), "merchantId": "merchant.somebody"]]
    object["groups"] = groups
    let data = try JSONSerialization.data(withJSONObject: object)
    let path = try folder.write(String(decoding: data, as: UTF8.self), to: "keys.json")
    let external = ["--external", "tee \(folder.path("seen"))", "--quiet"]
    let outcome = try Program.run(["diff", path] + external)
    #expect(outcome.status == 2 && !FileManager.default.fileExists(atPath: folder.path("seen")))
    // The program is given the test key of the unchanged file.
    #expect(try Program.run(["diff", corpus.path] + external).status == 2)
    #expect(FileManager.default.fileExists(atPath: folder.path("seen")))
  }

  @Test func `a report that cannot be written is refused before the run`() throws {
    let outcome = try diff(["--report", "html=/nonexistent/report.html"])
    #expect(outcome.status == 2 && outcome.output.isEmpty)
  }

  @Test func `a second run in the same folder of findings keeps what the first found`() throws {
    let folder = try TemporaryFolder()
    let arguments = ["--external", Self.yes, "--strictness", "accept", "--findings", folder.path("found")]
    _ = try diff(arguments, mint: 12)
    let first = try FileManager.default.contentsOfDirectory(atPath: folder.path("found"))
    _ = try diff(arguments, mint: 12)
    let both = try FileManager.default.contentsOfDirectory(atPath: folder.path("found"))
    #expect(!first.isEmpty && both.count == 2 * first.count && Set(first).isSubset(of: both))
  }

  @Test func `nothing to decide is no answer`() throws {
    let folder = try TemporaryFolder()
    #expect(try Program.run(["diff", folder.url.path]).status == 2)
    #expect(try Program.run(["diff", folder.path("missing")]).status == 2)
    let broken = try folder.write(#"{"schema":"assay.vectors/1","groups":[]}"#, to: "broken.json")
    let outcome = try Program.run(["diff", broken])
    #expect(outcome.status == 2 && outcome.error.contains("broken.json"))
  }

  @Test func `an interrupt leaves no child behind`() throws {
    let folder = try TemporaryFolder()
    let output = try folder.write("", to: "stdout")
    let external = "echo $$ > \(folder.path("pid")); sleep 601; true"
    let process = try Program.start(
      ["diff", "--mint", "2", "--seed", "1", "--external", external],
      output: FileHandle(forWritingTo: URL(filePath: output)))
    var child: pid_t?
    while process.isRunning, child == nil {
      Thread.block(forSeconds: 0.01)
      child = (try? FileText.text(folder.path("pid")))
        .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    let group = try #require(child)
    #expect(Self.isAlive(group))
    kill(process.processIdentifier, SIGINT)
    process.blockUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    // The result so far is written.
    #expect(
      try String(contentsOfFile: output, encoding: .utf8).contains("result      interrupted after 0 of 2 tests: "))
    let end = Date(timeIntervalSinceNow: 60)
    while Self.isAlive(group), Date() < end { Thread.block(forSeconds: 0.01) }
    #expect(!Self.isAlive(group))
  }

  /// Whether a process of the group is more than a zombie.
  private static func isAlive(_ group: pid_t) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.contains { name in
      guard let stat = try? FileText.text("/proc/\(name)/stat"),
        let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 2
      else { return false }
      return fields[2] == "\(group)" && fields[0] != "Z"
    }
  }

  @Test(arguments: [
    ["--report", "pdf=x"], ["--report", "html"], ["--strictness", "loose"], ["--engine", "slow"], ["--timeout", "0"],
    ["--external", " "], ["--external", "a", "--external", "a"], ["--at", "signing-time"], ["--mint", "0"],
    ["--memory", "1"], ["--expect-amount", "request"], ["--root", "a"], ["--cert", "a"], ["--merchant-id", "a"],
    ["--report", "junit=a", "--report", "html=a"], ["--report", "junit=-"],
    ["--report", "github", "--report", "github"],
  ])
  func `options that make no sense are usage errors`(arguments: [String]) throws {
    #expect(try Program.run(["diff"] + arguments).status == 64)
  }
}

/// A JUnit report: how often each element occurs, and its failures. The file must be well-formed.
private final class XMLFile {
  private(set) var names: [String: Int] = [:]
  private(set) var failures = 0

  init(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for piece in text.split(separator: "<").dropFirst() where !piece.hasPrefix("/") && !piece.hasPrefix("?") {
      names[String(piece.prefix { $0.isLetter }), default: 0] += 1
    }
    let count = try #require(text.firstMatch(of: /failures="(\d+)"/))
    failures = try #require(Int(count.1))
    let parse = "import sys,xml.dom.minidom as m; m.parse(sys.argv[1])"
    let parsed = try Program.shell(
      "command -v python3 >/dev/null || exit 0; python3 -c '\(parse)' \"$1\"", [path])
    #expect(parsed.status == 0, "\(parsed.error)")
  }
}

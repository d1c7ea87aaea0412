import Foundation
import TestSupport
import Testing

/// `assay fuzz run --external`: other programs decide samples as well.
@Suite(.blocking, .serialized) struct FuzzExternalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try .fuzzing() }

  /// A program that answers hello, and then runs `body` for each line, whose id is in `$id`. With `waits` it waits for
  /// the file `go` first.
  private func program(
    _ body: String, waits: Bool = false, supports: String = #"["EC_v1","signature","roots","envelopes","unsigned"]"#
  ) throws -> String {
    let hello = #"{"hello":1,"name":"other","version":"1","supports":\#(supports)}"#
    let text = """
      while \(waits) && [ ! -e '\(folder.path("go"))' ]; do sleep 0.1; done
      read -r hello
      echo '\(hello)'
      while read -r line; do
        id=${line#*\\"id\\":\\"}; id=${id%%\\"*}
        \(body)
      done
      """
    let path = folder.path("program.sh")
    try Data(text.utf8).write(to: URL(filePath: path))
    return "exec sh '\(path)'"
  }

  private static let accept = #"echo "{\"id\":\"$id\",\"accepted\":true}""#
  private static let refuse = #"echo "{\"id\":\"$id\",\"accepted\":false}""#

  private func words(_ command: String, seconds: Int) -> [String] {
    folder.fuzzWords(
      ["--duration", "\(seconds)s", "--jobs", "1", "--seed", "1", "--external", command, "--quiet"])
  }

  private func run(_ command: String, _ options: [String] = [], seconds: Int = 600) throws -> Program.Outcome {
    try Program.run(words(command, seconds: seconds) + options)
  }

  private func findings() throws -> [[String: Any]] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings")).map { id in
      try folder.object("run/findings/\(id)/finding.json")
    }
  }

  private func statistics() throws -> [String: Any] {
    try #require(try folder.object("run/stats.json")["external"] as? [String: Any])
  }

  @Test func `a program that accepts everything is found, and its finding is replayed`() throws {
    let command = try program(Self.accept)
    let options = ["--strictness", "accept", "--stop-at-finding"]
    #expect(try run(command, options).status == 1)
    let finding = try #require(try findings().first)
    #expect(["forgery", "disagreement"].contains(finding["kind"] as? String))
    #expect(["critical", "high"].contains(finding["severity"] as? String))
    #expect(finding["second"] as? String == "accepted" && finding["replays"] as? Int == 3)
    let path = folder.path("run/findings/\(try #require(finding["id"] as? String))")
    #expect(try FileText.text("\(path)/README.txt").contains("--external "))
    let program = try #require(finding["program"] as? [String: String])
    #expect(program == ["name": "other 1", "strictness": "accept"])
    let again = ["fuzz", "replay", path, "--strictness", "accept", "--json", "--external"]
    let replay = try Program.run(again + [command])
    #expect(replay.status == 1)
    #expect(try replay.json()["external"] as? String == "accepted without a plaintext")
    let right = try Program.run(again + ["'\(Program.url.path)' serve --engine reference"])
    #expect(right.status == 0)
    #expect(try right.json()["violation"] as? String == "no violation")
  }

  @Test func `a wrong plaintext that no fresh process repeats is replayed 0 of 3 times`() throws {
    let serve = "'\(Program.url.path)' serve --engine reference"
    let wrong = #"sed -u 's/"plaintext":"[^"]*"/"plaintext":"AAAA"/'"#
    // Only the first process returns another plaintext.
    let command = "if mkdir '\(folder.path("first"))' 2>/dev/null; then \(serve) | \(wrong); else \(serve); fi"
    #expect(try run(command, ["--stop-at-finding"]).status == 1)
    let finding = try #require(try findings().first)
    #expect(finding["second"] as? String == "accepted with another plaintext" && finding["replays"] as? Int == 0)
  }

  @Test func `a finding of a program is undecided without the program`() throws {
    let minted = try MintedFolder()
    let path = folder.path("finding")
    _ = try folder.write(FileText.text(minted.token), to: "finding/sample")
    // The severity is that of a finding that only --level strictness shows, as one of an earlier version has it.
    for severity in ["critical", "strictness"] {
      let program = severity == "critical" ? #","program":{"name":"other 1","strictness":"accept"}"# : ""
      let text = #"{"kind":"forgery","first":"","second":"accepted","severity":"\#(severity)"\#(program)}"#
      _ = try folder.write(text, to: "finding/finding.json")
      func statuses(_ command: String?) throws -> [Int32] {
        let external = command.map { ["--external", $0] } ?? []
        let replay = try Program.run(["fuzz", "replay", path, "--json"] + external)
        let shows = try replay.json()["shows"] as? Bool
        #expect(shows == [0: false, 1: true][replay.status], "\(command ?? "none")")
        return [
          replay.status, try Program.run(["fuzz", "minimize", path, "--duration", "1s", "--quiet"] + external).status,
        ]
      }
      #expect(try statuses(nil) == [2, 2])
      #expect(try statuses(try self.program(Self.accept, supports: "[]")) == [2, 2])
      #expect(try statuses("exec /nonexistent") == [2, 2])
      #expect(try statuses("'\(Program.url.path)' serve --engine reference") == [0, 1])
      #expect(try statuses(try self.program(Self.accept)) == [1, 0])
      #expect(try FileText.data("\(path)/sample").count < FileText.data(minted.token).count)
    }
    try FileManager.default.removeItem(atPath: "\(path)/finding.json")
    #expect(try Program.run(["fuzz", "replay", path]).status == 2)
  }

  @Test func `the finding about an accepted unsigned token is minimized`() throws {
    let seed = "seeds/worldline/EC_v1/c08aa2dc21b65fb4.json"
    _ = try folder.write(FileText.text("\(Package.folder.path)/Corpus/\(seed)"), to: "small/\(seed)")
    #expect(try run(try program(Self.refuse), ["--target", "envelopes", "--stop-at-finding"]).status == 1)
    let finding = try #require(try findings().first { $0["first"] as? String == "accepted" })
    #expect(finding["second"] as? String == "rejected" && finding["replays"] as? Int == 3)
    let found = try Data(contentsOf: URL(filePath: folder.path("run/findings/\(try #require(finding["id"]))/original")))
    #expect(try #require(finding["sample_bytes"] as? Int) < found.count)
  }

  @Test func `one that decides like the engines is asked hundreds of times and has no finding`() throws {
    var asked = 0
    // A run goes on where the last one ended: a slow machine needs more and longer ones.
    for number in 1...30 where asked <= 200 {
      let outcome = try run(
        "'\(Program.url.path)' serve --engine reference", ["--strictness", "code"], seconds: 2 * number)
      #expect(outcome.status == 0, "\(outcome.error)")
      asked += try #require(try statistics()["asked"] as? Int)
    }
    #expect(asked > 200)
    #expect(try findings().isEmpty)
  }

  /// If a program decodes base64 that the engines refuse, its signature was not compared: that is no forgery.
  @Test func `one that is lenient with base64 has no finding`() throws {
    let command = "'\(Package.folder.path)/Tests/BadDecryptors/bad-decryptor' lenient"
    guard try Program.run(["diff", "--check-adapter", "--external", command]).status == 0 else {
      return print("skipped: bad decryptors need Python with the package cryptography (Externals/python/setup)")
    }
    let corpus = Package.folder.appending(path: "Corpus").path
    var leniencies: [String: Any] = [:]
    for number in 1...10 where leniencies.isEmpty {
      let outcome = try Program.run(
        [
          "fuzz", "run", "--duration", "\(4 * number)s", "--jobs", "1", "--seed", "1", "--dir", folder.path("run"),
          "--quiet",
        ] + ["--corpus", corpus, "--external", command])
      #expect(outcome.status == 0, "\(outcome.text)")
      leniencies = try #require(try statistics()["leniencies"] as? [String: Any])
    }
    #expect(!leniencies.isEmpty)
  }

  @Test func `a crash is booked to the sample that causes it, though others are in flight`() throws {
    let crash = #"[ $((${#line} % 7)) = 3 ] && kill -SEGV $$; "#
    let command = try program(crash + Self.refuse)
    #expect(try run(command, ["--level", "high", "--stop-at-finding"]).status == 1)
    let finding = try #require(try findings().first { $0["kind"] as? String == "crash" })
    #expect(finding["replays"] as? Int == 3 && finding["severity"] as? String == "high")
    #expect((finding["second"] as? String)?.contains("SIGSEGV") == true)
  }

  @Test func `a hang is found after the time limit of an answer`() throws {
    let command = try program("[ $((${#line} % 7)) = 3 ] && sleep 600; " + Self.refuse)
    // One sample at a time, so that a stall of the machine is not attributed to a sample that is answered.
    let options = ["--level", "high", "--answer-timeout", "2", "--pipeline", "1", "--stop-at-finding"]
    #expect(try run(command, options).status == 1)
    let finding = try #require(try findings().first { $0["kind"] as? String == "hang" })
    #expect(finding["replays"] as? Int == 3 && finding["second"] as? String == "timed out")
  }

  @Test func `a leak is found by the growth of a process`() throws {
    let text = """
      json, sys = __import__("json"), __import__("sys")
      leaked = []
      sys.stdin.readline()
      print('{"hello":1,"name":"other","version":"1","supports":["EC_v1","signature","roots"]}', flush=True)
      for line in sys.stdin:
          leaked.append(b"x" * 1000000)
          print(json.dumps({"id": json.loads(line)["id"], "accepted": False}), flush=True)
      """
    try Data(text.utf8).write(to: URL(filePath: folder.path("leak.py")))
    let command = "exec python3 '\(folder.path("leak.py"))'"
    guard try Program.run(["-c", "command -v python3"], program: URL(filePath: "/bin/sh")).status == 0 else {
      return print("skipped: no python3")
    }
    #expect(try run(command, ["--level", "high", "--growth", "64", "--stop-at-finding"]).status == 1)
    let finding = try #require(try findings().first { $0["kind"] as? String == "memory" })
    #expect(finding["replays"] as? Int == 1 && finding["severity"] as? String == "high")
  }

  @Test func `a run that is interrupted before it asks says that it asked nothing, and its next session asks`() throws {
    let command = try program(Self.refuse, waits: true)
    let process = try Program.start(words(command, seconds: 600))
    Program.blockUntilInterruptsAreHandled(by: process)
    kill(process.processIdentifier, SIGTERM)
    _ = try folder.write("", to: "go")
    process.blockUntilExit()
    #expect(process.terminationStatus == 130)
    let interrupted = try statistics()
    #expect(interrupted["name"] as? String == "other 1" && interrupted["asked"] as? Int == 0)
    for number in 1...10 where try statistics()["asked"] as? Int == 0 {
      #expect(try run(command, ["--level", "critical"], seconds: number).status == 0)
    }
    #expect(try #require(try statistics()["asked"] as? Int) > 0)
  }

  @Test func `a program that fails on every sample ends the run, which has its failures as findings`() throws {
    let outcome = try run(try program("exit 3"), seconds: 120)
    #expect(outcome.status == 1 && outcome.error.contains("cannot be used"), "\(outcome.error)")
    #expect(try findings().contains { $0["kind"] as? String == "crash" && $0["replays"] as? Int == 3 })
  }

  @Test func `a program that cannot be used ends the run, which leaves no settings`() throws {
    let outcome = try run("exec /nonexistent")
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("cannot be used"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("run/settings.json")))
  }

  @Test func `a program that supports no sample could not be tested`() throws {
    let outcome = try run(try program(Self.accept, supports: #"["signature","roots"]"#))
    #expect(outcome.status == 2 && outcome.error.contains("EC_v1"), "\(outcome.error)")
  }

  @Test func `a run is resumed only with the program that it began with`() throws {
    let command = try program(Self.refuse)
    let options = ["--level", "critical"]
    #expect(try run(command, options, seconds: 1).status == 0)
    #expect(try run(command, options, seconds: 1).status == 0)
    let other = try run("true", options)
    #expect(other.status == 2 && other.error.contains("is a run with --external"))
    #expect(try Program.run(["fuzz", "run", "--dir", folder.path("run")]).status == 2)
    #expect(try run(command, ["--driver", "libfuzzer"]).status == 64)
    #expect(try Program.run(["fuzz", "run", "--pipeline", "1"]).status == 64)
  }
}

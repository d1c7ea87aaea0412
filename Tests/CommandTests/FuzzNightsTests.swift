import Foundation
import TestSupport
import Testing

/// `assay fuzz run` in one folder night after night: findings of earlier sessions, waivers, history, a full disk.
@Suite(.blocking, .serialized) struct FuzzNightsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try .fuzzing() }

  /// Runs with an external that accepts everything or refuses everything.
  ///
  /// - Parameters:
  ///   - fillsDisk: whether files may not grow beyond 2 KiB from the second start of the external on, when its first
  ///     finding is replayed.
  ///   - before: what the shell does before the run.
  private func run(
    accepting: Bool, seconds: Int? = nil, fillsDisk: Bool = false, before: String = ""
  ) throws -> Program.Outcome {
    let hello = #"{"hello":1,"name":"other","version":"1","supports":["EC_v1","signature","roots"]}"#
    let fill = "[ ! -e started ] || prlimit --pid \"$(cat pid)\" --fsize=2048"
    let text = """
      cd '\(folder.url.path)'
      \(fillsDisk ? fill : "")
      : >started
      read -r hello
      echo '\(hello)'
      while read -r line; do
        id=${line#*\\"id\\":\\"}; id=${id%%\\"*}
        echo "{\\"id\\":\\"$id\\",\\"accepted\\":\(accepting)}"
      done
      """
    let external = try folder.write(text, to: "program.sh")
    let words = folder.fuzzWords(
      [
        "--duration", "\(seconds ?? (accepting ? 600 : 1))s", "--jobs", "1", "--seed", "1", "--external",
        "exec sh '\(external)'", "--strictness", "accept", "--level", "critical", "--stop-at-finding", "--quiet",
      ] + waivers)
    let command = ([Program.url.path] + words).map { "\"\($0)\"" }.joined(separator: " ")
    let script = "echo $$ >'\(folder.path("pid"))'\n\(before)\nexec \(command)"
    return try Program.run(["-c", script], program: URL(filePath: "/bin/sh"))
  }

  private func history() throws -> [[String]] {
    try FileText.text(folder.path("run/history.csv")).split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
  }

  private func status(_ options: [String] = []) throws -> Program.Outcome {
    try Program.run(["fuzz", "status", folder.path("run")] + options)
  }

  private var waivers: [String] {
    let path = folder.path("waivers")
    return FileManager.default.fileExists(atPath: path) ? ["--waivers", path] : []
  }

  private func waive(_ ids: [String]) throws {
    _ = try folder.write(ids.map { "\($0) issue 7\n" }.joined(), to: "waivers")
  }

  private func session() throws -> [String: [String]] {
    try #require(try folder.object("run/stats.json")["session"] as? [String: [String]])
  }

  @Test func `a night fails by its own findings, and the history has a row for each night`() throws {
    #expect(try run(accepting: true).status == 1)
    let ids = try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings"))
    let found = try session()["findings"]
    #expect(!ids.isEmpty && ids.sorted() == found)
    // As if the bug were fixed: the earlier finding is still there, and this night has none.
    #expect(try run(accepting: false).status == 0)
    #expect(try session()["findings"] == [])
    #expect(try status().status == 1)
    #expect(try run(accepting: false).status == 0)
    let rows = try history()
    #expect(rows.count == 3 && rows.allSatisfy { $0.count == 15 })
    #expect(rows.map { $0[12] == "0" } == [false, true, true])
  }

  @Test(.deep(.waits))
  func `a waived finding is counted apart and does not fail until its waiver is gone`() throws {
    #expect(try run(accepting: true).status == 1)
    let ids = try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings"))
    try waive(ids)
    #expect(try status(waivers).status == 0)
    // Until it is seen again: a slow machine needs longer nights.
    for number in 1...10 where try session()["waived"] == [] {
      let night = try run(accepting: true, seconds: 2 * number)
      let failing = try session()["findings"] ?? []
      #expect(night.status == (failing.isEmpty ? 0 : 1))
    }
    #expect(try !Set(session()["waived"] ?? []).isDisjoint(with: ids))
    #expect(try Set(session()["findings"] ?? []).isDisjoint(with: ids))
    try waive([])
    #expect(try status(waivers).status == 1)
    #expect(try status(["--waivers", folder.path("nothing")]).status == 2)
  }

  // With a limit on files ThreadSanitizer cannot map its copy of constants.
  @Test(.disabled(if: Sanitizer.has("__tsan_init")))
  func `what was found is named although nothing can be saved`() throws {
    guard try Program.run(["-c", "command -v prlimit"], program: URL(filePath: "/bin/sh")).status == 0 else {
      return print("skipped: no prlimit")
    }
    let full = try run(accepting: true, fillsDisk: true)
    #expect(full.status == 1)
    for words in ["could not be written", "found forgery: ", "not saved: forgery-"] {
      #expect(full.error.contains(words), "\(full.error)")
    }
    // Without a finding, nothing is decided.
    try FileManager.default.removeItem(atPath: folder.path("run"))
    let nothing = try run(accepting: false, before: "ulimit -f 4")
    #expect(nothing.status == 2 && !nothing.error.contains("found "), "\(nothing.error)")
  }

  @Test func `files of a run that would be lost or misread end the run before it begins`() throws {
    _ = try folder.write("hang-1\n", to: "waivers")
    #expect(try run(accepting: false).status == 2)
    try FileManager.default.removeItem(atPath: folder.path("waivers"))
    let elsewhere = try folder.write("not to be read", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("run/history.csv"), withDestinationPath: elsewhere)
    let linked = try run(accepting: false)
    #expect(linked.status == 2 && !linked.error.contains("not to be read"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("run/settings.json")))
    #expect(try FileText.text(elsewhere) == "not to be read")
  }
}

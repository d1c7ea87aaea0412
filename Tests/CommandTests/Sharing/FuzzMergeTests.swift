import Foundation
import TestSupport
import Testing

/// `assay fuzz merge`, with the seeds of the corpus as samples.
@Suite(.blocking, .serialized) struct FuzzMergeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Copies with `cp`: FileManager would keep the owner, who may be another user.
    for (name, seeds) in [("one", ["apple"]), ("two", ["mpgs", "bambora"])] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      for seed in seeds {
        let words = ["-R", Package.folder.appending(path: "Corpus/seeds/\(seed)").path, folder.path(name)]
        try #require(try Program.run(words, program: URL(filePath: "/bin/cp")).status == 0)
      }
    }
  }

  private func merge(_ sources: [String], into: String, _ options: [String] = ["--quiet"]) throws -> Program.Outcome {
    try Program.run(["fuzz", "merge"] + sources.map(folder.path) + ["--into", folder.path(into), "--json"] + options)
  }

  private func contents(_ name: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) {
      contents[file] = try FileText.data(folder.path("\(name)/\(file)"))
    }
    return contents
  }

  @Test func `a second merge adds nothing, and the features do not depend on the order or the number of workers`()
    throws
  {
    let first = try merge(["one", "two"], into: "all", ["--jobs", "2"])
    #expect(first.status == 0, "\(first.error)")
    let answer = try first.json()
    let kept = try contents("all")
    #expect(kept.count > 10 && answer["samples"] as? Int == kept.count)
    #expect(kept.allSatisfy { digest(of: Array($0.value)).hasPrefix($0.key) && $0.key.count == 32 })
    let again = try merge(["two", "one"], into: "all").json()
    #expect(again["before"] as? Int == kept.count && again["features"] as? Int == answer["features"] as? Int)
    #expect(try contents("all") == kept)
    // Sources merged one after the other may leave other samples, but the same features.
    for source in ["two", "one"] { #expect(try merge([source], into: "other", ["--jobs", "1"]).status == 0) }
    let other = try merge([], into: "other")
    #expect(other.status == 64)
    #expect(try merge(["all"], into: "other").json()["features"] as? Int == answer["features"] as? Int)
    // Sources merged together in another order leave the same samples.
    #expect(try merge(["two", "one"], into: "same", ["--jobs", "1"]).status == 0)
    #expect(try contents("same") == kept)
    let sources = try #require(answer["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["samples"] as? Int } == [24, 24])
    #expect(sources.compactMap { $0["kept"] as? Int }.reduce(0, +) == kept.count)
  }

  @Test func `in a hostile folder nothing but samples is read, and the rest is counted`() throws {
    let outside = try TemporaryFolder()
    let secret = try outside.write("not to be read", to: "secret")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("two/link"), withDestinationPath: secret)
    try manager.createSymbolicLink(atPath: folder.path("two/folder"), withDestinationPath: outside.url.path)
    try #require(mkfifo(folder.path("two/fifo"), 0o600) == 0)
    let sparse = try #require(FileHandle(forWritingAtPath: try folder.write("", to: "two/sparse")))
    try sparse.truncate(atOffset: 1 << 40)
    try sparse.close()
    _ = try folder.write("", to: "two/0123456789abcdef0123456789abcdef")
    _ = try folder.write("{", to: "two/0123456789abcdef0123456789abcdef.4711.partial")
    let longest = String(repeating: "n", count: 255)
    _ = try folder.write("no token", to: "two/\(longest)")
    let outcome = try merge(["two"], into: "all")
    #expect(outcome.status == 0, "\(outcome.error)")
    // Two links, a FIFO, a large, a damaged and an unfinished file.
    #expect(try outcome.json()["skipped"] as? Int == 6)
    let kept = try contents("all")
    #expect(kept.values.contains(Data("no token".utf8)))
    #expect(!kept.values.contains(Data("not to be read".utf8)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.url.path) == ["secret"])
  }

  @Test(.deep(.waits)) func `samples on which a worker dies are named and left out, and all others are merged`() throws
  {
    let whole = try contents("none", of: merge(["one", "two"], into: "none"))
    var failures: [[String: String]] = []
    // A worker may die between two samples; then the next one executes all of them.
    for attempt in 0..<50 where failures.isEmpty {
      let output = URL(filePath: try folder.write("", to: "output"))
      let process = try Program.start(
        ["fuzz", "merge", folder.path("one"), folder.path("two"), "--jobs", "1", "--json", "--quiet"]
          + ["--into", folder.path("all-\(attempt)")], output: FileHandle(forWritingTo: output))
      var deaths = 0
      while process.isRunning {
        Thread.block(forSeconds: 0.02 * Double(1 + attempt % 10))
        for worker in Program.children(of: process.processIdentifier) where deaths < 3 {
          kill(worker, SIGSEGV)
          deaths += 1
        }
      }
      let answer = try JSONSerialization.jsonObject(with: FileText.data(output.path)) as? [String: Any]
      failures = try #require(answer?["failures"] as? [[String: String]])
      #expect(process.terminationStatus == (failures.isEmpty ? 0 : 1))
      guard !failures.isEmpty else { continue }
      #expect(failures.allSatisfy { $0["kind"] == "crash" })
      #expect(failures.allSatisfy { FileManager.default.fileExists(atPath: $0["sample"] ?? "") })
      // At most as many samples are missing as were named. A second merge, without a crash, has all features.
      let merged = try #require(answer?["samples"] as? Int)
      #expect(merged >= whole.count - failures.count && merged > 10)
      let later = try merge(["one", "two"], into: "all-\(attempt)").json()
      #expect(later["features"] as? Int == (try merge(["none"], into: "none").json()["features"] as? Int))
    }
    #expect(!failures.isEmpty)
  }

  private func contents(_ name: String, of outcome: Program.Outcome) throws -> [String: Data] {
    #expect(outcome.status == 0, "\(outcome.error)")
    return try contents(name)
  }

  @Test func `samples are merged into a run unless it is running, and a run into a folder`() throws {
    _ = try folder.write("{}", to: "small/seeds/apple/EC_v1/0.json")
    let process = try Program.start(folder.fuzzWords(["--jobs", "1", "--quiet", "--duration", "1h"]))
    while process.isRunning, (try? contents("run/corpus").count) ?? 0 < 5 { Thread.block(forSeconds: 0.1) }
    for into in ["run", "run/corpus"] { #expect(try merge(["two"], into: into).status == 2) }
    kill(process.processIdentifier, SIGKILL)
    process.blockUntilExit()
    let before = try contents("run/corpus").filter { !$0.key.contains(".") }
    let outcome = try merge(["two"], into: "run")
    #expect(outcome.status == 0, "\(outcome.error)")
    let after = try contents("run/corpus")
    #expect(Set(after.keys).isSuperset(of: before.keys) && after.count > before.count)
    #expect(after.keys.allSatisfy { $0.count == 32 })
    // Of a run, only the samples are taken.
    let answer = try merge(["run"], into: "all").json()
    #expect((answer["sources"] as? [[String: Any]])?.first?["samples"] as? Int == after.count)
    #expect(answer["features"] as? Int == (try merge(["run"], into: "run/corpus").json()["features"] as? Int))
  }

  @Test func `what is no folder of samples ends with 2 and says what to do`() throws {
    #expect(try merge(["absent"], into: "all").status == 2)
    _ = try folder.write("", to: "samples.tar")
    let archive = try merge(["samples.tar"], into: "all")
    #expect(archive.status == 2 && archive.error.contains("tar -xf"))
    _ = try folder.write(
      #"{"schema":"assay.fuzz-settings/1","target":"cms","driver":"libfuzzer"}"#, to: "cms/settings.json")
    #expect(try merge(["cms"], into: "all").status == 2)
    let samples = try Program.run([
      "fuzz", "run", "--corpus", folder.path("one"), "--duration", "1s", "--dir", folder.path("all"),
    ])
    #expect(samples.status == 2 && samples.error.contains("assay fuzz merge"))
  }

  @Test(.deep(.counts)) func `a merge that is killed at any write is continued, and loses and doubles nothing`() throws
  {
    let killer = try WriteKiller(in: folder)
    #expect(try merge(["one"], into: "whole").status == 0)
    let whole = try contents("whole")
    func path(_ place: Int) -> String { folder.path("all-\(place)") }
    let kills = try killer.killAtEachWrite(below: path) { place in
      ["fuzz", "merge", folder.path("one"), "--into", path(place), "--jobs", "1", "--quiet"]
    } check: { place in
      let into = "all-\(place)"
      let partly = FileManager.default.fileExists(atPath: path(place)) ? try contents(into) : [:]
      // A file that has its final name is complete.
      for (name, bytes) in partly where name.count == 32 { #expect(whole[name] == bytes, "\(place)") }
      #expect(try merge(["one"], into: into).status == 0)
      #expect(try contents(into) == whole, "\(place)")
    }
    print("a merge was killed at \(kills) writes")
    // A file is made, written, synced and moved.
    #expect(kills >= 4 * whole.count)
  }
}

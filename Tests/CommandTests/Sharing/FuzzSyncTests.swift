import Foundation
import TestSupport
import Testing

/// Runs whose samples outlive them: on several machines with `--sync`, after losses of power, and from session to
/// session.
@Suite(.blocking, .serialized) struct FuzzSyncTests {
  private let folder: TemporaryFolder

  init() throws { folder = try .fuzzing() }

  private func words(_ name: String, seconds: Int, sync: Bool = true) -> [String] {
    folder.fuzzWords(
      ["--duration", "\(seconds)s", "--jobs", "1", "--quiet"]
        + (sync ? ["--sync", folder.path("sync"), "--name", name] : []), in: name)
  }

  private func run(_ name: String, seconds: Int = 1, sync: Bool = true) throws -> Program.Outcome {
    try Program.run(words(name, seconds: seconds, sync: sync))
  }

  private func started(_ name: String, seconds: Int) throws -> Process {
    try Program.start(words(name, seconds: seconds))
  }

  /// Lets no file of a run grow beyond 2 KiB, as if the disk were full.
  private func limitFiles(of process: Process) throws {
    let words = ["--pid", "\(process.processIdentifier)", "--fsize=2048"]
    #expect(try Program.run(["prlimit"] + words, program: URL(filePath: "/usr/bin/env")).status == 0)
  }

  /// The process of a run and its children: the workers and the exchange.
  private func processes(of process: Process) -> [pid_t] {
    [process.processIdentifier] + Program.children(of: process.processIdentifier)
  }

  private func names(_ path: String) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: folder.path(path)) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path(path)))
  }

  /// The number of samples of `others` that a merge adds to those of a folder, for features that it lacks.
  private func missing(_ others: [String], in name: String) throws -> Int {
    let into = folder.path("merged-\(UUID().uuidString)")
    #expect(try Program.run(["fuzz", "merge", folder.path(name), "--into", into, "--quiet"]).status == 0)
    let merge = ["fuzz", "merge"] + others.map(folder.path) + ["--into", into, "--quiet", "--json"]
    let sources = try Program.run(merge).json()["sources"] as? [[String: Any]]
    return try #require(sources).compactMap { $0["kept"] as? Int }.reduce(0, +)
  }

  @Test(.deep(.waits))
  func `three runs, one killed again and again, one with a full disk, one that stands still, all have all features`()
    throws
  {
    let runs = ["a", "b", "c"]
    let end = Date(timeIntervalSinceNow: 600)
    while Date() < end {
      let (full, still) = (try started("a", seconds: 120), try started("b", seconds: 120))
      for turn in 0... {
        let killed = try started("c", seconds: 3_600)
        if turn == 2, full.isRunning { try limitFiles(of: full) }
        let stopped = turn == 3 ? processes(of: still) : []
        for process in stopped { kill(process, SIGSTOP) }
        Thread.block(forSeconds: 20)
        for process in stopped { kill(process, SIGCONT) }
        kill(killed.processIdentifier, SIGKILL)
        killed.blockUntilExit()
        guard full.isRunning || still.isRunning else { break }
      }
      // A full disk ends a run with 2 if it has found nothing.
      #expect(full.terminationStatus == 2 && still.terminationStatus == 0)
    }
    // A run that was killed before it had published everything publishes the rest when it is resumed.
    var isPublished = false
    for attempt in 1...20 where !isPublished {
      #expect(try run("c", seconds: 2 * attempt).status == 0)
      let published = try runs.map { try names("sync/\($0)/corpus") }.reduce(into: Set()) { $0.formUnion($1) }
      isPublished = try names("c/corpus").isSubset(of: published)
    }
    #expect(isPublished)
    // The samples are copied now, since each session finds more.
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("had"), withIntermediateDirectories: true)
    for name in runs { try manager.copyItem(atPath: folder.path("\(name)/corpus"), toPath: folder.path("had/\(name)")) }
    // Each run is resumed until it has executed what the others have published.
    let published = try runs.map { try names("sync/\($0)/corpus") }
    for (index, name) in runs.enumerated() {
      let foreign = published.enumerated().filter { $0.offset != index }.reduce(into: Set()) {
        $0.formUnion($1.element)
      }
      var (left, executed) = (foreign, 0)
      var seconds = 30
      while !left.isEmpty {
        #expect(try run(name, seconds: seconds).status == 0)
        let read = (try? FileText.text(folder.path("\(name)/imported.txt"))) ?? ""
        let imported = Set(read.split(separator: "\n").map(String.init))
        let known = try imported.union(names("\(name)/corpus")).union(names("sync/\(name)/corpus"))
        // A session imports the samples of its first exchange at least. All of them may be newer than `foreign`.
        try #require(imported.count > executed)
        executed = imported.count
        left.subtract(known)
        // A session executes its own corpus first, which on a busy machine takes all of its time.
        seconds *= 2
      }
    }
    for name in runs { #expect(try missing(["had"], in: name) == 0, "\(name)") }
    // A folder that lacks features shows that `missing` finds them.
    #expect(try missing(["had"], in: "small") > 0)
    for name in runs {
      for file in try names("sync/\(name)/corpus") {
        let bytes = try FileText.data(folder.path("sync/\(name)/corpus/\(file)"))
        #expect(digest(of: Array(bytes)).hasPrefix(file))
      }
    }
    let fleet = try Program.run(["fuzz", "status", folder.path("sync"), "--json"])
    #expect(fleet.status == 0)
    #expect((try fleet.json()["runs"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == runs)
  }

  @Test func `a second live run of a name is refused, and one that was killed resumes under its name`() throws {
    let process = try started("a", seconds: 3_600)
    while process.isRunning, try !names("sync/a").contains("heartbeat.json") { Thread.block(forSeconds: 0.1) }
    let words = words("b", seconds: 1).map { $0 == "b" ? "a" : $0 }
    let other = try Program.run(words)
    #expect(other.status == 2 && other.error.contains("--name"), "\(other.error)")
    kill(process.processIdentifier, SIGKILL)
    process.blockUntilExit()
    #expect(try Program.run(words).status == 2)
    #expect(try run("a").status == 0)
    for options in [["--name", "x"], ["--sync", folder.path("sync"), "--name", "../x"], ["--name", ""]] {
      #expect(try Program.run(["fuzz", "run", "--dir", folder.path("d")] + options).status == 64)
    }
  }

  @Test func `emptied samples are moved aside and written again, and damaged settings are not resumed`() throws {
    #expect(try run("a", sync: false).status == 0)
    let before = try names("a/corpus")
    let intact = try #require(before.min())
    for name in before where name != intact { _ = try folder.write("", to: "a/corpus/\(name)") }
    #expect(try run("a", sync: false).status == 0)
    #expect(try names("a/corpus-damaged") == before.subtracting([intact]))
    let after = try names("a/corpus")
    // The minted tokens are found in every session.
    #expect(after.intersection(before).count > 5)
    for name in after {
      let bytes = try FileText.data(folder.path("a/corpus/\(name)"))
      #expect(digest(of: Array(bytes)).hasPrefix(name))
    }
    let settings = try FileText.text(folder.path("a/settings.json"))
    for text in ["", "{", "[]", "{}", settings.replacing("\"token\"", with: "\"tokem\"")] {
      _ = try folder.write(text, to: "a/settings.json")
      let refused = try run("a", sync: false)
      #expect(refused.status == 2 && refused.error.contains("settings.json is damaged"), "\(text) \(refused.error)")
    }
    _ = try folder.write(settings, to: "a/settings.json")
    #expect(try run("a", sync: false).status == 0)
  }

  @Test(.deep(.waits)) func `samples that add nothing are removed when a run is resumed, and no feature with them`()
    throws
  {
    for name in ["a", "b"] { #expect(try run(name, seconds: 2, sync: false).status == 0) }
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("had"), withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try manager.copyItem(atPath: folder.path("\(name)/corpus"), toPath: folder.path("had/\(name)"))
    }
    let own = try names("a/corpus")
    for name in try names("b/corpus").subtracting(own) {
      try manager.copyItem(atPath: folder.path("b/corpus/\(name)"), toPath: folder.path("a/corpus/\(name)"))
    }
    // A file that somebody else has put there stays.
    let first = try #require(own.min())
    try manager.copyItem(atPath: folder.path("a/corpus/\(first)"), toPath: folder.path("a/corpus/mine"))
    let before = try names("a/corpus")
    var removed: Set<String> = []
    for attempt in 1...20 where removed.isEmpty {
      #expect(try run("a", seconds: 3 * attempt, sync: false).status == 0)
      removed = before.subtracting(try names("a/corpus"))
    }
    #expect(!removed.isEmpty && !removed.contains("mine") && removed.count < before.count / 2)
    #expect(try missing(["had"], in: "a") == 0)
  }

  @Test(.deep(.counts)) func `a run that is killed at any write loses and doubles nothing`() throws {
    let killer = try WriteKiller(in: folder)
    let manager = FileManager.default
    // One request, and no mutations but one: a run has some hundred writes.
    let seeds = Package.folder.appending(path: "Corpus/seeds/mpgs/EC_v1").path
    let seed = try #require(try manager.contentsOfDirectory(atPath: seeds).min())
    _ = try folder.write(FileText.text("\(seeds)/\(seed)"), to: "tiny/seeds/mpgs/EC_v1/\(seed)")
    func words(_ name: String, in place: String, seconds: Int) -> [String] {
      [
        "fuzz", "run", "--target", "envelopes", "--duration", "\(seconds)s", "--jobs", "1", "--quiet", "--seed", "1",
        "--dir", folder.path("\(place)/\(name)"), "--corpus", folder.path("tiny"),
        "--sync", folder.path("\(place)/sync"), "--name", name,
      ]
    }
    // The other run keeps two samples.
    #expect(try Program.run(words("other", in: ".", seconds: 1)).status == 0)
    let foreign = try names("sync/other/corpus").sorted().prefix(2)
    for name in try names("sync/other/corpus") where !foreign.contains(name) {
      try manager.removeItem(atPath: folder.path("sync/other/corpus/\(name)"))
    }
    let statistics = try JSONSerialization.jsonObject(with: FileText.data(folder.path("other/stats.json")))
    let mutations = try #require((statistics as? [String: Any])?["mutations"] as? [String: Any])
    let without = mutations.keys.filter { $0 != "revocation" }.flatMap { ["--without", $0] }
    func path(_ place: Int) -> String { folder.path("m\(place)") }
    func intact(_ corpus: String, _ place: Int) throws -> Set<String> {
      let names = try names("m\(place)/\(corpus)").filter { $0.count == 32 }
      for name in names {
        let bytes = try FileText.data(folder.path("m\(place)/\(corpus)/\(name)"))
        #expect(digest(of: Array(bytes)).hasPrefix(name), "\(place)")
      }
      return names
    }
    let kills = try killer.killAtEachWrite(below: path) { place in
      try manager.createDirectory(atPath: path(place), withIntermediateDirectories: true)
      try manager.copyItem(atPath: folder.path("sync"), toPath: path(place) + "/sync")
      return words("r", in: "m\(place)", seconds: 1) + without
    } check: { place in
      let had = try intact("r/corpus", place)
      _ = try intact("sync/r/corpus", place)
      var isRead = false
      for attempt in 1...20 where !isRead {
        let resumed = try Program.run(words("r", in: "m\(place)", seconds: attempt) + without)
        #expect(resumed.status == 0, "\(place): \(resumed.error)")
        let read = (try? FileText.text(folder.path("m\(place)/r/imported.txt"))) ?? ""
        isRead = try names("m\(place)/r/corpus").union(read.split(separator: "\n").map(String.init))
          .isSuperset(of: foreign)
      }
      #expect(isRead, "\(place)")
      let published = try names("m\(place)/sync/r/corpus")
      #expect(published.isDisjoint(with: foreign) && published.allSatisfy { $0.count == 32 }, "\(place)")
      #expect(try intact("sync/r/corpus", place) == published)
      #expect(try names("m\(place)/sync/r") == ["corpus", "heartbeat.json"], "\(place)")
      #expect(try names("m\(place)/r").allSatisfy { !$0.hasSuffix(".partial") }, "\(place)")
      // Each sample of the killed run is published, or was removed because the published ones have its features.
      let lost = had.subtracting(published.union(foreign))
      #expect(try lost.isEmpty || missing(["m\(place)/r"], in: "m\(place)/sync") == 0, "\(place): \(lost)")
      try manager.removeItem(atPath: path(place))
    }
    print("a run was killed at \(kills) writes")
    #expect(kills > 60)
  }
}

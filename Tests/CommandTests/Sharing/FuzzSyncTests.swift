import Foundation
import TestSupport
import Testing

/// Runs whose samples outlive them: on several machines with `--sync`, after losses of power, and from session to
/// session.
@Suite(.blocking, .serialized) struct FuzzSyncTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // One seed: a run starts from little else than minted tokens.
    _ = try folder.write("{}", to: "small/seeds/apple/EC_v1/0.json")
  }

  private func words(_ name: String, seconds: Int, sync: Bool = true) -> [String] {
    [
      "fuzz", "run", "--duration", "\(seconds)s", "--jobs", "1", "--quiet", "--dir", folder.path(name),
      "--corpus", folder.path("small"),
    ] + (sync ? ["--sync", folder.path("sync"), "--name", name] : [])
  }

  private func run(_ name: String, seconds: Int = 1, sync: Bool = true) throws -> Program.Outcome {
    try Program.run(words(name, seconds: seconds, sync: sync))
  }

  private func started(_ name: String, seconds: Int) throws -> Process {
    let process = Process()
    process.executableURL = Program.url
    process.arguments = words(name, seconds: seconds)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func names(_ path: String) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: folder.path(path)) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path(path)))
  }

  /// How many samples of others a folder needs to have all their features.
  private func missing(_ others: [String], in name: String) throws -> Int {
    let into = folder.path("merged-\(UUID().uuidString)")
    #expect(try Program.run(["fuzz", "merge", folder.path(name), "--into", into, "--quiet"]).status == 0)
    let merge = ["fuzz", "merge"] + others.map(folder.path) + ["--into", into, "--quiet", "--json"]
    let sources = try Program.run(merge).json()["sources"] as? [[String: Any]]
    return try #require(sources).compactMap { $0["kept"] as? Int }.reduce(0, +)
  }

  @Test(.deep(.waits)) func `three runs, one of them killed again and again, have all features of all afterwards`()
    throws
  {
    let runs = ["a", "b", "c"]
    let end = Date(timeIntervalSinceNow: Ring.isDeep ? 600 : 4)
    while Date() < end {
      let lasting = try ["a", "b"].map { try started($0, seconds: Ring.isDeep ? 120 : 3) }
      while lasting.contains(where: \.isRunning) {
        let killed = try started("c", seconds: 3_600)
        Thread.block(forSeconds: Ring.isDeep ? 20 : 2)
        kill(killed.processIdentifier, SIGKILL)
        killed.blockUntilExit()
      }
      for process in lasting { #expect(process.terminationStatus == 0) }
    }
    // What was killed before it had published everything publishes it when it is resumed.
    var isPublished = false
    for attempt in 1...20 where !isPublished {
      #expect(try run("c", seconds: 2 * attempt).status == 0)
      let published = try runs.map { try names("sync/\($0)/corpus") }.reduce(into: Set()) { $0.formUnion($1) }
      isPublished = try names("c/corpus").isSubset(of: published)
    }
    #expect(isPublished)
    // What they have now; each session finds more.
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path("had"), withIntermediateDirectories: true)
    for name in runs { try manager.copyItem(atPath: folder.path("\(name)/corpus"), toPath: folder.path("had/\(name)")) }
    // Until each has executed what the others have published.
    let published = try runs.map { try names("sync/\($0)/corpus") }
    for (index, name) in runs.enumerated() {
      let foreign = published.enumerated().filter { $0.offset != index }.reduce(into: Set()) {
        $0.formUnion($1.element)
      }
      var isComplete = false
      for attempt in 1...20 where !isComplete {
        #expect(try run(name, seconds: 2 * attempt).status == 0)
        let read = (try? FileText.text(folder.path("\(name)/imported.txt"))) ?? ""
        let known = Set(read.split(separator: "\n").map(String.init)).union(try names("\(name)/corpus"))
        isComplete = foreign.isSubset(of: known.union(try names("sync/\(name)/corpus")))
      }
      #expect(isComplete)
    }
    for name in runs { #expect(try missing(["had"], in: name) == 0, "\(name)") }
    // The same question finds what is missing.
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

  @Test(.deep(.counts)) func `a run that is killed at any write to its sync folder loses and doubles nothing`() throws {
    let killer = try WriteKiller(in: folder)
    var kills = 0
    for place in Array(0..<24) + [31, 47, 67, 101, 151, 223] {
      let name = "r\(place)"
      let killed = try Program.run(
        words(name, seconds: 20), environment: killer.environment(below: folder.path("sync"), at: place))
      if killed.status == -SIGKILL { kills += 1 }
      for file in try names("sync/\(name)/corpus") where file.count == 32 {
        let bytes = try FileText.data(folder.path("sync/\(name)/corpus/\(file)"))
        #expect(digest(of: Array(bytes)).hasPrefix(file), "\(place)")
      }
      let had = try names("\(name)/corpus")
      #expect(try run(name, seconds: 5).status == 0)
      #expect(try names("sync/\(name)/corpus").allSatisfy { $0.count == 32 }, "\(place)")
      // What the run had kept is covered by what is published, here or under another name.
      if !had.isEmpty { #expect(try missing([name], in: "sync") == 0, "\(place)") }
    }
    #expect(kills > 24)
  }
}

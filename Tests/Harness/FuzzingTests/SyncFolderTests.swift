import Foundation
import Fuzzing
import HostIO
import PaymentToken
import TestSupport
import Testing

@Suite struct SyncFolderTests {
  private static let noon = UnixTime(secondsSinceEpoch: 1_795_000_000)

  private static func beat(_ id: String, host: String = "m1", after seconds: Int64 = 0) -> Heartbeat {
    Heartbeat(
      host: host, process: 7, time: UnixTime(secondsSinceEpoch: noon.secondsSinceEpoch + seconds), runID: id)
  }

  /// The first half of the SHA-256 of `abc` and of the empty string.
  private static let abc = "ba7816bf8f01cfea414140de5dae2223"
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb924"

  private static func received(
    _ folder: SyncFolder, for run: String, limit: Int = 10, known: Set<String> = []
  ) throws -> (samples: [[UInt8]], isComplete: Bool) {
    var samples: [[UInt8]] = []
    let isComplete = try folder.read(for: run, limit: limit, isKnown: known.contains) { samples.append($0) }
    return (samples, isComplete)
  }

  @Test func `a sample is published once, read by the others, and not by those that know it`() throws {
    let (place, run) = (try TemporaryFolder(), try TemporaryFolder())
    let folder = SyncFolder(path: "\(place.url.path)/sync")
    try run.write(Array("abc".utf8), to: Self.abc)
    try run.write([], to: "0123456789abcdef0123456789abcdef")
    for (name, id) in [("a", "1"), ("b", "2")] { try folder.claim(name, Self.beat(id)) }
    for _ in 0..<2 { try folder.publish([Self.abc, String(repeating: "0", count: 32)], of: "a", from: run.url.path) }
    // A sample whose file was emptied after it was kept is not published.
    try folder.publish(["0123456789abcdef0123456789abcdef"], of: "a", from: run.url.path)
    #expect(folder.samples(of: "a") == [Self.abc])
    // Another run does not publish a sample that the folder already has.
    try folder.publish([Self.abc], of: "b", from: run.url.path)
    #expect(folder.samples(of: "b") == [])
    #expect(try Self.received(folder, for: "b").samples == [Array("abc".utf8)])
    #expect(try Self.received(folder, for: "a").samples == [])
    #expect(try Self.received(folder, for: "b", known: [Self.abc]).samples == [])
    #expect(try Self.received(folder, for: "b", limit: 0).isComplete == false)
  }

  @Test func `what is half copied is read once it is whole, and links and other names never`() throws {
    let (place, outside) = (try TemporaryFolder(), try TemporaryFolder())
    let folder = SyncFolder(path: place.url.path)
    try folder.claim("b", Self.beat("2"))
    try outside.write(Array("abc".utf8), to: "corpus/\(Self.abc)")
    try place.write(Array("ab".utf8), to: "a/corpus/\(Self.abc)")
    for name in ["notes", ".hidden", "\(Self.abc).77.partial", "\(Self.abc)0"] {
      try place.write(Array("abc".utf8), to: "a/corpus/\(name)")
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: "\(place.url.path)/c", withDestinationPath: outside.url.path)
    try manager.createDirectory(atPath: "\(place.url.path)/d", withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: "\(place.url.path)/d/corpus", withDestinationPath: "\(outside.url.path)/corpus")
    try manager.createDirectory(atPath: "\(place.url.path)/e/corpus", withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: "\(place.url.path)/e/corpus/\(Self.abc)", withDestinationPath: "\(outside.url.path)/corpus/\(Self.abc)")
    try #require(mkfifo("\(place.url.path)/e/corpus/\(Self.empty)", 0o600) == 0)
    #expect(try folder.runs() == ["a", "b", "d", "e"])
    #expect(try Self.received(folder, for: "b").samples == [])
    try place.write(Array("abc".utf8), to: "a/corpus/\(Self.abc)")
    #expect(try Self.received(folder, for: "b").samples == [Array("abc".utf8)])
  }

  @Test func `a name belongs to one live run, and is free when that ends, or is not seen for ten minutes`() throws {
    let place = try TemporaryFolder()
    let folder = SyncFolder(path: place.url.path)
    try folder.claim("a", Self.beat("1"))
    #expect(throws: CommandError.self) { try folder.claim("a", Self.beat("2", after: 599)) }
    // The other machine's clock is ahead.
    #expect(throws: CommandError.self) { try folder.claim("a", Self.beat("2", after: -599)) }
    #expect(throws: CommandError.self) { try folder.claim("a", Self.beat("1", host: "m2", after: 5)) }
    // The same run claims its name again after it was killed.
    try place.write([1], to: "a/corpus/\(Self.abc).4711.partial")
    try folder.claim("a", Self.beat("1", after: 5))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.url.path)/a/corpus") == [])
    try folder.claim("a", Self.beat("2", after: 605))
    #expect(folder.heartbeat(of: "a")?.runID == "2")
    #expect(throws: CommandError.self) { try folder.claim("a", Self.beat("1", after: 610)) }
    var ended = Self.beat("2", after: 620)
    ended.hasEnded = true
    try folder.claim("a", ended)
    try folder.claim("a", Self.beat("3", after: 621))
    // A heartbeat that cannot be read holds no name.
    try place.write(Array("{\"schema\"".utf8), to: "a/heartbeat.json")
    try folder.claim("a", Self.beat("4", after: 622))
    #expect(folder.heartbeat(of: "a") == Self.beat("4", after: 622))
  }

  @Test func `a fleet is a table of 80 columns in which silent machines are marked`() throws {
    let place = try TemporaryFolder()
    let folder = SyncFolder(path: place.url.path)
    var busy = Self.beat("1")
    (busy.executions, busy.rate, busy.samples, busy.features, busy.findings) = (9_999_999_999, 123_456, 9_999_999, 1, 2)
    var ended = Self.beat("2", after: -200_000)
    ended.hasEnded = true
    try folder.claim(String(repeating: "n", count: 64), busy)
    try folder.claim("ended", ended)
    try folder.claim("hour", Self.beat("3", after: -3_600))
    try folder.claim("less", Self.beat("4", after: -3_599))
    let fleet = try FleetStatus(folder, at: Self.noon)
    let lines = fleet.text.split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 }, "\(fleet.text)")
    #expect(lines.filter { $0.contains("silent") }.map { $0.prefix(4) } == ["hour"])
    #expect(lines.filter { $0.contains("ended ") }.count == 1)
    #expect(fleet.hasFindings)
    #expect(fleet.json["runs"]?.elements?.map { $0["silent"] == .boolean(true) } == [false, true, false, false])
    #expect(SyncFolder.isSyncFolder(place.url.path) && !SyncFolder.isSyncFolder("\(place.url.path)/hour"))
  }

  @Test func `names of runs are plain, also by default`() {
    for name in ["a", "A-1_b.c", String(repeating: "x", count: 64)] { #expect(SyncPlan.isName(name)) }
    for name in ["", ".", "..", ".a", "a/b", "a b", "ä", String(repeating: "x", count: 65)] {
      #expect(!SyncPlan.isName(name), "\(name)")
    }
    for folder in ["fuzz-run", "/x/my run/", "..", String(repeating: "y", count: 200)] {
      #expect(SyncPlan.isName(SyncPlan.defaultName(runFolder: folder)), "\(folder)")
    }
  }
}

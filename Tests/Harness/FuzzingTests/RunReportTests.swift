import Foundation
import Fuzzing
import HostIO
import StrictJSON
import TestSupport
import Testing

/// Reports of fuzzing runs, made from values without processes or engines.
@Suite struct RunReportTests {
  static let finding = FuzzFindingSummary(
    id: "crash-signal-0a1b2c",
    [
      "kind": "crash", "first": "signal 4", "second": "<script>", "mutations": ["json.members"], "replays": 3,
      "sample_bytes": 17,
    ])

  static func state(executions: Int) -> FuzzState {
    var state = FuzzState(target: .token, driver: .loop, jobs: 2, seed: 7)
    state.seconds = 60
    state.lastNew = 50
    state.statistics[.executions] = executions
    state.corpus = 5
    state.features = 9
    return state
  }

  @Test func `a page reports findings or none, and escapes foreign text`() {
    let state = Self.state(executions: 1_200)
    let clean = FuzzPage(state: state, findings: []).document
    #expect(clean.contains("No findings."))
    #expect(clean.contains("loop, 2 processes, seed 7, 0:01:00"))
    let page = FuzzPage(state: state, findings: [Self.finding]).document
    #expect(page.contains("1 finding."))
    #expect(page.contains("crash: signal 4 / &lt;script&gt;"))
    #expect(!page.contains("<script"))
  }

  @Test func `a page explains its figures`() {
    let page = FuzzPage(state: Self.state(executions: 1_200), findings: []).document
    #expect(page.contains("samples kept, because each did something new"))
    #expect(page.contains("samples per second of processor time"))
  }

  @Test func `the status names each finding with the command that replays it`() {
    var state = Self.state(executions: 1_200)
    state.findings[Self.finding.id] = 1
    let text = FuzzText.status(state, [Self.finding], folder: "my runs")
    #expect(text.contains("executions  1200, 20/s, "))
    #expect(text.contains("findings    1 crash\n"))
    #expect(text.hasSuffix("  assay fuzz replay 'my runs/findings/crash-signal-0a1b2c'\n"))
  }

  @Test func `a loop whose samples reach no late stage gives a warning`() {
    #expect(Self.state(executions: 1_999).warnings == [])
    var late = Self.state(executions: 1)
    (late.planned, late.corpusSeconds) = (10, 5)
    #expect(late.warnings == [])
    late.corpusSeconds = 5.1
    #expect(late.warnings.count == 1)
    #expect(Self.state(executions: 2_000).warnings == ["only 0% of executions reach stage 8"])
  }

  @Test func `both forms of a line of libFuzzer are read, and no other line`() {
    for line in [
      "#1234: cov: 98 ft: 117 corp: 12 exec/s: 5000 oom/timeout/crash: 0/0/0 time: 3s",
      "#1234\tNEW    cov: 98 ft: 117 corp: 12/345b lim: 4 exec/s: 5000 rss: 30Mb",
    ] {
      let numbers = LibFuzzerLine(line)
      #expect(numbers?.executions == 1_234)
      #expect(numbers?.features == 117)
      #expect(numbers?.corpus == 12)
    }
    #expect(LibFuzzerLine("#1234\tDONE") == nil)
    #expect(LibFuzzerLine("INFO: cov: 98 ft: 117 corp: 12") == nil)
  }
}

@Suite struct RunFolderTests {
  private static func plan(_ target: FuzzTarget, seed: UInt64?) -> FuzzPlan {
    var plan = FuzzPlan(duration: 1, jobs: 1)
    (plan.target, plan.seed) = (target, seed)
    return plan
  }

  @Test func `a run keeps its seed, counts its sessions, and reads its statistics back`() throws {
    let place = try TemporaryFolder()
    let path = place.path("run")
    #expect(throws: CommandError.self) { try RunFolder(path: path) }
    let folder = try RunFolder(making: path)
    let first = try FuzzSettings(Self.plan(.token, seed: 42), folder)
    try folder.write(first.document, to: "settings.json")
    let second = try FuzzSettings(Self.plan(.token, seed: nil), RunFolder(path: path))
    #expect(second.seed == 42)
    #expect(second.sessions == 2)
    #expect(throws: CommandError.self) { try FuzzSettings(Self.plan(.envelopes, seed: nil), folder) }

    var state = FuzzState(target: .token, driver: .loop, jobs: 2, seed: 42)
    state.seconds = 12
    state.statistics[.executions] = 3_000
    state.corpus = 5
    try folder.write(state.document, to: "stats.json")
    let document = try #require(folder.document("stats.json"))
    let restored = FuzzState(document, findings: [])
    #expect(restored.statistics == state.statistics)
    #expect(restored.corpus == 5)
    #expect(restored.rate == 250)
  }

  @Test(arguments: ["1e308", "-1e308", "9223372036854775807", "-1", "1.5", "18446744073709551616", "\"\"", "null"])
  func `whatever numbers a folder's statistics hold, its status is told`(number: String) throws {
    let whole = RunReportTests.state(executions: 2_000).document.text
      .replacing(#""external":null"#, with: #""external":{"asked":1,"leniencies":{"a":1,"b":1}}"#)
    let hostile = whole.replacing(/([:,\[])[0-9.]+/) { "\($0.output.1)\(number)" }
    #expect(hostile != whole)
    let document = try JSON(reading: Array(hostile.utf8).span)
    var restored = FuzzState(document, findings: [RunReportTests.finding])
    #expect(restored.corpus == 0)
    restored.restore(document)
    restored.seconds = 1
    let texts = [
      FuzzText.status(restored, [RunReportTests.finding], folder: "run"),
      FuzzPage(state: restored, findings: []).document,
      restored.document.text,
    ]
    for text in texts { #expect(!text.isEmpty) }
  }

  @Test func `only what a run itself left is removed`() throws {
    let place = try TemporaryFolder()
    let path = place.path("run")
    _ = try RunFolder(making: path)
    let own = [
      "stats.json.4711.partial", "corpus/0123.4711.partial", "findings/crash/input.4711.partial",
      "unreproducible/hang/layers/data.4711.partial",
    ]
    let foreign = [
      "a film.partial", "stats.json.old.partial", ".4711.partial", "films/b.4711.partial",
      "corpus/films/c.4711.partial",
    ]
    for folder in ["findings/crash", "unreproducible/hang/layers", "films", "corpus/films"] {
      try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    }
    for name in own + foreign { try Data("{".utf8).write(to: URL(filePath: "\(path)/\(name)")) }
    try FileManager.default.removeItem(atPath: "\(path)/lock")
    _ = try RunFolder(making: path)
    #expect(own.filter { FileManager.default.fileExists(atPath: "\(path)/\($0)") } == [])
    #expect(foreign.filter { FileManager.default.fileExists(atPath: "\(path)/\($0)") } == foreign)
  }

  @Test func `a second run in a folder is refused and removes nothing, and a later one removes what is left`() throws {
    let place = try TemporaryFolder()
    let path = place.path("run")
    let partial = "\(path)/corpus/0123.4711.partial"
    _ = try RunFolder(making: path)
    try Data("{".utf8).write(to: URL(filePath: partial))
    #expect(throws: CommandError.self) { try RunFolder(making: path) }
    #expect(FileManager.default.fileExists(atPath: partial))
    // The first run still holds its lock, which is on the removed file. A new lock file is not locked.
    try FileManager.default.removeItem(atPath: "\(path)/lock")
    _ = try RunFolder(making: path)
    #expect(!FileManager.default.fileExists(atPath: partial))
  }
}

@Suite struct FileReaderTests {
  /// Many files are read at once, and buffers as large as the limit would exhaust the address space.
  @Test func `a small file takes little memory, whatever the limit`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], to: "small")
    let bytes = try FileReader.read(path, limit: 1 << 29)
    #expect(bytes == [1, 2, 3] && bytes.capacity < 4_096)
    #expect(try FileReader.read(path, limit: 2) == [1, 2])
  }
}

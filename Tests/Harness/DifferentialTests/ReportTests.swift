import Differential
import Foundation
import PaymentToken
import TestCases
import Testing

/// Reports of runs, made from values without processes or engines.
@Suite struct ReportTests {
  private static let fault = TokenFault(.missingMember, member: .data)

  /// A run of one test with an engine that cannot be made.
  private static func run(found: (Finding, TestRun) -> Void = { _, _ in }) -> RunReport {
    let test = TestCase(
      id: "1", name: "no-data", source: "made", flags: ["A"],
      input: TestInput([1, 2, 3], TestContext(now: UnixTime(secondsSinceEpoch: 0))), expected: .reject(fault))
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: true)
    let engine = EngineContender(name: "assay none") { _ in .failure(EngineRefusal("no <engine>")) }
    return TestRun(engines: [engine], externals: [], strictness: .code)
      .run([TestGroup(setting: setting, cases: [test])], found: found)
  }

  @Test func `all forms report the same finding and escape foreign text`() {
    let run = Self.run()
    #expect(DiffSummary.exitCode(run) == .finding)
    #expect(DiffSummary.sentence(run) == "1 test undecided")
    let report = DiffReport(run, notes: [:], origins: ["1 of made"])
    let page = report.page(at: UnixTime(secondsSinceEpoch: 0))
    #expect(page.contains("It decided none of 1 test."))
    #expect(page.contains("no &lt;engine&gt;"))
    #expect(!page.contains("<engine>"))
    let junit = report.junit
    #expect(junit.contains("failures=\"1\""))
    #expect(junit.contains("no &lt;engine&gt;"))
    #expect(report.markdown.contains("no &lt;engine&gt;"))
    let text = report.text
    #expect(text.contains("  test      1 (no-data) of made\n"))
    #expect(text.contains("  expected  rejected missingMember\n"))
  }

  @Test func `a finding's folder names the command that replays it`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "assay-diff-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let replay = ReplayCommand(
      contenderWords: ["--external", "my 'program'", "--engine", "fast"], inputWords: ["--key", "real.pem"],
      strictness: .code)
    var folder = try FindingFolder(path: path, replay: replay, notes: [:])
    _ = Self.run { finding, run in folder.add(finding, in: run, contender: "assay none") }
    #expect(folder.failure == nil)
    let finding = "\(path)/0001-error"
    let readme = try String(contentsOfFile: "\(finding)/README.txt", encoding: .utf8)
    #expect(
      readme.contains(
        "assay diff \(finding)/vector.json --external 'my '\\''program'\\''' --engine fast --strictness code\n"))
    #expect(FileManager.default.contents(atPath: "\(finding)/token") == Data([1, 2, 3]))
    // A plain request, with a real key.
    let test = TestCase(
      id: "my token", name: "my token", source: "a b/my token",
      input: TestInput([1], TestContext(now: UnixTime(secondsSinceEpoch: 0))), expected: .reject(Self.fault))
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: false)
    let engine = EngineContender(name: "assay none") { _ in .failure(EngineRefusal("none")) }
    let run = TestRun(engines: [engine], externals: [], strictness: .code)
      .run([TestGroup(setting: setting, cases: [test])])
    #expect(
      run.findings.map { replay.text(of: $0) } == [
        "assay diff 'a b/my token' --external 'my '\\''program'\\''' --engine fast --strictness code --key real.pem "
          + "--at 1970-01-01T00:00:00Z --i-trust-this-program-with-my-keys"
      ])
  }
}

import Corpus
import Differential
import PaymentToken
import TestCases
import TestSupport
import Testing

/// What a report says first, and of each finding.
@Suite(.blocking, .enabled(if: Script.canRun), .timeLimit(.minutes(15)))
struct FindingReportTests {
  private static let notes = Dictionary(
    uniqueKeysWithValues: VectorFlag.all.map { ($0.name, $0.note) })

  private static func report(_ body: String, tests: Int = 10) throws -> DiffReport {
    DiffReport(try Minted.run(try Script(body), tests: tests).report, notes: notes, origins: [])
  }

  @Test func `one that answers every test with an error has decided none`() throws {
    let text = try Self.report(#"say({"id": message["id"], "error": "TypeError: nil"})"#).text
    #expect(text.hasPrefix("script 1.0 decided none of 10 tests.\n"))
  }

  @Test func `a crash is no refusal of a forgery, and too few verdicts conclude nothing`() throws {
    let setting = try Minted.setting()
    func text(_ answer: String) throws -> String {
      let script = try Script(answer)
      defer { withExtendedLifetime(script) {} }
      let tests = try Minted.tests(24).filter { $0.expected?.isAccepted == false }.map { test in
        var test = test
        test.standing = Standing(.anyone, .apple, .critical)
        return test
      }
      let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
        .run([TestGroup(setting: setting, cases: tests)])
      return DiffReport(report, notes: [:], origins: []).text
    }
    let refusal = #"say({"id": message["id"], "accepted": False})"#
    let once = try text("if int(message[\"id\"]) == 4: os.abort()\n" + refusal)
    #expect(once.hasPrefix("script 1.0 refuses 11 of 12 forgeries, and decides 1 test not at all.\n"), "\(once)")
    #expect(once.contains("11 of 12"))
    let often = try text("if int(message[\"id\"]) > 4: os.abort()\n" + refusal)
    #expect(often.hasPrefix("script 1.0 decided only "), "\(often)")
    #expect(often.contains(" of 12 tests: nothing can be concluded.\n"))
    #expect(try text("os.abort()").hasPrefix("script 1.0 decided none of "))
    #expect(try text(refusal).hasPrefix("script 1.0 decides rightly.\n"))
  }

  @Test func `one that refuses every sound token gets a hint and its first reason`() throws {
    let text = try Self.report(#"say({"id": message["id"], "accepted": False, "reason": "bad chain"})"#).text
    #expect(
      text.hasPrefix(
        "script 1.0 accepts 0 of 5 sound tokens: nothing can be concluded. "
          + "Does it trust rootsPem, and check dates at `at`? Its first reason: bad chain.\n"))
    let silent = try Self.report(#"say({"id": message["id"], "accepted": False})"#).text
    #expect(silent.contains("and check dates at `at`?\n"))
  }

  @Test func `a wrong plaintext is told by its length and its first difference`() throws {
    let text = try Self.report(#"say({"id": message["id"], "accepted": True, "plaintext": "ey0="})"#, tests: 1).text
    #expect(text.contains("first difference at byte 2\n"))
  }

  @Test func `one failure is told as once, and the standing of a finding has the finding's severity`() throws {
    let script = try Script("if number == 1: os.abort()")
    defer { withExtendedLifetime(script) {} }
    var test = try Minted.tests(1)[0]
    test.standing = Standing(.apple, .project, .choice)
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: [test])])
    let text = DiffReport(report, notes: [:], origins: []).text
    #expect(text.contains("script 1.0 failed once and was restarted"))
    #expect(text.contains("standing  high; Apple alone can make it; by project"))
  }

  @Test func `the effect of a class of bugs is told only of findings in its direction`() throws {
    let setting = try Minted.setting()
    func page(_ answer: String, isSound: Bool) throws -> String {
      let script = try Script(answer)
      defer { withExtendedLifetime(script) {} }
      var test = try Minted.tests(2)[isSound ? 0 : 1]
      test.flags = ["RSAv1", "CertificateDates", "ExternalKey"]
      test.standing = Standing(.anyone, .apple, isSound ? .interoperability : .critical)
      let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
        .run([TestGroup(setting: setting, cases: [test])])
      return DiffReport(report, notes: Self.notes, origins: []).page(at: try Minted.minter.get().time)
    }
    let refused = try page(#"say({"id": message["id"], "accepted": False})"#, isSound: true)
    #expect(refused.contains("Refused what must be accepted: Payments from mainland China"))
    #expect(!refused.contains("accepted: Keys that were retired"))
    let accepted = try page(#"say({"id": message["id"], "accepted": True})"#, isSound: false)
    #expect(accepted.contains("Accepted a forgery: Keys that were retired years ago"))
    #expect(!accepted.contains("forgery: Payments from mainland China"))
  }

  @Test func `what anybody can make comes first, and the first group is open`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": True})"#)
    defer { withExtendedLifetime(script) {} }
    let refused = try Minted.tests(8).filter { $0.expected?.isAccepted == false }
    let flags = ["ForgeryH", "ForgeryH", "ForgeryH", "ForgeryE"]
    let tests = zip(refused, flags).map { test, flag in
      var test = test
      test.flags = [flag]
      test.standing = Standing(flag == "ForgeryE" ? .anyone : .holder, .apple, .critical)
      return test
    }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    #expect(report.findings.map(\.test.flags) == [["ForgeryE"], ["ForgeryH"], ["ForgeryH"], ["ForgeryH"]])
    let page = DiffReport(report, notes: Self.notes, origins: []).page(at: try Minted.minter.get().time)
    let open = try #require(page.range(of: "<details open"))
    #expect(page[open.upperBound...].prefix(120).contains("Anybody can make tokens"))
  }
}

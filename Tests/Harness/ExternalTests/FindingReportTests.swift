import Corpus
import Differential
import PaymentToken
import TestCases
import TestSupport
import Testing

/// The first sentence of a report, and the text of each finding.
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
    #expect(try text(refusal).hasPrefix("script 1.0 has no finding in 12 of 12 tests; run the corpus.\n"))
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

  @Test func `a program that returns wrong plaintexts is told so, and never asked about its roots`() throws {
    let refusing = #"if int(message["id"]) % 2 == 0: say({"id": message["id"], "accepted": False})"# + "\n"
    for (member, what) in [(#", "plaintext": "ey0=""#, "another plaintext"), ("", "no plaintext")] {
      let answer = #"else: say({"id": message["id"], "accepted": True\#(member)})"#
      let text = try Self.report(refusing + answer).text
      #expect(text.hasPrefix("script 1.0 returns \(what) for 5 of 5 sound tokens.\n"))
      #expect(!text.contains("rootsPem"))
    }
    let crashing = try Self.report(refusing + "else: os.abort()").text
    #expect(crashing.contains("decides 5 tests not at all.\n") && !crashing.contains("rootsPem"))
  }

  @Test(arguments: ["", #", "plaintext": "ey0=""#, "refuse"])
  func `accepted forgeries are in the headline whatever else is wrong`(sound: String) throws {
    let tests = try Minted.tests(16).enumerated().map { index, test in
      var test = test
      if test.expected?.isAccepted == false {
        (test.name, test.clauses, test.flags) = ("a\(index)", [], [])
        test.standing = Standing(.anyone, .apple, .critical)
      }
      return test
    }
    let token = #"{"id": message["id"], "accepted": True\#(sound == "refuse" ? "" : sound)}"#
    let refusal = #"{"id": message["id"], "accepted": False}"#
    // Sound tokens and forgeries alternate; all forgeries but the last are accepted.
    let script = try Script(
      "say(\(sound == "refuse" ? refusal : token) if number % 2 else \(token) if number < 16 else \(refusal))")
    defer { withExtendedLifetime(script) {} }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .plaintext)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    let sentences = ContenderVerdict(report.scores[0]).sentences
    #expect(sentences.first == "accepts 7 of 8 forgeries: a1, a3, a5 and 4 more")
    let other = ["": "returns no plaintext for 8 of 8 sound tokens", "refuse": "accepts 0 of 8 sound tokens: "]
    #expect(sentences.last?.hasPrefix(other[sound] ?? "returns another plaintext for 8 of 8 sound tokens") == true)
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
    #expect(
      text.contains(
        "standing  high; Apple alone can make it; a choice of assay's rules, which other decryptors may make otherwise\n"
      )
    )
    #expect(text.contains("result      1 crash\n"))
  }

  @Test func `an unreadable answer is not called a crash`() throws {
    let text = try Self.report("raw(b'no JSON\\n')", tests: 3).text
    #expect(text.contains("result      3 answers outside the protocol\n") && !text.contains("crash"))
    let script = try Script("time.sleep(3600)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 1_000
    let late = try Minted.run(program, tests: 1).report
    #expect(DiffReport(late, notes: [:], origins: []).text.contains("result      1 time-out\n"))
  }

  @Test func `one that fails once and then refuses hello has not failed too often in a row`() throws {
    let hello = #"{"hello":1,"name":"script","version":"1.0","supports":["EC_v1","RSA_v1","signature","roots"]}"#
    let script = try Script(
      #"open(sys.argv[0] + ".ran", "w"); os.abort()"#,
      hello: #"say({"hello":1,"error":"no"} if os.path.exists(sys.argv[0] + ".ran") else \#(hello))"#)
    let (report, score) = try Minted.run(script, tests: 4)
    #expect(score.tally.kinds == [.crashed: 1, .error: 1] && score.tally.notAsked == 2 && score.restarts == 1)
    #expect(!DiffReport(report, notes: [:], origins: []).text.contains("too often"))
  }

  @Test func `every form of an interrupted report says so and how many tests were not run`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": False})"#)
    defer { withExtendedLifetime(script) {} }
    let tests = try Minted.tests(20).map { test in
      var test = test
      (test.expected, test.standing) = (.reject(TokenFault(.malformedJSON)), .forgery)
      return test
    }
    var done = 0
    let run = TestRun(
      engines: [], externals: [ExternalContender(script.program)], strictness: .accept, isWholeSuite: true
    ).run([TestGroup(setting: try Minted.setting(), cases: tests)]) {
      done = $0.done
    } isInterrupted: {
      done >= 3
    }
    #expect(run.testCount == 3 && run.plannedCount == 20 && DiffSummary.exitCode(run) == .interrupted)
    let sentence = "interrupted after 3 of 20 tests"
    #expect(DiffSummary.sentence(run) == "\(sentence): no finding")
    let verdict = ContenderVerdict(run.scores[0])
    #expect(verdict.sentences == ["decided only 3 of 20 tests: nothing can be concluded"])
    let report = DiffReport(run, notes: [:], origins: [])
    let page = report.page(at: try Minted.minter.get().time)
    for text in [report.text, page, report.markdown] {
      #expect(text.contains(sentence) && text.contains("17 of 20 tests were not run."))
    }
    #expect(report.junit.contains(#"errors="1""#) && report.junit.contains(#"<error message="\#(sentence)""#))
    #expect(report.document.text.contains(#""tests":3,"planned":20,"interrupted":true"#))
  }

  /// Asks a program one test of each severity that fails, which must be refused.
  private static func severities(
    _ answer: String, _ strictness: Strictness, _ policy: FailurePolicy? = nil, hasStanding: Bool = true
  ) throws -> RunReport {
    let script = try Script(answer)
    defer { withExtendedLifetime(script) {} }
    let severities = Standing.Severity.allCases.dropLast()
    let tests = try zip(Minted.tests(severities.count), severities).map { test, severity in
      var test = test
      (test.name, test.flags, test.clauses) = (severity.rawValue, [], [])
      test.expected = .reject(TokenFault(.malformedJSON))
      test.standing = hasStanding ? Standing(.anyone, .apple, severity) : nil
      return test
    }
    return TestRun(
      engines: [], externals: [ExternalContender(script.program)], strictness: strictness, failurePolicy: policy
    )
    .run([TestGroup(setting: try Minted.setting(), cases: tests)])
  }

  private static let acceptance = #"say({"id": message["id"], "accepted": True, "plaintext": ""})"#

  @Test func `the four reports and the exit code agree for every level and with waivers`() throws {
    func check(_ run: RunReport, failing: Int, stale: String = "") throws {
      let report = DiffReport(run, notes: [:], origins: [])
      let page = report.page(at: try Minted.minter.get().time)
      #expect(run.findings.count == 4 && run.failing.count == failing)
      #expect(DiffSummary.exitCode(run) == (failing > 0 ? .finding : .success))
      #expect(page.contains(#"class="verdict bad""#) == (failing > 0))
      #expect(!page.contains(#"class="verdict good""#) || failing == 0)
      #expect(page.contains("The waiver for stale covers no finding") == !stale.isEmpty)
      #expect(report.junit.contains("failures=\"\(failing)\" errors=\"0\""))
      #expect(report.junit.split(separator: "<system-out>").count == 1 + 4 - failing)
      #expect(report.markdown.contains("### Findings") == (failing > 0))
      #expect(report.document.text.contains(#""held":\#(failing == 0),"#))
      #expect(report.document.text.contains(#""stale_waivers":[\#(stale)],"#))
    }
    let levels = Standing.Severity.allCases.dropLast()
    let names = levels.map { "\($0.rawValue) is known\n" }.joined() + "stale was known\n"
    for (index, level) in levels.enumerated() {
      let run = try Self.severities(Self.acceptance, .accept, FailurePolicy(level: level))
      try check(run, failing: index + 1)
      let severities = #""severities":{"critical":1,"high":1,"interoperability":1,"strictness":1}"#
      #expect(DiffReport(run, notes: [:], origins: []).document.text.contains(severities))
      let waivers = try Waiver.read(names, file: "waivers")
      let waived = try Self.severities(Self.acceptance, .accept, FailurePolicy(level: level, waivers: waivers))
      try check(waived, failing: 0, stale: #""stale""#)
    }
    let otherCode = #"say({"id": message["id"], "accepted": False, "code": "decryptionFailed"})"#
    let strict = try Self.severities(otherCode, .code)
    try check(strict, failing: 4)
    #expect(DiffReport(strict, notes: [:], origins: []).document.text.contains(#""severities":{"strictness":4}"#))
    try check(try Self.severities(otherCode, .code, FailurePolicy(level: .interoperability)), failing: 0)
  }

  @Test func `of a request without a standing nobody says that it is a forgery`() throws {
    let run = try Self.severities(Self.acceptance, .accept, hasStanding: false)
    #expect(
      run.scores[0].forgeriesRefused.total == 0 && run.findings.allSatisfy { !$0.isForgery && $0.severity == .critical }
    )
    #expect(DiffSummary.sentence(run) == "4 wrong acceptances" && DiffSummary.exitCode(run) == .finding)
    #expect(ContenderVerdict(run.scores[0]).sentences == ["decides 4 tests wrongly"])
  }

  /// Asks a program that refuses every token only tests that must be refused.
  private static func refusing(
    _ tests: [TestCase], supports: String, isWholeSuite: Bool = true
  ) throws -> (report: DiffReport, sentences: [String]) {
    let script = try Script(#"say({"id": message["id"], "accepted": False})"#, supports: supports)
    defer { withExtendedLifetime(script) {} }
    let forgeries = tests.map { test in
      var test = test
      test.expected = .reject(TokenFault(.malformedJSON))
      test.standing = Standing(.anyone, .apple, .critical)
      return test
    }
    let report = TestRun(
      engines: [], externals: [ExternalContender(script.program)], strictness: .accept, isWholeSuite: isWholeSuite
    ).run([TestGroup(setting: try Minted.setting(), cases: forgeries)])
    return (DiffReport(report, notes: [:], origins: []), ContenderVerdict(report.scores[0]).sentences)
  }

  @Test(arguments: [
    (TokenFault(.invalidLength, member: .publicKeyHash), Standing.Severity.strictness),
    (TokenFault(.malformedJSON), .strictness), (TokenFault(.missingMember, member: .header), .critical),
    (TokenFault(.invalidBase64, member: .data), .critical), (TokenFault(.decryptionFailed), .critical),
  ])
  func `without signatures, only what decryption itself must refuse is critical`(
    fault: TokenFault, severity: Standing.Severity
  ) throws {
    let answer = #"say({"id": message["id"], "accepted": True, "plaintext": ""})"#
    let script = try Script(answer, supports: #"["EC_v1","RSA_v1"]"#)
    defer { withExtendedLifetime(script) {} }
    let tests = try Minted.tests(4).map { test in
      var test = test
      test.expected = .reject(fault)
      test.standing = Standing(.holder, .apple, .critical)
      return test
    }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    #expect(report.findings.count == tests.count)
    #expect(report.findings.allSatisfy { $0.kind == .accepted && $0.severity == severity })
  }

  @Test func `one decides correctly if it was asked a whole suite and supports all of it`() throws {
    let tests = try Minted.tests(6)
    let all = #"["EC_v1","RSA_v1","unsigned","expect","signature","roots"]"#
    #expect(try Self.refusing(tests, supports: all).sentences == ["decides correctly"])
    #expect(
      try Self.refusing(tests, supports: all, isWholeSuite: false).sentences
        == ["has no finding in 6 of 6 tests; run the corpus"])
    // A test that no external can be asked does not make the suite incomplete.
    var some = tests
    some[0].input.context.policy.freshness = .window(seconds: 300, replay: .silent)
    #expect(try Self.refusing(some, supports: all).sentences == ["decides correctly"])
  }

  @Test func `what is unsupported is told with the features that it needs, in each form of the report`() throws {
    var tests = try Minted.tests(6)
    tests[0].input.context.policy.isUnsigned = true
    tests[1].input.context.policy.expectations.transactionAmount = 1
    tests[2].input.context.policy.expectations.transactionAmount = 1
    let (report, sentences) = try Self.refusing(tests, supports: #"["EC_v1","RSA_v1","signature","roots"]"#)
    #expect(sentences == ["has no finding in 3 of 6 tests (3 unsupported: expect 2, unsigned 1)"])
    let page = report.page(at: try Minted.minter.get().time)
    for text in [report.text, report.markdown, page] {
      #expect(
        text.replacing("\\", with: "").contains("was not asked 3 tests, by what they need: expect 2, unsigned 1."))
    }
    #expect(report.junit.contains(#"message="unsupported expect""#))
    #expect(report.document.text.contains(#""lacking":{"expect":2,"unsigned":1}"#))
  }

  @Test(arguments: [
    (1, "accepts 1 of 6 forgeries: a0"), (3, "accepts 3 of 6 forgeries: a0, a1, a2"),
    (5, "accepts 5 of 6 forgeries: a0, a1, a2 and 2 more"),
  ])
  func `the accepted forgeries are named`(count: Int, sentence: String) throws {
    let script = try Script(#"say({"id": message["id"], "accepted": number <= \#(count)})"#)
    defer { withExtendedLifetime(script) {} }
    let tests = try Minted.tests(6).enumerated().map { index, test in
      var test = test
      (test.name, test.clauses, test.expected) = ("a\(index)", [], .reject(TokenFault(.malformedJSON)))
      test.standing = Standing(.anyone, .apple, .critical)
      return test
    }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    #expect(ContenderVerdict(report.scores[0]).sentences == [sentence])
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
    // Tests that only the holder of a token can make have no pattern of their own.
    let flags = ["RSAv1", "RSAv1", "RSAv1", "ForgeryE"]
    let tests = zip(refused, flags).map { test, flag in
      var test = test
      test.flags = [flag]
      test.standing = Standing(flag == "ForgeryE" ? .anyone : .holder, .apple, .critical)
      return test
    }
    let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: tests)])
    #expect(report.findings.map(\.test.flags) == [["ForgeryE"], ["RSAv1"], ["RSAv1"], ["RSAv1"]])
    let page = DiffReport(report, notes: Self.notes, origins: []).page(at: try Minted.minter.get().time)
    let open = try #require(page.range(of: "<details open"))
    #expect(page[open.upperBound...].prefix(120).contains("Anybody can make tokens"))
  }
}

import Differential
import Foundation
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Misbehaving programs: each failure is reported, and the remaining tests are still run.
@Suite(.blocking, .enabled(if: Script.canRun), .timeLimit(.minutes(15)))
struct BadExternalTests {
  private static let reject = #"say({"id": message["id"], "accepted": False, "code": "malformedJSON"})"#

  @Test func `a program that accepts everything has a finding for each forgery`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": True, "plaintext": ""})"#)
    let (report, score) = try Minted.run(script, strictness: .accept)
    #expect(score.tally.passed == 5 && score.tally.kinds == [.accepted: 5])
    #expect(report.findings.allSatisfy { $0.decision == .accepted(plaintext: []) && $0.standardErrorTail.isEmpty })
    #expect(score.identity?.name == "script" && score.identity?.version == "1.0")
    let strict = try Minted.run(script).score
    #expect(strict.tally.kinds == [.accepted: 5, .wrongPlaintext: 5])
  }

  @Test func `a program that returns no plaintext passes only when verdicts are compared`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": True})"#)
    #expect(try Minted.run(script, strictness: .accept).score.tally.passed == 5)
    #expect(try Minted.run(script).score.tally.kinds[.wrongPlaintext] == 5)
  }

  @Test func `an unsigned token reported as signed is a critical finding, and the reverse is one`() throws {
    let sound = try Minted.tests(1)[0]
    let plaintext = try #require(sound.expected?.plaintext)
    func findings(_ expected: TestVerdict, _ signed: String, _ strictness: Strictness = .plaintext) throws -> [Finding]
    {
      let answer =
        #"say({"id": message["id"], "accepted": True, \#(signed)"plaintext": "\#(Data(plaintext).base64EncodedString())"})"#
      let script = try Script(answer)
      defer { withExtendedLifetime(script) {} }
      var test = sound
      (test.expected, test.input.context.policy.isUnsigned) = (expected, expected != .accept(plaintext: plaintext))
      return TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: strictness)
        .run([TestGroup(setting: try Minted.setting(), cases: [test])]).findings
    }
    let (signed, unsigned) = (
      TestVerdict.accept(plaintext: plaintext), TestVerdict.acceptUnsigned(plaintext: plaintext)
    )
    for strictness in [Strictness.plaintext, .code] {
      let hidden = try findings(unsigned, "", strictness)
      #expect(hidden.map(\.kind) == [.unsignedAsSigned] && hidden.map(\.severity) == [.critical])
      let reverse = try findings(signed, #""signed": False, "#, strictness)
      #expect(reverse.map(\.kind) == [.signedAsUnsigned] && reverse.map(\.severity) == [.interoperability])
    }
    #expect(try findings(unsigned, #""signed": False, "#).isEmpty && findings(signed, "").isEmpty)
    #expect(try findings(unsigned, "", .accept).isEmpty)
  }

  @Test func `a program that rejects everything has a finding for each valid token`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": False, "code": None})"#)
    let score = try Minted.run(script).score
    #expect(score.tally.passed == 5 && score.tally.kinds == [.refusedSound: 5])
    #expect(try Minted.run(script, strictness: .code).score.tally.kinds == [.refusedSound: 5, .wrongCode: 5])
  }

  @Test func `a program that crashes on the seventh line is restarted and the run continues`() throws {
    let script = try Script("if number == 7: sys.stderr.write('seven\\n'); os.abort()\n" + Self.reject)
    let (report, score) = try Minted.run(script, tests: 20)
    #expect(score.restarts == 2 && !score.isGivenUp && score.tally.notAsked == 0)
    #expect(score.tally.kinds[.crashed] == 2)
    let crashes = report.findings.filter { $0.kind == .crashed }
    #expect(crashes.map(\.test.id) == ["6", "13"])
    #expect(crashes.allSatisfy { $0.decision == .failed(.ended(.killed(signal: SIGABRT), afterPart: false)) })
    #expect(crashes.allSatisfy { $0.standardErrorTail == ["seven"] })
    #expect(score.tally.passed + score.tally.findings == 20)
  }

  @Test func `a program that ends after each answer has a finding for each token but the first`() throws {
    let script = try Script(Self.reject + "\nsys.exit(0)")
    let (report, score) = try Minted.run(script, tests: 6)
    #expect(score.tally.kinds[.crashed] == 3)
    let end = Decision.failed(.ended(.exited(code: 0), afterPart: false))
    #expect(report.findings.filter { $0.kind == .crashed }.allSatisfy { $0.decision == end })
  }

  @Test func `after ten failures in a row the rest of the file is skipped`() throws {
    let script = try Script("time.sleep(3600)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 300
    let (report, score) = try Minted.run(program, tests: 14)
    #expect(score.tally.kinds == [.timedOut: 10] && score.tally.notAsked == 4 && !score.isGivenUp)
    #expect(report.findings[0].decision == .failed(.timedOut(milliseconds: 300, afterPart: false)))
    #expect(score.restarts == 10 && score.lateAnswers.isEmpty)
  }

  @Test func `a file whose tests all crash is skipped, and the next one is tried`() throws {
    func run(files: Int, _ body: String) throws -> (report: RunReport, score: Score) {
      let script = try Script(body)
      defer { withExtendedLifetime(script) {} }
      let tests = try (0..<files).flatMap { file in
        try Minted.tests(12).map { test in
          var test = test
          test.source = "\(file).json"
          return test
        }
      }
      let report = TestRun(engines: [], externals: [ExternalContender(script.program)], strictness: .accept)
        .run([TestGroup(setting: try Minted.setting(), cases: tests)])
      return (report, report.scores[0])
    }
    let (report, score) = try run(files: 7, "os.abort()")
    // A run gives up after five files in a row that crash the program ten times each.
    #expect(score.tally.kinds == [.crashed: 50] && score.tally.notAsked == 34 && score.isGivenUp)
    let text = DiffReport(report, notes: [:], origins: []).text
    #expect(text.contains("34 of 84 tests were not run.") && text.contains("failed 50 times"))
    let marks = "open(sys.argv[0] + '.ran', 'a').write('x')\n"
    let once = marks + "if os.path.getsize(sys.argv[0] + '.ran') <= 10: os.abort()\n" + Self.reject
    let resumed = try run(files: 3, once).score
    #expect(resumed.tally.kinds[.crashed] == 10 && resumed.tally.notAsked == 2 && !resumed.isGivenUp)
    #expect(resumed.tally.passed == 12)
  }

  @Test func `the beginning of standard error is that of the failed request, with a space for a tab`() throws {
    let script = try Script(
      """
      sys.stderr.write("request %d\\n" % number + "\\tfrom\\tline\\n" * 20)
      if number == 3: os.abort()
      \(Self.reject)
      """)
    let (report, _) = try Minted.run(script, tests: 3)
    let crash = try #require(report.findings.first { $0.kind == .crashed })
    #expect(crash.standardErrorTail == ["request 3", " from line", "…"] + Array(repeating: " from line", count: 6))
  }

  @Test func `a program that never answers hello is given up early`() throws {
    let script = try Script(Self.reject, hello: "time.sleep(3600)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 300
    let score = try Minted.run(program).score
    #expect(score.tally.kinds == [.timedOut: 2] && score.tally.notAsked == 8 && score.identity == nil)
  }

  @Test func `a program that writes without a newline is stopped`() throws {
    let script = try Script("while True: raw(b'x' * 65536)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.answerLimit = 1 << 16
    let (report, score) = try Minted.run(program, tests: 2)
    #expect(score.tally.kinds == [.brokeProtocol: 2])
    #expect(report.findings[0].decision == .failed(.flooded(limit: 1 << 16)))
  }

  @Test func `a program that writes endless lines is stopped`() throws {
    let script = try Script("while True: raw(b'y\\n' * 4096)")
    let (report, _) = try Minted.run(script, tests: 1)
    guard case .failed(.unreadable(_, let line)) = report.findings[0].decision else {
      Issue.record("\(report.findings[0].decision)")
      return
    }
    #expect(line == "y")
  }

  @Test func `answers out of order do not count`() throws {
    let script = try Script(#"say({"id": "x" + message["id"], "accepted": False})"#)
    let (report, score) = try Minted.run(script, tests: 2)
    #expect(score.tally.kinds == [.brokeProtocol: 2])
    #expect(report.findings[0].decision == .failed(.outOfOrder(answered: "x1")))
  }

  @Test func `a second answer is a finding`() throws {
    let script = try Script(Self.reject + "\n" + Self.reject)
    #expect(try Minted.run(script, tests: 4).score.tally.kinds == [.brokeProtocol: 4])
  }

  @Test func `a second answer is a finding of the request that it follows, and the next one is asked again`() throws {
    let script = try Script(Self.reject + "\nif message[\"id\"] == \"2\": " + Self.reject)
    let (report, score) = try Minted.run(script, tests: 4)
    #expect(score.tally.kinds == [.refusedSound: 2, .brokeProtocol: 1] && score.tally.passed == 1)
    let finding = try #require(report.findings.first { $0.kind == .brokeProtocol })
    #expect(finding.test.id == "1" && finding.decision == .failed(.unasked) && score.restarts == 1)
  }

  @Test func `a second answer after the last request is a finding of that request`() throws {
    let script = try Script(Self.reject + "\nif number == 2: " + Self.reject)
    let (report, score) = try Minted.run(script, tests: 2)
    #expect(score.tally.kinds == [.refusedSound: 1, .brokeProtocol: 1] && score.tally.passed == 0)
    #expect(report.findings.first { $0.kind == .brokeProtocol }?.test.id == "1")
  }

  @Test(arguments: [
    "raw(b'\\xff\\xfe{}\\n')", "raw(b'\\n')", "raw(b'[]\\n')", "raw(b'{}\\n')",
    #"say({"id": message["id"]})"#, #"say({"id": message["id"], "accepted": "yes"})"#,
    #"say({"id": int(message["id"]), "accepted": False})"#,
    #"raw(b'{"id":"%s","id":"%s","accepted":false}\n' % (message["id"].encode(), message["id"].encode()))"#,
    #"say({"id": message["id"], "accepted": True, "plaintext": "a"})"#,
    #"say({"id": message["id"], "accepted": False, "code": 7})"#,
  ])
  func `a line that is not an answer is a finding`(body: String) throws {
    let (report, score) = try Minted.run(try Script(body), tests: 2)
    #expect(score.tally.kinds == [.brokeProtocol: 2])
    guard case .failed(.unreadable) = report.findings[0].decision else {
      Issue.record("\(report.findings[0].decision)")
      return
    }
  }

  @Test func `an end in the middle of a line is a crash`() throws {
    let script = try Script("raw(b'{\"id\":\"1\",\"acc')\nsys.exit(3)")
    let (report, _) = try Minted.run(script, tests: 1)
    #expect(report.findings[0].decision == .failed(.ended(.exited(code: 3), afterPart: true)))
  }

  @Test func `an incomplete line is a time-out`() throws {
    let script = try Script("raw(b'{\"id\":\"1\",\"acc')\ntime.sleep(3600)")
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 3_000
    let (report, _) = try Minted.run(program, tests: 1)
    #expect(report.findings[0].decision == .failed(.timedOut(milliseconds: 3_000, afterPart: true)))
  }

  @Test func `a line in pieces is an answer`() throws {
    let body = """
      text = (json.dumps({"id": message["id"], "accepted": False, "extra": [1, {"a": None}]}) + "\\r\\n").encode()
      for start in range(0, len(text), 7): raw(text[start:start + 7]); time.sleep(0.001)
      """
    let score = try Minted.run(try Script(body), tests: 4).score
    #expect(score.tally.kinds == [.refusedSound: 2] && score.tally.passed == 2)
  }

  @Test func `a program that closes its output and runs on is killed`() throws {
    let script = try Script("os.close(1)\ntime.sleep(3600)")
    let (report, _) = try Minted.run(script, tests: 1)
    #expect(report.findings[0].decision == .failed(.ended(.closedOutput, afterPart: false)))
  }

  @Test func `a program that does not read its input times out`() throws {
    let script = try Script(
      "pass", hello: #"say({"hello":1,"name":"deaf","version":"","supports":[]}); time.sleep(3600)"#)
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 3_000
    let large = TestCase(
      id: "1", source: "made",
      input: TestInput([UInt8](repeating: 0x20, count: 1 << 20), TestContext(now: try Minted.minter.get().time)),
      expected: .reject(TokenFault(.malformedJSON)))
    let report = TestRun(engines: [], externals: [ExternalContender(program)], strictness: .accept)
      .run([TestGroup(setting: try Minted.setting(), cases: [large])])
    #expect(report.findings[0].decision == .failed(.timedOut(milliseconds: 3_000, afterPart: false)))
  }

  @Test func `megabytes on standard error neither block it nor fill the report`() throws {
    let script = try Script("for n in range(400): sys.stderr.write('e' * 10000 + '\\n')\n" + Self.reject)
    let score = try Minted.run(script, tests: 4).score
    #expect(score.tally.passed == 2 && score.tally.kinds == [.refusedSound: 2])
    let crashing = try Script("for n in range(400): sys.stderr.write('line %d\\n' % n)\nsys.stderr.flush()\nos.abort()")
    let (report, _) = try Minted.run(crashing, tests: 1)
    #expect(
      report.findings[0].standardErrorTail == ["line 0", "line 1", "…"] + (394..<400).map { "line \($0)" })
  }

  @Test func `an error is reported as such`() throws {
    let script = try Script(#"say({"id": message["id"], "error": "no idea"})"#)
    let (report, score) = try Minted.run(script, tests: 2)
    #expect(score.tally.kinds == [.error: 2] && report.findings[0].decision == .error("no idea"))
  }

  @Test func `a program that refuses the keys is reported once per setting`() throws {
    let script = try Script(Self.reject, hello: #"say({"hello":1,"error":"RSA, no thanks"})"#)
    let (report, score) = try Minted.run(script)
    #expect(score.tally.kinds == [.error: 1] && score.tally.notAsked == 9 && score.restarts == 0)
    #expect(report.findings[0].decision == .error("hello: RSA, no thanks"))
  }

  @Test func `a program that does not exist could not be run`() throws {
    let score = try Minted.run(ExternalProgram(command: "assay-no-such-program")).score
    #expect(score.couldNotRun && score.isGivenUp && score.tally.kinds == [.crashed: 2])
  }
}

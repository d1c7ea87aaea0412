import Corpus
import Differential
import Foundation
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// An external in Python that a test writes: it answers hello, and then runs the test's code for each token.
final class Script {
  /// Whether there is a Python to run them.
  static let canRun: Bool = {
    // A program may end while the test writes to it.
    signal(SIGPIPE, SIG_IGN)
    return InstalledProgram.find("python3") != nil
  }()

  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - body: Python that runs for each token, with its `message`, its `number` (from 1) and `say(object)`.
  ///   - atEnd: Python that runs when the input is closed.
  ///   - supports: the features that it lists in its answer to hello.
  init(
    _ body: String, atEnd: String = "pass", hello: String? = nil,
    supports: String = "[\"EC_v1\",\"RSA_v1\",\"envelopes\",\"expect\",\"payload\",\"replay\",\"revoked\","
      + "\"roots\",\"signature\",\"unsigned\"]"
  ) throws {
    folder = try TemporaryFolder()
    func indented(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n")
    }
    let text = """
      if True: import json, os, subprocess, sys, time
      def say(answer):
          sys.stdout.write(json.dumps(answer) + "\\n")
          sys.stdout.flush()
      def raw(bytes):
          sys.stdout.flush()
          os.write(1, bytes)
      sys.stdin.readline()
      \(hello ?? #"say({"hello":1,"name":"script","version":"1.0","supports":\#(supports)})"#)
      number = 0
      for line in iter(sys.stdin.readline, ""):
          number += 1
          message = json.loads(line)
      \(indented(body))
      \(atEnd)

      """
    try folder.write(text, to: "external.py")
  }

  /// The command line. With `exec`, Python replaces the shell.
  var command: String { "exec python3 -S \(path("external.py"))" }

  func path(_ name: String) -> String { folder.path(name) }

  var program: ExternalProgram { .patient(command) }
}

extension ExternalProgram {
  /// A program with 30 seconds to answer and to end, which is enough to start Python on a busy machine.
  static func patient(_ command: String) -> ExternalProgram {
    var program = ExternalProgram(command: command)
    program.timeoutMilliseconds = 30_000
    program.endMilliseconds = 30_000
    return program
  }
}

/// A few minted tests: valid tokens, and named cases that must be refused.
enum Minted {
  static let minter = Result { try Minter(seed: 7, at: UnixTime(secondsSinceEpoch: 1_795_000_000)) }

  static func setting() throws -> TestSetting {
    TestSetting(of: try minter.get())
  }

  /// A dozen bare tokens that must be refused.
  private static let rejected = Result {
    let minter = try Self.minter.get()
    return try CaseRecipe.all.lazy.filter { if case .reject = $0.expected { true } else { false } }
      .filter { ["2", "3", "8"].contains($0.clause.prefix { $0 != "." }) }.prefix(40)
      .map { try minter.make($0) }.filter(\.isSingleToken).prefix(12)
  }

  /// Accepted and rejected tests in alternation.
  static func tests(_ count: Int) throws -> [TestCase] {
    let minter = try Self.minter.get()
    let rejected = Array(try Self.rejected.get())
    return try (0..<count).map { index in
      guard index.isMultiple(of: 2) else {
        let made = rejected[index % rejected.count]
        guard case .reject = made.test.expected else { throw MintingError.recipe("must be rejected") }
        var test = made.test
        test.id = String(index)
        return test
      }
      let token = try minter.mint(TokenRecipe(index: UInt64(index)))
      return minter.soundCase(token, id: String(index))
    }
  }

  /// The report of a run of one program without engines.
  static func run(
    _ program: ExternalProgram, tests count: Int = 10, strictness: Strictness = .plaintext
  ) throws -> (report: RunReport, score: Score) {
    let report = TestRun(engines: [], externals: [ExternalContender(program)], strictness: strictness)
      .run([TestGroup(setting: try setting(), cases: try tests(count))])
    return (report, report.scores[0])
  }

  /// The report of a run of a script, which is kept alive until the run ends.
  static func run(
    _ script: Script, tests count: Int = 10, strictness: Strictness = .plaintext
  ) throws -> (report: RunReport, score: Score) {
    defer { withExtendedLifetime(script) {} }
    return try run(script.program, tests: count, strictness: strictness)
  }
}

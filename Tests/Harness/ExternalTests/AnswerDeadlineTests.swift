import Differential
import Foundation
import TestCases
import TestSupport
import Testing

/// The time limits of answers, which count a program's processor time.
@Suite(.blocking, .timeLimit(.minutes(15)))
struct AnswerDeadlineTests {
  /// The milliseconds after which a limit of one second is found to be over, by a check every 100 ms. The program uses
  /// `share` of a processor until the millisecond `last`.
  private static func end(share: Double, until last: Int = .max) -> Int? {
    var deadline = AnswerDeadline(milliseconds: 1_000)
    return stride(from: 0, through: 20_000, by: 100).first { elapsed in
      deadline.isOver(after: elapsed) { 5_000 + Int(Double(min(elapsed, last)) * share) }
    }
  }

  @Test(arguments: [(0, 1_100), (0.005, 1_100), (1, 1_100), (8, 1_100), (0.5, 2_100), (0.2, 5_100), (0.05, 10_100)])
  func `a limit is over for one that waits, or that has used it, or after ten times on the clock`(
    share: Double, end: Int
  ) {
    #expect(Self.end(share: share) == end)
  }

  @Test func `one that stops in the middle of its work has waited from then on`() {
    #expect(Self.end(share: 0.1, until: 3_000) == 4_100)
  }

  @Test func `one whose process has just ended, with the time that it used, has worked`() {
    var deadline = AnswerDeadline(milliseconds: 1_000)
    let used = [0: 100, 1_000: 600, 2_000: 150, 3_000: 650, 4_000: 655]
    let end = used.keys.sorted().first { elapsed in deadline.isOver(after: elapsed + 100) { used[elapsed] } }
    #expect(end == 4_000)
  }

  @Test func `where the system does not tell, the clock counts`() {
    var deadline = AnswerDeadline(milliseconds: 1_000)
    let ends = stride(from: 0, through: 2_000, by: 100).filter { deadline.isOver(after: $0) { nil } }
    #expect(ends.first == 1_100)
  }

  private static let refuse = #"say({"id": message["id"], "accepted": False})"#

  @Test(.enabled(if: Script.canRun)) func `a time-out that does not repeat is a remark and no finding`() throws {
    // The program's first process hangs at the third test.
    let script = try Script(
      """
      if number == 3 and not os.path.exists(sys.argv[0] + ".ran"):
          open(sys.argv[0] + ".ran", "w")
          time.sleep(3600)
      """ + "\n" + Self.refuse)
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 3_000
    let (report, score) = try Minted.run(program, tests: 6, strictness: .accept)
    #expect(score.tally.unanswered == 0 && score.tally.assessed == 6 && score.restarts == 0)
    #expect(score.lateAnswers == [try Minted.tests(6)[2].title])
    #expect(DiffReport(report, notes: [:], origins: []).text.contains("in time only when asked again"))
  }

  @Test(.enabled(if: Script.canRun && FileManager.default.fileExists(atPath: "/proc/self/stat")))
  func `a program is late by the processor time of all its processes, and not by the clock`() throws {
    func run(_ body: String, milliseconds: Int) throws -> Score {
      let script = try Script(body + "\n" + Self.refuse)
      defer { withExtendedLifetime(script) {} }
      var program = script.program
      program.timeoutMilliseconds = milliseconds
      return try Minted.run(program, tests: 1, strictness: .accept).score
    }
    // A child uses a third of a second of processor time, in more than a second and a half of wall-clock time.
    let busy = try run(
      #"subprocess.call([sys.executable, "-S", "-c", "import time\nfor _ in range(16):\n  end = time.process_time() + 0.02"#
        + #" \n  while time.process_time() < end: pass\n  time.sleep(0.08)"])"#, milliseconds: 1_000)
    #expect(busy.tally.unanswered == 0 && busy.lateAnswers.isEmpty)
    #expect(try run("while True: pass", milliseconds: 300).tally.kinds == [.timedOut: 1])
  }
}

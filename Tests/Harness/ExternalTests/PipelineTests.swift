import Differential
import Foundation
import TestSupport
import Testing

/// Several requests in flight.
@Suite(.blocking, .enabled(if: Script.canRun), .timeLimit(.minutes(15)))
struct PipelineTests {
  private static let echo = #"say({"id": message["id"], "size": len(line)})"#

  private func lines(_ count: Int, size: Int = 0) -> [[UInt8]] {
    (0..<count).map { Array(#"{"id":"\#($0)","token":"\#(String(repeating: "A", count: size))"}"#.utf8) + [10] }
  }

  /// Sends all lines at once after hello, and reads answers until all have arrived or the program fails.
  private func answers(of script: Script, to lines: [[UInt8]]) throws -> (lines: [String], failure: ExternalFailure?) {
    defer { withExtendedLifetime(script) {} }
    let process = try ExternalProcess(script.program)
    defer { process.kill() }
    _ = try process.exchange(Array("{}\n".utf8), milliseconds: 30_000)
    for line in lines { process.send(line) }
    #expect(process.unsentBytes == lines.reduce(0) { $0 + $1.count })
    var answers: [String] = []
    let end = Date(timeIntervalSinceNow: 120)
    do throws(ExternalFailure) {
      while answers.count < lines.count, Date() < end {
        while let line = try process.nextLine() { answers.append(String(decoding: line, as: UTF8.self)) }
        if answers.count < lines.count { try process.poll(milliseconds: 50) }
      }
    } catch {
      return (answers, error)
    }
    #expect(process.unsentBytes == 0)
    return (answers, nil)
  }

  @Test func `answers to requests in flight come in order`() throws {
    let lines = lines(100)
    let (answers, failure) = try answers(of: Script(Self.echo), to: lines)
    #expect(failure == nil)
    #expect(answers == lines.enumerated().map { #"{"id": "\#($0.offset)", "size": \#($0.element.count)}"# })
  }

  /// A pipe holds 64 KiB.
  @Test func `requests larger than a pipe are written as the program reads`() throws {
    let lines = lines(20, size: 100_000)
    let (answers, failure) = try answers(of: Script(Self.echo), to: lines)
    #expect(failure == nil && answers.count == 20)
    #expect(answers.last == #"{"id": "19", "size": \#(lines[19].count)}"#)
  }

  @Test func `the answers before a crash are taken before it is thrown`() throws {
    let (answers, failure) = try answers(of: Script(Self.echo + "\nif number == 5: os._exit(4)"), to: lines(8))
    #expect(answers.count == 5)
    #expect(failure == .ended(.exited(code: 4), afterPart: false))
  }

  @Test func `a crash is noticed although a child keeps the output open`() throws {
    let body = Self.echo + "\nif number == 2: subprocess.Popen([\"sleep\", \"3600\"]); os._exit(4)"
    let (answers, failure) = try answers(of: Script(body), to: lines(8))
    #expect(answers.count == 2)
    #expect(failure == .ended(.exited(code: 4), afterPart: false))
  }

  @Test func `its output can be waited for beside that of others`() throws {
    let script = try Script(Self.echo)
    defer { withExtendedLifetime(script) {} }
    let process = try ExternalProcess(script.program)
    defer { process.kill() }
    #expect(process.pollDescriptors[0].fd == -1 && process.pollDescriptors[1].fd >= 0)
    process.send(Array("{}\n".utf8))
    #expect(process.pollDescriptors[0].fd >= 0)
    while try process.nextLine() == nil { try process.poll(milliseconds: 50) }
    #expect(process.pollDescriptors[0].fd == -1)
  }

  // MARK: Prepared tests

  private func prepared(_ count: Int) throws -> [PreparedTest] {
    try Minted.tests(count).enumerated().map { PreparedTest($0.element, id: "test \($0.offset)") }
  }

  private func contender(_ script: Script) throws -> ExternalContender {
    let contender = ExternalContender(script.program)
    contender.begin(try Minted.setting(), windowSeconds: 300)
    return contender
  }

  @Test(arguments: [1, 8, 1_000]) func `prepared tests are decided in order, and often`(_ inFlight: Int) throws {
    let script = try Script(#"say({"id": message["id"], "accepted": False, "code": str(number)})"#)
    defer { withExtendedLifetime(script) {} }
    let contender = try contender(script)
    let tests = try prepared(20)
    for pass in 0..<2 {
      let decisions = contender.decide(tests, inFlight: inFlight)
      #expect(
        decisions == (0..<20).map { .rejected(code: String(20 * pass + $0 + 1), stage: nil, member: nil) })
    }
    #expect(contender.end().isEmpty)
  }

  @Test func `no more requests are in flight than allowed`() throws {
    // The program answers only when it has three lines, so with two requests in flight it never does.
    let script = try Script(
      """
      if number == 1: lines = []
      lines.append(message["id"])
      if len(lines) == 3:
          for id in lines: say({"id": id, "accepted": False})
          lines = []
      """)
    defer { withExtendedLifetime(script) {} }
    for (inFlight, isAnswered) in [(3, true), (2, false)] {
      var program = script.program
      program.timeoutMilliseconds = isAnswered ? 30_000 : 3_000
      let contender = ExternalContender(program)
      contender.begin(try Minted.setting(), windowSeconds: 300)
      let decisions = contender.decide(try prepared(6), inFlight: inFlight)
      #expect(decisions.allSatisfy(\.isRejected) == isAnswered, "\(inFlight)")
    }
  }

  @Test func `after a failure the rest is not asked, and the program is started again`() throws {
    let script = try Script(
      #"if number == 4: os._exit(6)"# + "\n" + #"say({"id": message["id"], "accepted": False})"#)
    defer { withExtendedLifetime(script) {} }
    let contender = try contender(script)
    let rejected = Decision.rejected(code: nil, stage: nil, member: nil)
    let failed = Decision.failed(.ended(.exited(code: 6), afterPart: false))
    for _ in 0..<2 {
      #expect(
        contender.decide(try prepared(6), inFlight: 3)
          == [rejected, rejected, rejected, failed, .notAsked, .notAsked])
    }
    #expect(contender.restarts == 2)
  }

  @Test func `a program that hangs with requests in flight times out`() throws {
    let script = try Script(
      "if number == 3: time.sleep(3600)\n" + #"say({"id": message["id"], "accepted": False})"#)
    defer { withExtendedLifetime(script) {} }
    var program = script.program
    program.timeoutMilliseconds = 3_000
    let contender = ExternalContender(program)
    contender.begin(try Minted.setting(), windowSeconds: 300)
    let decisions = contender.decide(try prepared(5), inFlight: 4)
    #expect(decisions[2] == .failed(.timedOut(milliseconds: 3_000, afterPart: false)))
    #expect(decisions[3...].allSatisfy { $0 == .notAsked })
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
  func `the resident memory is that of all its processes`() throws {
    let script = try Script(
      "if number == 1: held = bytearray(50_000_000); held[::4096] = b'x' * len(held[::4096])\n"
        + #"say({"id": message["id"], "accepted": False})"#)
    defer { withExtendedLifetime(script) {} }
    let contender = try contender(script)
    #expect(contender.residentBytes == nil && contender.start() == nil)
    let before = try #require(contender.residentBytes)
    _ = contender.decide(try prepared(1), inFlight: 1)
    #expect(try #require(contender.residentBytes) > before + 40_000_000)
  }
}

extension Decision {
  fileprivate var isRejected: Bool { if case .rejected = self { true } else { false } }
}

import Differential
import Foundation
import TestSupport
import Testing

/// Several requests in flight.
@Suite(.blocking, .enabled(if: Script.canRun), .timeLimit(.minutes(3)))
struct PipelineTests {
  private static let echo = #"say({"id": message["id"], "size": len(line)})"#

  private func lines(_ count: Int, size: Int = 0) -> [[UInt8]] {
    (0..<count).map { Array(#"{"id":"\#($0)","token":"\#(String(repeating: "A", count: size))"}"#.utf8) + [10] }
  }

  /// Sends all lines at once, after hello, and takes the answers until all are there or it fails.
  private func answers(of script: Script, to lines: [[UInt8]]) throws -> (lines: [String], failure: ExternalFailure?) {
    defer { withExtendedLifetime(script) {} }
    let process = try ExternalProcess(script.program)
    defer { process.kill() }
    _ = try process.exchange(Array("{}\n".utf8), milliseconds: 5_000)
    for line in lines { process.send(line) }
    #expect(process.unsentBytes == lines.reduce(0) { $0 + $1.count })
    var answers: [String] = []
    let end = Date(timeIntervalSinceNow: 10)
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
    for _ in 0..<200 where try process.nextLine() == nil { try process.poll(milliseconds: 50) }
    #expect(process.pollDescriptors[0].fd == -1)
  }
}

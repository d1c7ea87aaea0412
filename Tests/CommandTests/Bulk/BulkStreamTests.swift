import Foundation
import HostIO
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// `assay decrypt --lines` between pipes: input that pauses, readers that go away, interrupts; and its threads.
@Suite(.blocking, .timeLimit(.minutes(2))) struct BulkStreamTests {
  /// A running `assay decrypt --lines` with pipes.
  private final class Running {
    let process: Process
    let (input, output, error) = (Pipe(), Pipe(), Pipe())

    init(_ bulk: BulkFolder, _ more: [String] = []) throws {
      process = try Program.start(
        ["decrypt", "--lines"] + bulk.minted.options + more, input: input, output: output, error: error)
      try output.fileHandleForWriting.close()
    }

    func write(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Reads this many lines.
    func lines(_ count: Int) throws -> [String] {
      var data = Data()
      while data.count(where: { $0 == 0x0A }) < count {
        guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { break }
        data += more
      }
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  @Test func `results are written when the input pauses, and an interrupt ends the run after whole lines`() throws {
    let bulk = try BulkFolder()
    let running = try Running(bulk, ["--jobs", "3"])
    try running.write(bulk.tokens[0] + "\n" + bulk.tokens[1] + "\n" + bulk.tokens[2].prefix(100))
    let first = try running.lines(2)
    #expect(first.count == 2 && first.allSatisfy { $0.hasSuffix("}") })
    // The rest of a line, and another pause.
    try running.write(bulk.tokens[2].dropFirst(100) + "\n{\"half")
    #expect(try running.lines(1).count == 1)
    running.process.interrupt()
    running.process.blockUntilExit()
    #expect(running.process.terminationReason == .exit && running.process.terminationStatus == 130)
    // Nothing of the line that had not ended.
    #expect(try running.output.fileHandleForReading.readToEnd() ?? Data() == Data())
  }

  @Test func `results do not wait for the end of a line that is too long`() throws {
    let bulk = try BulkFolder(1)
    let running = try Running(bulk, ["--jobs", "2", "--quiet"])
    try running.write(bulk.tokens[0] + "\n" + String(repeating: "x", count: 70_000))
    #expect(try running.lines(1).count == 1)
    try running.write("\n")
    #expect(try running.lines(1).first?.contains("tokenTooLarge") == true)
    try running.input.fileHandleForWriting.close()
    running.process.blockUntilExit()
    #expect(running.process.terminationStatus == 1)
  }

  @Test func `a reader that goes away ends the run without a message`() throws {
    let bulk = try BulkFolder(1)
    let running = try Running(bulk, ["--jobs", "3", "--quiet"])
    try running.write(bulk.tokens[0] + "\n")
    #expect(try running.lines(1).count == 1)
    try running.output.fileHandleForReading.close()
    // The input stays open: the threads that wait for it are woken.
    try running.write(bulk.tokens[0] + "\n")
    running.process.blockUntilExit()
    #expect(running.process.terminationReason == .exit && running.process.terminationStatus == 2)
    try running.error.fileHandleForWriting.close()
    #expect(try running.error.fileHandleForReading.readToEnd() ?? Data() == Data())
  }

  @Test func `results that cannot be written end the run with 2`() throws {
    let bulk = try BulkFolder(1)
    let file = try bulk.write(Array(repeating: bulk.tokens[0], count: 300))
    let full = try Program.shell(
      "assay decrypt \"$@\" --lines --jobs 3 >/dev/full", [file] + bulk.minted.options)
    #expect(full.status == 2 && full.error.contains("standard output"))
  }

  // Sanitizers need more address space.
  @Test(.disabled(if: Sanitizer.isPresent))
  func `with little address space there are fewer threads, and every result`() throws {
    let bulk = try BulkFolder(1)
    let file = try bulk.write(Array(repeating: bulk.tokens[0], count: 300))
    for kilobytes in [140_000, 200_000, 400_000] {
      let run = try Program.shell(
        "ulimit -v \(kilobytes); assay decrypt \"$@\" --lines --jobs 64 --quiet", [file] + bulk.minted.options)
      #expect(run.status == 0 && run.output.count(where: { $0 == 0x0A }) == 300, "\(kilobytes)")
    }
  }

  // MARK: Threads

  /// Adds one to each number below `end`, and fails to deliver the number `last`.
  private final class Adder: OrderedWorker {
    final class Shared: Sendable {
      struct State {
        var next = 0
        var delivered: [Int] = []
        /// The most units that were taken and not yet delivered.
        var most = 0
      }

      let state = Mutex(State())
      let end: Int
      let last: Int

      init(end: Int, last: Int = .max) {
        self.end = end
        self.last = last
      }
    }

    private let shared: Shared
    private var number = 0

    init(_ shared: Shared) { self.shared = shared }

    func take() -> Bool {
      number = shared.state.withLock { state in
        defer { state.next += 1 }
        state.most = max(state.most, state.next - state.delivered.count + 1)
        return state.next
      }
      return number < shared.end
    }

    func work() {
      // Some take longer than others.
      if number % 7 == 0 { for _ in 0..<20 { sched_yield() } }
      number += 1
    }

    func deliver() -> Bool {
      guard number != shared.last else { return false }
      shared.state.withLock { $0.delivered.append(number) }
      return true
    }
  }

  @Test func `threads deliver in the order of taking, and a failure ends them`() throws {
    let stop = try #require(StopSignal())
    let whole = Adder.Shared(end: 500)
    #expect(OrderedThreads.run(5, stop: stop) { Adder(whole) })
    #expect(whole.state.withLock { $0.delivered } == Array(1...500))
    #expect(whole.state.withLock { $0.most } <= 5 && !stop.isRaised)
    let failing = Adder.Shared(end: 500, last: 100)
    #expect(OrderedThreads.run(5, stop: stop) { Adder(failing) })
    #expect(failing.state.withLock { $0.delivered } == Array(1...99))
    #expect(failing.state.withLock { $0.next } < 110 && stop.isRaised)
    #expect(!OrderedThreads.run(5, stop: stop) { nil })
  }
}

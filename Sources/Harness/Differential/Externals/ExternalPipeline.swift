import HostIO
import TestCases

/// A program with several tests in flight, so that it never waits for the next one.
///
/// It answers in the order of the tests. When it fails, all tests in flight are without an answer, and each may be the
/// cause: an asynchronous program reads ahead.
package final class ExternalPipeline {
  package enum Event {
    case answered(TestCase, Decision)
    /// It failed with these tests in flight, and was killed.
    case failed(ExternalFailure, inFlight: [TestCase])
  }

  /// How it answered `hello`.
  package let identity: ExternalIdentity
  /// How many answers it has given.
  package private(set) var answerCount = 0
  private let process: ExternalProcess
  private let setting: TestSetting
  private let depth: Int
  private let timeoutMilliseconds: Int
  private var inFlight: [(id: String, test: TestCase)] = []
  /// The number of the last test, which is its id.
  private var sent = 0
  /// The time limit of the oldest test in flight.
  private var deadline: AnswerDeadline

  /// Starts the program and sends `hello`.
  ///
  /// - Parameter depth: how many tests may be in flight; 1 for one at a time.
  package init(
    _ program: ExternalProgram, _ setting: TestSetting, windowSeconds: UInt32?, depth: Int
  ) throws(ExternalFailure) {
    process = try ExternalProcess(program)
    let hello = ProtocolLines.hello(setting, windowSeconds: windowSeconds)
    let answer = try HelloAnswer(process.exchange(hello, milliseconds: program.startMilliseconds))
    guard case .ready(let identity) = answer else {
      guard case .error(let reason) = answer else { throw .unasked }
      throw .unreadable(reason: "it cannot use the keys and roots of hello: \(reason)", line: nil)
    }
    self.identity = identity
    self.setting = setting
    self.depth = depth
    timeoutMilliseconds = program.timeoutMilliseconds
    deadline = AnswerDeadline(milliseconds: timeoutMilliseconds)
  }

  /// Whether another test may be sent.
  package var hasRoom: Bool { inFlight.count < depth }

  /// The resident memory of its processes, in bytes; nil where the system does not tell.
  package var residentBytes: Int? { process.residentBytes }

  /// Its streams, to wait for several programs at once.
  package var pollDescriptors: [pollfd] { process.pollDescriptors }

  /// Whether it claims to support what a test needs.
  package func supports(_ test: TestCase) -> Bool { identity.supports(test, setting: setting) }

  /// Queues a test; `events` sends it and returns its answer.
  package func send(_ test: TestCase) {
    sent += 1
    let id = String(sent)
    if inFlight.isEmpty { deadline = AnswerDeadline(milliseconds: timeoutMilliseconds) }
    inFlight.append((id, test))
    process.send(ProtocolLines.test(test, id: id))
  }

  /// Reads and writes what is possible, waiting for at most `milliseconds`. A failure is the last event.
  package func events(milliseconds: Int) -> [Event] {
    var events: [Event] = []
    do throws(ExternalFailure) {
      try process.poll(milliseconds: milliseconds)
      while let line = try process.nextLine() {
        guard let next = inFlight.first else { throw .unasked }
        let answer = try TokenAnswer.read(line, id: next.id)
        inFlight.removeFirst()
        answerCount += 1
        deadline = AnswerDeadline(milliseconds: timeoutMilliseconds)
        events.append(.answered(next.test, answer.decision == .unsupported ? .declined : answer.decision))
      }
      if !inFlight.isEmpty, deadline.isOver({ process.processorMilliseconds }) {
        throw .timedOut(milliseconds: timeoutMilliseconds, afterPart: process.hasPartOfLine)
      }
    } catch {
      process.kill()
      events.append(.failed(error, inFlight: inFlight.map(\.test)))
    }
    return events
  }

  /// Kills it.
  package func kill() { process.kill() }
}

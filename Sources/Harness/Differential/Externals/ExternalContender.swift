import CExternals
public import TestCases

/// A contender that is an external program. It is started for each setting and restarted after each failure.
public final class ExternalContender: Contender {
  public var name: String { identity?.name ?? program.command }
  /// The program and its limits.
  public let program: ExternalProgram
  /// How it last identified itself in answer to `hello`; nil if it never did.
  public private(set) var identity: ExternalIdentity?
  /// The last lines it wrote to its standard error, after a failure.
  public private(set) var standardErrorTail: [String] = []
  /// The reason that it gave for its last answer, quoted; nil if it gave none.
  public private(set) var lastReason: String?
  /// Whether another line followed the answer before, as the last `decide` or `end` has shown.
  public private(set) var hasAnsweredTwice = false
  /// How often it was ended after a failure; the next test starts it again.
  public private(set) var restarts = 0
  /// How many tests were skipped after too many failures in a row.
  public private(set) var skipped = 0
  /// The tests that it answered in time only when it was asked again, in a fresh process.
  public private(set) var lateAnswers: [String] = []
  /// Whether the running process has answered a test.
  private var hasAnswered = false
  private var setting: TestSetting?
  private var windowSeconds: UInt32?
  private(set) var process: ExternalProcess?
  /// The error with which it answered `hello`. It applies to all tests of the setting.
  private(set) var refusal: String?
  /// Whether the refusal was reported.
  private var toldRefusal = false
  private var failuresInARow = 0
  /// Their number before the last answer, which another line may follow.
  private var failuresBefore = 0
  /// The file whose remaining tests are skipped in this setting.
  private var skippedSource: String?
  private var skippedInARow = 0
  private var lastFailure: ExternalFailure?
  private var asked = 0
  private let failureLimit: Int

  /// - Parameter failureLimit: after this many consecutive failures, the remaining tests of the file are skipped.
  public init(_ program: ExternalProgram, failureLimit: Int = 10) {
    self.program = program
    self.failureLimit = failureLimit
  }

  /// Whether it has failed too often, so that the remaining tests are skipped.
  public var isGivenUp: Bool {
    identity == nil
      ? failuresInARow >= min(failureLimit, Self.greetingLimit) : skippedInARow >= Self.skippedLimit
  }

  /// Whether the program does not exist or cannot be executed: exit codes 127 and 126 of /bin/sh.
  public var couldNotRun: Bool {
    guard identity == nil, case .ended(.exited(let code), _) = lastFailure else { return false }
    return code == 127 || code == 126
  }

  /// The failure limit of a program that never answered `hello`.
  private static let greetingLimit = 2
  /// After this many skipped files in a row, it is given up.
  private static let skippedLimit = 5

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    self.setting = setting
    self.windowSeconds = windowSeconds
    refusal = nil
    toldRefusal = false
    skippedSource = nil
  }

  public func decide(_ test: TestCase) -> Decision {
    lastReason = nil
    hasAnsweredTwice = false
    if toldRefusal { return .notAsked }
    if isGivenUp || skippedSource == test.source {
      skipped += 1
      return .notAsked
    }
    do throws(ExternalFailure) {
      return try answer(test)
    } catch {
      if hasAnswered, error == .unasked || error == .outOfOrder(answered: String(asked - 1)) {
        // The line belongs to the test before. This one is asked of a fresh process.
        failuresInARow = failuresBefore
        _ = decision(after: error, on: test)
        let decision = decide(test)
        hasAnsweredTwice = true
        return decision
      }
      guard case .timedOut = error, assay_external_was_interrupted() == 0 else {
        return decision(after: error, on: test)
      }
    }
    // Repeat the test in a fresh process. Only the result of this second try counts.
    process?.kill()
    process = nil
    do throws(ExternalFailure) {
      let decision = try answer(test)
      if refusal == nil { lateAnswers.append(test.title) }
      return decision
    } catch {
      return decision(after: error, on: test)
    }
  }

  private func answer(_ test: TestCase) throws(ExternalFailure) -> Decision {
    let process = try running()
    if let refusal {
      toldRefusal = true
      return .error(refusal)
    }
    guard identity?.supports(test, setting: setting) != false else { return .unsupported }
    asked += 1
    // Sequence numbers, because two tests may have the same id.
    let id = String(asked)
    let answer = try process.exchange(
      ProtocolLines.test(test, id: id), milliseconds: program.timeoutMilliseconds)
    return decision(of: try TokenAnswer.read(answer, id: id))
  }

  /// The decision of a valid answer.
  func decision(of said: TokenAnswer) -> Decision {
    if mayBeQuoted { lastReason = said.reason }
    (failuresBefore, failuresInARow, skippedInARow) = (failuresInARow, 0, 0)
    hasAnswered = true
    if said.decision == .unsupported { return .declined }
    return mayBeQuoted ? said.decision : said.decision.withoutQuotation
  }

  /// Kills the program after a failure, and returns the decision. The next test restarts it.
  func decision(after failure: ExternalFailure, on test: TestCase? = nil) -> Decision {
    if assay_external_was_interrupted() != 0 {
      process?.kill()
      process = nil
      return .notAsked
    }
    lastFailure = failure
    noteFailure(of: test)
    abandon()
    return .failed(mayBeQuoted ? failure : failure.withoutQuotation)
  }

  public func end() -> [String] {
    defer { process = nil }
    hasAnsweredTwice = false
    guard let process else { return [] }
    do throws(ExternalFailure) {
      guard let remark = try process.finish() else { return [] }
      standardErrorTail = process.standardErrorTail
      return [remark]
    } catch {
      hasAnsweredTwice = hasAnswered
      return hasAnswered ? [] : ["\(error)"]
    }
  }

  /// Whether its output may be quoted: with test keys, it cannot contain a real key or payment.
  private var mayBeQuoted: Bool { setting?.hasTestKeys == true }

  /// Skips the rest of the file after too many failures. Other files may still work.
  private func noteFailure(of test: TestCase?) {
    failuresInARow += 1
    guard let test, identity != nil, failuresInARow >= failureLimit else { return }
    failuresInARow = 0
    skippedInARow += 1
    skippedSource = test.source
  }

  private func abandon() {
    process?.kill()
    standardErrorTail = process?.standardErrorTail ?? standardErrorTail
    process = nil
    restarts += 1
  }

  /// The running process. Starts one and sends `hello` if there is none.
  func running() throws(ExternalFailure) -> ExternalProcess {
    if let process { return process }
    guard let setting else { throw .unreadable(reason: "no setting is loaded", line: nil) }
    let started = try ExternalProcess(program)
    process = started
    hasAnswered = false
    let answer = try started.exchange(
      ProtocolLines.hello(setting, windowSeconds: windowSeconds), milliseconds: program.startMilliseconds)
    switch try HelloAnswer(answer) {
    case .ready(let identity):
      self.identity =
        mayBeQuoted
        ? identity : ExternalIdentity(name: program.command, version: "", supports: identity.supports)
    case .error(let reason): refusal = mayBeQuoted ? "hello: \(reason)" : "hello: an error that is not shown"
    }
    return started
  }
}

/// How an external program is run: by /bin/sh, in its own process group, with limits.
public struct ExternalProgram: Hashable, Sendable {
  /// The command line, as a shell reads it.
  public let command: String
  /// The time limit of an answer, in milliseconds: see `AnswerDeadline`.
  public var timeoutMilliseconds: Int = 5_000
  /// The time limit of the answer to `hello`: three times as long, because starting loads libraries.
  public var startMilliseconds: Int { 3 * timeoutMilliseconds }
  /// How long it may run after its input is closed, in milliseconds.
  public var endMilliseconds: Int = 2_000
  /// The maximum size of an answer, in bytes.
  public var answerLimit: Int = 1 << 20
  /// The limit of address space of each process, in bytes; nil for none. It is high because language runtimes reserve
  /// much.
  public var addressSpaceLimit: UInt64? = 16 << 30
  /// The limit of processor time of each process, in seconds.
  public var processorLimit: UInt64 = 14_400

  public init(command: String) {
    self.command = command
  }
}

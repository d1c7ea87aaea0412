import CExternals
import Corpus
import Gateways
import PaymentToken
public import TestCases

/// An external among the contenders: started for each setting, and anew after each failure.
public final class ExternalContender: Contender {
  public var name: String { identity?.name ?? program.command }
  /// How it is run.
  public let program: ExternalProgram
  /// What it said it is; nil as long as it never said hello.
  public private(set) var identity: ExternalIdentity?
  public private(set) var lastWords: [String] = []
  /// How often it was started after a failure.
  public private(set) var restarts = 0
  private var setting: TestSetting?
  private var windowSeconds: UInt32?
  private var process: ExternalProcess?
  /// What it said in place of hello: the same for all tests of the setting.
  private var refusal: String?
  /// Whether its refusal was told.
  private var toldRefusal = false
  private var failuresInARow = 0
  private var lastFailure: ExternalFailure?
  private var asked = 0
  private let failureLimit: Int

  /// - Parameter failureLimit: after so many failures in a row it is not asked any more.
  public init(_ program: ExternalProgram, failureLimit: Int = 10) {
    self.program = program
    self.failureLimit = failureLimit
  }

  /// Whether it has failed too often to be asked again.
  public var isGivenUp: Bool {
    failuresInARow >= (identity == nil ? min(failureLimit, Self.greetingLimit) : failureLimit)
  }

  /// Whether there is no such program, or none that can be run: what /bin/sh says by 127 and 126.
  public var couldNotRun: Bool {
    guard identity == nil, case .ended(.exited(let code), _) = lastFailure else { return false }
    return code == 127 || code == 126
  }

  /// How often a program may fail that never said hello.
  private static let greetingLimit = 2

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    self.setting = setting
    self.windowSeconds = windowSeconds
    refusal = nil
    toldRefusal = false
  }

  public func decide(_ test: TestCase) -> Decision {
    if isGivenUp || toldRefusal { return .notAsked }
    do throws(ExternalFailure) {
      let process = try running()
      if let refusal {
        toldRefusal = true
        return .error(refusal)
      }
      guard supports(test) else { return .unsupported }
      asked += 1
      // Numbers of our own: two tests may have the same id.
      let id = String(asked)
      let answer = try process.exchange(
        ProtocolLines.test(test, id: id), milliseconds: program.timeoutMilliseconds)
      let decision = try TokenAnswer.read(answer, id: id)
      failuresInARow = 0
      if decision == .unsupported { return .declined }
      return mayBeQuoted ? decision : decision.withoutQuotation
    } catch {
      if assay_external_was_interrupted() != 0 {
        process?.kill()
        process = nil
        return .notAsked
      }
      failuresInARow += 1
      lastFailure = error
      abandon()
      return .failed(mayBeQuoted ? error : error.withoutQuotation)
    }
  }

  public func end() -> [String] {
    defer { process = nil }
    guard let process, let remark = process.finish() else { return [] }
    lastWords = process.lastWords
    return [remark]
  }

  /// Whether what it writes can hold nothing of a real key or payment.
  private var mayBeQuoted: Bool { setting?.hasTestKeys == true }

  private func abandon() {
    process?.kill()
    lastWords = process?.lastWords ?? lastWords
    process = nil
    restarts += 1
  }

  /// The process, started and greeted if there is none.
  private func running() throws(ExternalFailure) -> ExternalProcess {
    if let process { return process }
    guard let setting else { throw .unreadable(reason: "there is no setting yet", line: nil) }
    let started: ExternalProcess
    do throws(SystemFailure) {
      started = try ExternalProcess(program)
    } catch {
      throw .notStarted(errorNumber: error.number)
    }
    process = started
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

  private func supports(_ test: TestCase) -> Bool {
    guard let supported = identity?.supports else { return true }
    return test.needs.allSatisfy(supported.contains)
  }
}

extension TestCase {
  /// The words of `supports` that a program must have said to be asked this.
  fileprivate var needs: [String] {
    let policy = context.policy
    var words: [String] = []
    if policy.envelope != .named(.apple) { words.append("envelopes") }
    if policy.isUnsigned { words.append("unsigned") }
    if policy.expectations != Expectations() { words.append("expect") }
    if policy.replayCapacity != nil { words.append("replay") }
    if !policy.revoked.isEmpty { words.append("revoked") }
    return words + versions.map(\.rawValue)
  }

  /// The versions that a decryptor must know to decide, as far as the request or its flags tell.
  private var versions: [TokenVersion] {
    let named = SeedPath.versions(in: request)
    // The name may be written in escapes.
    return flags.contains("RSAv1") && !named.contains(.rsaV1) ? named + [.rsaV1] : named
  }
}

/// How a program of others is run: by /bin/sh, in a process group of its own, with limits.
public struct ExternalProgram: Hashable, Sendable {
  /// The command line, as a shell reads it.
  public let command: String
  /// How long it may take for an answer, in milliseconds.
  public var timeoutMilliseconds: Int = 5_000
  /// How long it may take to answer `hello`: three times as long, for a start loads libraries.
  public var startMilliseconds: Int { 3 * timeoutMilliseconds }
  /// How long it may go on once its input is closed.
  public var endMilliseconds: Int = 2_000
  /// The most bytes of an answer.
  public var answerLimit: Int = 1 << 20
  /// The most address space of each of its processes, in bytes; nil is no limit. Virtual machines reserve much.
  public var addressSpaceLimit: UInt64? = 16 << 30
  /// The most processor time of each of its processes, in seconds.
  public var processorLimit: UInt64 = 14_400

  public init(command: String) {
    self.command = command
  }
}

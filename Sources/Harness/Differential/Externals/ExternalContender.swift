import CExternals
import Corpus
import Gateways
import PaymentToken
public import TestCases

/// A contender that is an external program. It is started for each setting and restarted after each failure.
public final class ExternalContender: Contender {
  public var name: String { identity?.name ?? program.command }
  /// The program and its limits.
  public let program: ExternalProgram
  /// How it identified itself; nil until it answers `hello`.
  public private(set) var identity: ExternalIdentity?
  public private(set) var lastWords: [String] = []
  public private(set) var lastReason: String?
  /// How often it was restarted after a failure.
  public private(set) var restarts = 0
  private var setting: TestSetting?
  private var windowSeconds: UInt32?
  private(set) var process: ExternalProcess?
  /// The error with which it answered `hello`. It applies to all tests of the setting.
  private(set) var refusal: String?
  /// Whether the refusal was reported.
  private var toldRefusal = false
  private var failuresInARow = 0
  private var lastFailure: ExternalFailure?
  private var asked = 0
  private let failureLimit: Int

  /// - Parameter failureLimit: after this many consecutive failures, the remaining tests are skipped.
  public init(_ program: ExternalProgram, failureLimit: Int = 10) {
    self.program = program
    self.failureLimit = failureLimit
  }

  /// Whether it has failed too often, so that the remaining tests are skipped.
  public var isGivenUp: Bool {
    failuresInARow >= (identity == nil ? min(failureLimit, Self.greetingLimit) : failureLimit)
  }

  /// Whether the program does not exist or cannot be executed: exit codes 127 and 126 of /bin/sh.
  public var couldNotRun: Bool {
    guard identity == nil, case .ended(.exited(let code), _) = lastFailure else { return false }
    return code == 127 || code == 126
  }

  /// The failure limit of a program that never answered `hello`.
  private static let greetingLimit = 2

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    self.setting = setting
    self.windowSeconds = windowSeconds
    refusal = nil
    toldRefusal = false
  }

  public func decide(_ test: TestCase) -> Decision {
    lastReason = nil
    if isGivenUp || toldRefusal { return .notAsked }
    do throws(ExternalFailure) {
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
    } catch {
      return decision(after: error)
    }
  }

  /// The decision of a valid answer.
  func decision(of said: TokenAnswer) -> Decision {
    if mayBeQuoted { lastReason = said.reason }
    failuresInARow = 0
    if said.decision == .unsupported { return .declined }
    return mayBeQuoted ? said.decision : said.decision.withoutQuotation
  }

  /// Kills the program, which is restarted for the next test.
  func decision(after failure: ExternalFailure) -> Decision {
    if assay_external_was_interrupted() != 0 {
      process?.kill()
      process = nil
      return .notAsked
    }
    failuresInARow += 1
    lastFailure = failure
    abandon()
    return .failed(mayBeQuoted ? failure : failure.withoutQuotation)
  }

  public func end() -> [String] {
    defer { process = nil }
    guard let process, let remark = process.finish() else { return [] }
    lastWords = process.lastWords
    return [remark]
  }

  /// Whether its output may be quoted: it cannot contain a real key or payment.
  private var mayBeQuoted: Bool { setting?.hasTestKeys == true }

  private func abandon() {
    process?.kill()
    lastWords = process?.lastWords ?? lastWords
    process = nil
    restarts += 1
  }

  /// The running process. Starts one and sends `hello` if there is none.
  func running() throws(ExternalFailure) -> ExternalProcess {
    if let process { return process }
    guard let setting else { throw .unreadable(reason: "no setting is loaded", line: nil) }
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
}

extension ExternalIdentity {
  /// Whether it can be given a test, by what it claims to support.
  func supports(_ test: TestCase, setting: TestSetting?) -> Bool {
    guard test.context.isForOtherPrograms, setting?.isForOtherPrograms != false else { return false }
    // Without the roots of hello it refuses every token, which says nothing.
    if supports.contains("signature"), !supports.contains("roots") { return false }
    let namesMerchant = setting?.keys.contains { $0.merchantId != nil } == true
    if supports.contains("merchantId"), !namesMerchant, test.needs.contains("EC_v1") { return false }
    return test.needs.allSatisfy(supports.contains)
  }
}

extension TestCase {
  /// The features that a program must support to be given this test.
  fileprivate var needs: [String] {
    let policy = context.policy
    var words: [String] = []
    if policy.envelope != .named(.apple) { words.append("envelopes") }
    if policy.isUnsigned { words.append("unsigned") }
    if policy.expectations != Expectations() { words.append("expect") }
    if policy.replayCapacity != nil { words.append("replay") }
    if !policy.revoked.isEmpty { words.append("revoked") }
    if case .reject(let fault)? = expected {
      if (5...9).contains(fault.stage.rawValue) || fault.member == .signature { words.append("signature") }
      if fault.stage == .payload { words.append("payload") }
    }
    return words + versions.map(\.rawValue)
  }

  /// The token versions that the test needs, as far as the request or its flags show.
  private var versions: [TokenVersion] {
    let named = SeedPath.versions(in: request)
    // The request may write the name with escapes.
    return flags.contains("RSAv1") && !named.contains(.rsaV1) ? named + [.rsaV1] : named
  }
}

/// How an external program is run: by /bin/sh, in its own process group, with limits.
public struct ExternalProgram: Hashable, Sendable {
  /// The command line, as a shell reads it.
  public let command: String
  /// The time limit of an answer, in milliseconds.
  public var timeoutMilliseconds: Int = 5_000
  /// The time limit of the answer to `hello`: three times as long, because starting loads libraries.
  public var startMilliseconds: Int { 3 * timeoutMilliseconds }
  /// How long it may run after its input is closed, in milliseconds.
  public var endMilliseconds: Int = 2_000
  /// The maximum size of an answer, in bytes.
  public var answerLimit: Int = 1 << 20
  /// The limit of address space of each process, in bytes; nil for none. It is high because virtual machines reserve a
  /// lot.
  public var addressSpaceLimit: UInt64? = 16 << 30
  /// The limit of processor time of each process, in seconds.
  public var processorLimit: UInt64 = 14_400

  public init(command: String) {
    self.command = command
  }
}

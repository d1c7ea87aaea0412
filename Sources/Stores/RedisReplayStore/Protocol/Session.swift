#if Redis

import PaymentToken
import StoreSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A question with the closure that takes its answer.
struct Asked: Sendable {
  let question: ReplayQuestion
  let index: Int
  let answer: @Sendable (Int, ReplayVerdict) -> Void
}

/// The conversation on one connection: which replies are expected, and what they mean for which question.
///
/// Redis replies to the commands of a connection in their order, so a queue of the sent commands says what each reply
/// is about. A session is used for one connection and then dropped with its queue and its reader. So a reply never
/// answers a question of another connection, and a reply to no command ends the session.
///
/// A batch is `TIME`, a `SET key 1 NX EX lifetime` for each question, `TTL` of the key `memory`, `TIME` again, and
/// `WAIT` if replicas must acknowledge. A question is fresh if the reply to its own SET was OK, the memory was old
/// enough after it, the times before and after it agree with the caller's, and replicas have acknowledged. It is sent
/// at most once: nobody knows what became of a command whose reply was lost.
///
/// The age of the server's memory: the key `memory` is made if there is none, and expires after a century, so its age
/// by the server's clock is a century minus its TTL. A server that was emptied, for whatever reason, has no such key or
/// a young one. A restart can also restore an old state of the memory, with that key. This is ruled out if the server
/// has run for longer than a lifetime, or if it has an append-only file and had one before: then the key `log` is old.
/// That key is deleted while there is no such file.
///
/// A question whose deadline passes is answered at once. Its place in the queue stays, and takes the late reply.
final class Session {
  typealias Failure = RedisReplayStore.Failure

  private enum Expected {
    case authentication
    case selection
    case facts
    case keyMade
    case settings
    /// The TTL of the key `log`, which must be gone.
    case noLog
    /// The TTL of the key `memory` or `log`, which tells an age. At most `limit` seconds of it count.
    case age(limit: UInt64)
    case timeBefore
    /// Nil if the question is answered.
    case verdict(Asked?)
    case timeAfter
    case acknowledgement
  }

  /// Whether all checks have passed.
  private(set) var isReady = false
  /// Questions whose reply is owed.
  private(set) var owed = 0
  /// No later than the earliest deadline of a question without an answer.
  private(set) var earliestDeadline: ContinuousClock.Instant?
  private var expected = Queue<Expected>()
  /// Questions of the batch whose SET succeeded, and that wait for the time after it and for replicas.
  private var succeeded: [Asked] = []
  /// The server's time before the SETs of the batch.
  private var timeBefore: UnixTime?
  private let configuration: RedisReplayStore.Configuration
  private let reader: ReplyReader
  private let bytes: OutgoingBytes
  /// Whether the server's clock agreed with the system's at the last `check`.
  private var isClockRight = false
  /// Not the key of any transaction: those are longer.
  private let memoryKey: String
  private let logKey: String
  private let prefix: [UInt8]
  private let lifetime: [UInt8]
  private let count: @Sendable (ReplayVerdict, RedisReplayStore.Cause?) -> Void

  /// - Parameters:
  ///   - bytes: the buffer of commands to send.
  ///   - count: called with each verdict before it is given.
  init(
    _ configuration: RedisReplayStore.Configuration, _ bytes: OutgoingBytes,
    count: @escaping @Sendable (ReplayVerdict, RedisReplayStore.Cause?) -> Void
  ) throws(Failure) {
    guard let reader = ReplyReader() else { throw .outOfMemory }
    (self.reader, self.bytes) = (reader, bytes)
    (memoryKey, logKey) = (configuration.prefix + "memory", configuration.prefix + "log")
    self.count = count
    self.configuration = configuration
    prefix = Array(configuration.prefix.utf8)
    lifetime = Array(String(configuration.lifetime).utf8)
  }

  /// Whether the server owes a reply.
  var isWaiting: Bool { expected.count > 0 }
}

// MARK: - Commands

extension Session {
  /// Opens the conversation: password, database, checks.
  func begin(password: Password?) {
    if let password {
      password.append(user: configuration.user, to: bytes)
      expected.append(.authentication)
    }
    if configuration.server.database != 0 {
      bytes.append("SELECT", String(configuration.server.database))
      expected.append(.selection)
    }
    check()
  }

  /// Asks the server about itself.
  func check() {
    bytes.append(encoded: Self.timeCommand)
    expected.append(.timeBefore)
    bytes.append("INFO")
    expected.append(.facts)
  }

  /// Sends questions. Answers those whose deadline has passed.
  func ask(_ questions: [Asked], at now: ContinuousClock.Instant) {
    var sent = 0
    for asked in questions {
      if asked.question.deadline <= now {
        finish(asked, .unavailable, .deadline)
        continue
      }
      if sent == 0 {
        bytes.append(encoded: Self.timeCommand)
        expected.append(.timeBefore)
      }
      sent += 1
      append(asked.question.transactionId)
      expected.append(.verdict(asked))
      earliestDeadline = min(earliestDeadline ?? asked.question.deadline, asked.question.deadline)
    }
    guard sent > 0 else { return }
    owed += sent
    askAge()
    bytes.append(encoded: Self.timeCommand)
    expected.append(.timeAfter)
    guard configuration.acknowledgingReplicas > 0 else { return }
    let (seconds, attoseconds) = configuration.acknowledgementTimeLimit.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    bytes.append("WAIT", String(configuration.acknowledgingReplicas), String(milliseconds))
    expected.append(.acknowledgement)
  }

  private static var timeCommand: StaticString { "*1\r\n$4\r\nTIME\r\n" }

  private func append(_ id: Bytes32) {
    bytes.append(encoded: "*6\r\n$3\r\nSET\r\n")
    prefix.withUnsafeBytes { prefix in id.withUnsafeBytes { bytes.append(word: prefix, $0) } }
    bytes.append(encoded: "$1\r\n1\r\n$2\r\nNX\r\n$2\r\nEX\r\n")
    lifetime.withUnsafeBytes { bytes.append(word: $0) }
  }

  private func makeKey(_ key: String, _ value: String, _ options: String...) {
    bytes.append((["SET", key, value] + options).map { Array($0.utf8) })
    expected.append(.keyMade)
  }

  private func askAge(of key: String? = nil, limit: UInt64 = .max) {
    bytes.append("TTL", key ?? memoryKey)
    expected.append(.age(limit: limit))
  }

  /// In seconds: a century.
  static var memoryLifetime: Int64 { 3_155_760_000 }

  private var settings: String {
    "window=\(configuration.longestWindow) tolerance=\(configuration.clockTolerance)"
  }
}

// MARK: - Replies

extension Session {
  /// Takes bytes that were received, and answers questions.
  ///
  /// - Throws: why the connection must be closed. Questions are then answered by `end`.
  func receive(_ bytes: UnsafeRawBufferPointer, at now: ContinuousClock.Instant) throws(Failure) {
    do throws(ReplyReader.Violation) {
      try reader.feed(bytes)
    } catch {
      throw .protocolViolation
    }
    while let reply = try nextReply() { try take(reply, at: now) }
  }

  private func nextReply() throws(Failure) -> Reply? {
    do throws(ReplyReader.Violation) {
      return try reader.next()
    } catch {
      throw .protocolViolation
    }
  }

  private func take(_ reply: Reply, at now: ContinuousClock.Instant) throws(Failure) {
    guard let expected = expected.removeFirst() else { throw .protocolViolation }
    switch (expected, reply) {
    case (.verdict(let asked), _): try takeVerdict(reply, of: asked)
    case (.acknowledgement, _): try takeAcknowledgement(reply, at: now)
    case (.authentication, .error): throw .passwordRefused
    // A server that is full, or lacks replicas for a while, stays connected.
    case (.keyMade, .error) where isReady: return
    case (_, .error(let word)): throw Self.failure(for: word)
    case (.authentication, .ok), (.selection, .ok), (.keyMade, .ok), (.keyMade, .null): return
    case (.facts, .bytes(let text)): try take(ServerFacts(text))
    case (.age(let limit), .integer(let left)): try takeAge(left, limit)
    case (.noLog, .integer(let left)):
      // If the deletion of the key was refused, for example by a full server, the key's age would be wrong.
      guard left <= 0 || configuration.allowances.contains(.restartWithoutLog) else {
        throw .mayHaveForgotten(seconds: configuration.lifetime + 1)
      }
    case (.settings, .null): throw .mayHaveForgotten(seconds: configuration.lifetime + 1)
    case (.settings, .bytes(let text)):
      guard text.elementsEqual(settings.utf8) else { throw .otherSettings }
      isReady = true
    case (.timeBefore, .list(let parts)): timeBefore = try Self.serverTime(parts)
    case (.timeAfter, .list(let parts)): confirm(try Self.serverTime(parts), at: now)
    default: throw .protocolViolation
    }
  }

  /// Makes the keys that tell the age of the memory, and asks for the age.
  private func take(_ facts: ServerFacts) throws(Failure) {
    if let failure = facts.failure(for: configuration) { throw failure }
    // A key that is made while the server's clock is slow seems too old when the clock is right again.
    let now = UnixTime(secondsSinceEpoch: Int64(time(nil)))
    isClockRight = timeBefore.map { agrees(now, $0) } ?? false
    let century = String(Self.memoryLifetime)
    if !facts.hasLog {
      makeKey(logKey, "1", "XX", "PX", "1")
      bytes.append("TTL", logKey)
      expected.append(.noLog)
    } else if isClockRight {
      makeKey(logKey, "1", "NX", "EX", century)
    }
    // The first store that uses a server writes its settings, and all others must have the same.
    if !isReady, isClockRight { makeKey(memoryKey, settings, "NX", "EX", century) }
    if facts.hasLog, facts.uptime <= configuration.lifetime { askAge(of: logKey) }
    askAge(limit: facts.hasLog ? .max : facts.uptime)
    guard !isReady else { return }
    bytes.append("GET", memoryKey)
    expected.append(.settings)
  }

  /// - Parameter left: seconds until the key expires; negative if there is no key, or if it never expires.
  private func takeAge(_ left: Int64, _ limit: UInt64) throws(Failure) {
    guard left > 0 || isClockRight else { throw .clockDiffers }
    let age = left > 0 ? min(limit, UInt64(max(0, Self.memoryLifetime - left))) : 0
    guard age > configuration.lifetime || configuration.allowances.contains(.restartWithoutLog) else {
      throw .mayHaveForgotten(seconds: configuration.lifetime - age + 1)
    }
  }

  private func takeVerdict(_ reply: Reply, of asked: Asked?) throws(Failure) {
    if reply == .ok, let asked {
      succeeded.append(asked)
      return
    }
    owed -= 1
    switch reply {
    case .ok: return
    case .null: asked.map { finish($0, .replayed) }
    case .error("OOM"): asked.map { finish($0, .full) }
    case .error(let word):
      asked.map { finish($0, .unavailable, .serverError) }
      // These errors are temporary, and the connection is not their cause.
      if !["NOREPLICAS", "MISCONF", "BUSY", "CLUSTERDOWN"].contains(word) { throw Self.failure(for: word) }
    default:
      asked.map { finish($0, .unavailable, .serverError) }
      throw .protocolViolation
    }
  }

  /// Refuses the questions of the batch whose time differs from the server's before or after the SETs. The others are
  /// fresh, or wait for replicas.
  private func confirm(_ timeAfter: UnixTime, at now: ContinuousClock.Instant) {
    let batch = succeeded
    succeeded = []
    for asked in batch {
      if !agrees(asked.question.now, timeAfter) {
        finish(asked, .unavailable, .clockDiffers)
      } else if configuration.acknowledgingReplicas == 0 {
        finishFresh(asked, at: now)
      } else {
        succeeded.append(asked)
      }
    }
    owed -= batch.count - succeeded.count
  }

  private func takeAcknowledgement(_ reply: Reply, at now: ContinuousClock.Instant) throws(Failure) {
    let batch = succeeded
    succeeded = []
    owed -= batch.count
    switch reply {
    case .integer(let replicas) where replicas >= Int64(configuration.acknowledgingReplicas):
      for asked in batch { finishFresh(asked, at: now) }
    case .integer: for asked in batch { finish(asked, .unavailable, .tooFewReplicas) }
    default:
      for asked in batch { finish(asked, .unavailable, .serverError) }
      guard case .error(let word) = reply else { throw .protocolViolation }
      throw Self.failure(for: word)
    }
  }

  private func agrees(_ callersTime: UnixTime, _ timeAfter: UnixTime) -> Bool {
    guard let timeBefore else { return false }
    let tolerance = UInt64(configuration.clockTolerance)
    return callersTime.absoluteDistance(to: timeBefore) <= tolerance
      && callersTime.absoluteDistance(to: timeAfter) <= tolerance
  }

  private static func serverTime(_ parts: [Reply]) throws(Failure) -> UnixTime {
    guard parts.count == 2, case .bytes(let text) = parts[0],
      let seconds = Int64(String(decoding: text, as: UTF8.self))
    else { throw .protocolViolation }
    return UnixTime(secondsSinceEpoch: seconds)
  }

  private static func failure(for word: String) -> Failure {
    switch word {
    case "NOAUTH", "WRONGPASS": .passwordRefused
    case "NOPERM": .notPermitted
    case "READONLY": .notPrimary
    case "MOVED", "ASK": .clusterMode
    case "LOADING": .loading
    default: .serverError(word)
    }
  }
}

// MARK: - Answers

extension Session {
  /// Answers the questions whose deadline has passed.
  func expire(at now: ContinuousClock.Instant) {
    guard let earliest = earliestDeadline, earliest <= now else { return }
    earliestDeadline = nil
    expected.update { expected in
      guard case .verdict(let asked?) = expected else { return }
      if !remains(asked, at: now) { expected = .verdict(nil) }
    }
    let waiting = succeeded.count
    succeeded.removeAll { !remains($0, at: now) }
    owed -= waiting - succeeded.count
  }

  /// Answers a question whose deadline has passed, and returns false; otherwise notes its deadline.
  private func remains(_ asked: Asked, at now: ContinuousClock.Instant) -> Bool {
    let deadline = asked.question.deadline
    guard deadline <= now else {
      earliestDeadline = min(earliestDeadline ?? deadline, deadline)
      return true
    }
    finish(asked, .unavailable, .deadline)
    return false
  }

  /// Answers all questions when the connection is closed.
  func end() {
    while let expected = expected.removeFirst() {
      if case .verdict(let asked?) = expected { finish(asked, .unavailable, .connectionLost) }
    }
    for asked in succeeded { finish(asked, .unavailable, .connectionLost) }
    succeeded = []
    owed = 0
  }

  private func finishFresh(_ asked: Asked, at now: ContinuousClock.Instant) {
    if asked.question.deadline <= now {
      finish(asked, .unavailable, .deadline)
    } else {
      finish(asked, .fresh)
    }
  }

  private func finish(_ asked: Asked, _ verdict: ReplayVerdict, _ cause: RedisReplayStore.Cause? = nil) {
    count(verdict, cause)
    asked.answer(asked.index, verdict)
  }
}

#endif

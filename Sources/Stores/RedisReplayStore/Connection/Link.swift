#if Redis

import PaymentToken
import StoreSupport

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The work of the store's thread: connects, sends questions, receives replies, and connects again.
///
/// It blocks in `poll`, until the earliest deadline of a question at most, and in the look-up of names. No question
/// waits for a look-up or for the files of TLS and the password: there are questions only while a connection is ready.
struct Link {
  typealias Failure = RedisReplayStore.Failure

  private let configuration: RedisReplayStore.Configuration
  private let questions: Questions
  private var backoff: Backoff
  /// Connections that were begun; each takes the next address of the server.
  private var attempts = 0

  init(_ configuration: RedisReplayStore.Configuration, _ questions: Questions) {
    self.configuration = configuration
    self.questions = questions
    backoff = Backoff(initial: configuration.initialBackoff, maximum: configuration.maximumBackoff)
  }

  /// Returns when the store is released.
  mutating func run() {
    while !questions.isStopped {
      do throws(Failure) {
        try converse(try connect())
      } catch {
        questions.close(error)
        sleep(for: backoff.next())
      }
    }
    questions.close(nil)
  }

  /// A connection, which may not be complete yet.
  private mutating func connect() throws(Failure) -> Transport {
    let addresses = try ResolvedAddress.all(of: configuration.server.endpoint)
    let address = addresses[attempts % addresses.count]
    attempts += 1
    return try Transport(socket: address.connect(), configuration)
  }

  private func password() throws(Failure) -> Password? {
    guard let file = configuration.passwordFile else { return nil }
    guard let password = Password(file: file) else { throw .passwordUnreadable }
    return password
  }

  /// Waits for a while, or until the store is released.
  private func sleep(for time: Duration) {
    let end = ContinuousClock.now.advanced(by: time)
    while ContinuousClock.now < end, !questions.isStopped {
      _ = poll(nil, until: end)
    }
  }

  /// Waits for events of a socket, for `WakeUp`, or until `end`, and returns the events.
  private func poll(_ socket: (descriptor: Int32, events: Int32)?, until end: ContinuousClock.Instant) -> Int32 {
    let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: end)).components
    // Rounded up: a wait that ends too early would be repeated at once.
    let milliseconds = min(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000, 60_000)
    var polled = [pollfd(fd: questions.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    if let socket { polled.append(pollfd(fd: socket.descriptor, events: Int16(socket.events), revents: 0)) }
    #if canImport(Glibc)
    let count = Glibc.poll(&polled, nfds_t(polled.count), Int32(milliseconds))
    #else
    let count = Darwin.poll(&polled, nfds_t(polled.count), Int32(milliseconds))
    #endif
    guard count > 0 else { return 0 }
    if polled[0].revents != 0 { questions.wakeUp.clear() }
    return polled.count > 1 ? Int32(polled[1].revents) : 0
  }
}

// MARK: - One connection

extension Link {
  /// Uses a connection until it fails, or the store is released.
  private mutating func converse(_ transport: Transport) throws(Failure) {
    let outgoing = OutgoingBytes()
    let session = try Session(configuration, outgoing) { [questions] in questions.count($0, $1) }
    var conversation = Conversation(transport, session, outgoing, configuration)
    session.begin(password: try password())
    defer { session.end() }
    while !questions.isStopped {
      if session.isReady, !conversation.isOpen {
        conversation.isOpen = true
        questions.open()
        backoff.reset()
      }
      if conversation.isOpen {
        session.ask(questions.take(owed: session.owed), at: .now)
      }
      try conversation.send()
      let events = poll((transport.socket, conversation.events), until: conversation.nextEvent)
      try conversation.receive(events)
      session.expire(at: .now)
    }
  }
}

/// The state of one connection.
private struct Conversation {
  typealias Failure = RedisReplayStore.Failure

  let transport: Transport
  let session: Session
  let outgoing: OutgoingBytes
  var isOpen = false
  private let configuration: RedisReplayStore.Configuration
  /// Whether TCP has connected.
  private var isConnected = false
  private let connectEnd: ContinuousClock.Instant
  private var nextCheck: ContinuousClock.Instant
  /// When the server last sent something, or began to owe a reply.
  private var lastProgress = ContinuousClock.now

  init(
    _ transport: Transport, _ session: Session, _ outgoing: OutgoingBytes,
    _ configuration: RedisReplayStore.Configuration
  ) {
    (self.transport, self.session, self.outgoing, self.configuration) = (transport, session, outgoing, configuration)
    connectEnd = .now.advanced(by: configuration.connectTimeLimit)
    nextCheck = .now.advanced(by: configuration.checkInterval)
  }

  /// The events to poll for.
  var events: Int32 {
    let writes = !isConnected || transport.isBlockedOnWriting
    return Int32(POLLIN) | (writes ? Int32(POLLOUT) : 0)
  }

  /// When there is something to do even without an event.
  var nextEvent: ContinuousClock.Instant {
    guard isOpen else { return connectEnd }
    var next = nextCheck
    if session.isWaiting { next = min(next, lastProgress.advanced(by: configuration.replyTimeLimit)) }
    if let deadline = session.earliestDeadline { next = min(next, deadline) }
    return next
  }

  mutating func send() throws(Failure) {
    let now = ContinuousClock.now
    if isOpen, now >= nextCheck {
      session.check()
      nextCheck = now.advanced(by: configuration.checkInterval)
    }
    if !isOpen, now >= connectEnd { throw .connectTimedOut }
    guard isConnected else { return }
    while !outgoing.isEmpty {
      let count = try transport.send(outgoing.unsent)
      if count == 0 { return }
      outgoing.remove(count)
    }
  }

  mutating func receive(_ events: Int32) throws(Failure) {
    // A server that owes nothing now can begin to owe a reply only after this call.
    if !session.isWaiting { lastProgress = .now }
    guard events != 0 else {
      // Checked only without events: while this thread does not run, replies may wait in the socket.
      if isOpen, lastProgress.duration(to: .now) >= configuration.replyTimeLimit { throw .replyTimedOut }
      return
    }
    if !isConnected {
      let number = ResolvedAddress.error(of: transport.socket)
      guard number == 0 else { throw .unreachable(number) }
      isConnected = true
      return
    }
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer throws(Failure) in
      while true {
        let count = try transport.receive(buffer)
        if count == 0 { return }
        lastProgress = .now
        try session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: lastProgress)
      }
    }
  }
}

#endif

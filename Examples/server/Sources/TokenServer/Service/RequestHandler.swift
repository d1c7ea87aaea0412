import FastDecryption
import Gateways
import PaymentToken
import RedisReplayStore
import Synchronization

/// Decides the answer to each request. Does not read or write sockets.
final class RequestHandler: Sendable {
  let pool: DecryptionPool
  let limits: ServerOptions.Limits
  let counters = ServerCounters()
  let log: AccessLog?
  /// The names of which a client's certificate must have one; empty for any.
  let clientNames: [String]
  private let currentCallers: Guarded<Callers>
  let connections = ConnectionTable()
  private let lineRequests: LineRequests
  private let isStopping = Atomic<Bool>(false)
  /// Whether requests are no longer taken.
  private let isClosed = Atomic<Bool>(false)
  private let freshness: Freshness
  private let store: RedisReplayStore?
  private let deadline: Duration?
  private let time: @Sendable () -> UnixTime
  /// When this process began to remember transactions, if older tokens are refused; otherwise nil.
  private let memoryStart: (time: UnixTime, instant: ContinuousClock.Instant)?

  /// - Parameters:
  ///   - store: the store of `freshness` if it is on a server.
  ///   - memoryStart: when this process began to remember transactions, if older tokens are refused.
  ///   - time: the time at which tokens are verified.
  init(
    _ pool: DecryptionPool, _ options: ServerOptions, _ freshness: Freshness, _ store: RedisReplayStore?,
    _ callers: Callers, _ log: AccessLog?, memoryStart: UnixTime?, time: @escaping @Sendable () -> UnixTime
  ) {
    self.pool = pool
    self.freshness = freshness
    self.store = store
    self.log = log
    currentCallers = Guarded(callers)
    clientNames = options.clientNames
    self.time = time
    self.memoryStart = memoryStart.map { ($0, .now) }
    limits = options.limits
    lineRequests = LineRequests(queue: options.pool.queueCapacity)
    deadline = options.deadline
  }

  /// Who may have tokens opened.
  var callers: Callers {
    get { currentCallers.withLock { $0 } }
    set { currentCallers.withLock { $0 = newValue } }
  }

  /// Says that the server is not ready from now on.
  func beginStopping() { isStopping.store(true, ordering: .releasing) }

  /// From now on refuses new requests, except monitoring's, and further lines of earlier ones.
  func close() { isClosed.store(true, ordering: .releasing) }

  /// What to do with a request that has this head.
  ///
  /// - Parameter paths: the paths that are served at the address that the request came to.
  /// - Returns: the plan, or an answer if the body cannot or need not be read; the connection is then closed.
  func plan(
    _ head: RequestHead, of caller: Caller, among paths: Listener.Paths
  ) -> Result<Exchange.Plan, Refusal> {
    if head.isMalformed { return .failure(Refusal(.malformedHead)) }
    if head.isAmbiguous { return .failure(Refusal(.ambiguousLength)) }
    if head.hasUnknownTransferCoding { return .failure(Refusal(.unknownTransferCoding)) }
    // Monitoring is answered until the server ends.
    if paths != .monitoring, isClosed.load(ordering: .acquiring) { return .failure(Refusal(.shutDown)) }
    let length = head.contentLength ?? 0
    func isReadable(inLines: Bool) -> Bool { length <= UInt64(limits.readBody(inLines: inLines)) }
    guard isReadable(inLines: head.lineType != nil) else { return .failure(Refusal(.tooLarge)) }
    let plan = plan(head, of: caller, length: length, among: paths)
    switch plan {
    case .openLines: break
    case .open: guard isReadable(inLines: false) else { return .failure(Refusal(.tooLarge)) }
    case .answer(let answer):
      // A client that waits before it sends the body gets the answer now. So does one whose body is too large to read.
      if head.expectsContinue || !isReadable(inLines: false) { return .failure(Refusal(answer)) }
    }
    return .success(plan)
  }

  /// An answer that comes before the request was read.
  struct Refusal: Error {
    let answer: Answer

    init(_ answer: Answer) {
      self.answer = answer
    }
  }

  private func plan(
    _ head: RequestHead, of caller: Caller, length: UInt64, among paths: Listener.Paths
  ) -> Exchange.Plan {
    if head.hasOrigin { return .answer(.browser) }
    let route: Route
    switch Route.find(head.path, gateway: head.gateway) {
    case .success(let found): route = found
    case .failure(.path): return .answer(.notFound)
    case .failure(.gateway): return .answer(.unknownGateway)
    }
    guard paths.contain(route) else { return .answer(.notFound) }
    guard route.allows(head.method) else { return .answer(.methodNotAllowed(route.methods)) }
    switch route {
    case .open(let opening):
      let callers = callers
      if let refusal = callers.refusal(of: caller) { return .answer(refusal) }
      if head.hasContentCoding { return .answer(.unknownContentCoding) }
      if let type = head.lineType, opening.gateway == nil {
        let lines = TokenLines(
          opening, type, showing: caller.bearer, to: callers, lineLimit: limits.body, among: lineRequests)
        return lines.map { .openLines($0) } ?? .answer(.tooManyInLines)
      }
      if length > UInt64(limits.body) { return .answer(.tooLarge) }
      return .open(opening)
    case .metrics: return .answer(Answer(.ok, text: metrics, type: PrometheusText.type))
    case .ready: return .answer(readiness)
    case .live: return .answer(.alive)
    }
  }

  /// The answer of `/ready`. Without its store the server is not ready, because it would refuse every token.
  private var readiness: Answer {
    if isStopping.load(ordering: .acquiring) { return .notReady }
    return store?.problem.map(Answer.storeNotReady) ?? .ready
  }

  /// When a client that begins something now must have finished.
  var nextExpiry: ContinuousClock.Instant { .now + .seconds(2 * Int(limits.timeout)) }

  /// The same for a request with a token on each line, without the time that the client waits for the server.
  var nextLinesExpiry: ContinuousClock.Instant { .now + .seconds(10 * Int(limits.timeout)) }

  /// Hands a request to the pool.
  ///
  /// - Parameter settled: called once, when the exchange has its answer; from any thread.
  func open(
    _ body: [UInt8], _ opening: Opening, for exchange: Exchange, settled: @escaping @Sendable () -> Void
  ) {
    let submission = open(body, opening) { answer in
      exchange.settle(answer)
      settled()
    }
    if let submission { exchange.keep(submission) }
  }

  /// Takes a part of a body that has a token on each line, and hands the lines that end in it to the pool.
  ///
  /// - Returns: how many bytes it took; not all if lines must be answered before others are read.
  func take(_ part: UnsafeRawBufferPointer, of lines: TokenLines, from caller: Caller) -> Int {
    var taken = 0
    while taken < part.count, lines.hasRoom {
      let (count, line) = lines.read(UnsafeRawBufferPointer(rebasing: part[taken...]))
      taken += count
      if let line { open(line, of: lines, for: caller) }
    }
    return taken
  }

  /// Ends the line that is being read; false if other lines must be answered first.
  func endLine(of lines: TokenLines, from caller: Caller) -> Bool {
    withUnsafeBytes(of: UInt8(ascii: "\n")) { take($0, of: lines, from: caller) == 1 }
  }

  private func open(_ line: TokenLines.Line, of lines: TokenLines, for caller: Caller) {
    // Lines that are not begun when the server stops are for another server. The client still gets the other answers.
    if isClosed.load(ordering: .acquiring) { return lines.settle(line.index, .shutDown) }
    if let refusal = lines.refusal(of: caller, by: callers) { return lines.settle(line.index, refusal) }
    let submission = open(line.body, lines.opening) { lines.settle(line.index, $0) }
    if let submission { lines.keep(submission, of: line.index) }
  }

  /// Hands a request to the pool.
  ///
  /// - Parameter answer: called once, from any thread; with nil if nobody waits for the answer.
  private func open(
    _ body: [UInt8], _ opening: Opening, answer: @escaping @Sendable (Answer?) -> Void
  ) -> Submission? {
    let request = ReceivedBody.json(of: body) ?? body
    let elapsed = memoryStart?.instant.duration(to: .now) ?? .zero
    let now = time()
    // The keys of now, because a reload may remove the one that opens the token before the answer is written.
    let sending = opening.gateway.flatMap(Gateway.named).map { (gateway: $0, keys: pool.engine.keys) }
    do throws(DecryptionPool.Refusal) {
      return try pool.submit(
        request, at: now,
        under: VerificationPolicy(
          envelope: opening.envelope, freshness: freshness,
          signingTimes: memoryStart.map {
            ServerOptions.signingTimes(at: now, since: $0.time, elapsed: elapsed)
          }),
        deadline: deadline.map { .now + $0 },
        opened: { [pool] token throws(TokenFault) in
          guard let sending else {
            answer(Answer(token))
            return
          }
          // A reload may also have brought the key that opens the token.
          let keys = [sending.keys, pool.engine.keys]
          answer(Answer(sending: try token.copy(), to: sending.gateway, beside: request, by: keys))
        },
        refused: { [counters, store] refusal in
          if refusal == .cancelled { counters.abandoned.add(1, ordering: .relaxed) }
          answer(Answer(refusal, by: store))
        })
    } catch {
      answer(Answer(error, by: store))
      return nil
    }
  }

  private var metrics: String {
    var text = PrometheusText()
    text.add(pool.metrics)
    text.addBuildInfo(kernel: pool.engine.kernel)
    text.add(counters)
    if let log { text.add(log) }
    if let store { text.add(store.metrics) }
    return text.text
  }
}

import CMicrohttpd
import FastDecryption
import PaymentToken
import RedisReplayStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The service: a pool of decryptors behind HTTP.
///
/// It answers from `init` until `stop` has returned. `stop` must be called.
public final class Server: Sendable {
  /// Where it listens, `127.0.0.1:8462`.
  public let address: String
  /// Where metrics and health are; nil if they are on `address`.
  public let metricsAddress: String?
  private let options: ServerOptions
  private let source: EngineSource
  /// Locked while keys are read, because an engine is derived from the one before.
  private let reloads = Guarded(())
  private let pool: DecryptionPool
  private let handler: RequestHandler
  private let daemon: HTTPDaemon
  private let monitoring: HTTPDaemon?
  private let watch: RepeatingThread
  private let stopping = ParkedThread()
  private let log: AccessLog?
  private let store: RedisReplayStore?

  /// Why a server does not start; one sentence.
  public struct StartFailure: Error, Hashable, Sendable {
    public let message: String

    static var noThread: StartFailure { StartFailure(message: "the system has no thread left.") }
  }

  /// Reads the keys, and starts to listen and to answer.
  ///
  /// - Parameter replay: the store that remembers transactions; nil for the one that the options say.
  /// - Throws: `StartFailure`.
  public init(_ options: ServerOptions, replay: (any ReplayStore)? = nil) throws(StartFailure) {
    let limits = options.limits
    // One for each connection, four for each thread that speaks HTTP, and 64 for the files of keys, the log and so on.
    let connections = [limits.connections, Listener.monitoringConnections]
    let files = connections.reduce(64) { $0 + $1 + 4 * limits.neededThreads(for: $1) }
    if let most = OpenFiles.shortage(for: files) {
      throw StartFailure(
        message: "\(files) open files are needed with --max-connections \(limits.connections); the limit is \(most).")
    }
    self.options = options
    source = EngineSource(options.files)
    pool = try Self.pool(source, options)
    store = replay == nil ? try Self.store(options) : nil
    log = try options.accessLog.map { path throws(StartFailure) in
      do throws(LogOutput.Failure) {
        return try AccessLog(path, sparing: options.files.paths + options.replayServer.paths)
      } catch {
        throw StartFailure(message: "the file of --access-log could not be opened: \(error.reason).")
      }
    }
    if options.files.tlsCertificate != nil, MHD_is_feature_supported(.FEATURE_TLS) != .YES {
      throw StartFailure(message: "--tls-cert needs a libmicrohttpd that was built with GnuTLS.")
    }
    let callers: Callers
    do {
      callers = try Callers(options.files)
    } catch {
      throw StartFailure(message: error.message)
    }
    let fixed = options.now
    let clock: @Sendable () -> UnixTime = { fixed ?? UnixTime(secondsSinceEpoch: Int64(time(nil))) }
    // Stores outside of this process outlive it.
    let forgets = options.refusesOlderTokens == true && replay == nil && store == nil
    handler = RequestHandler(
      pool, options, options.freshness(replay ?? store), store, callers, log, memoryStart: forgets ? clock() : nil,
      time: clock)
    handler.counters.keyLoads.add(1, ordering: .relaxed)
    daemon = try Self.daemon(Listener(handler, options.metricsListen == nil ? .all : .tokens), on: options.listen)
    address = options.listen.with(port: daemon.port)
    do {
      monitoring = try options.metricsListen.map { [handler] address throws(StartFailure) in
        try Self.daemon(Listener(handler, .monitoring), on: address)
      }
    } catch {
      daemon.stop()
      throw error
    }
    metricsAddress = monitoring.flatMap { daemon in options.metricsListen?.with(port: daemon.port) }
    // libmicrohttpd ends silent connections. It does not notice a client that sends a byte a second, nor one that has
    // gone while its request is being decrypted.
    watch = RepeatingThread { [handler] in
      let ended = handler.connections.sweep(at: .now)
      if ended > 0 { handler.counters.slow.add(UInt64(ended), ordering: .relaxed) }
    }
    guard watch.start(), stopping.start(), log?.start() ?? true else {
      watch.stop()
      daemon.stop()
      monitoring?.stop()
      stopping.stop()
      log?.stop()
      throw .noThread
    }
  }

  private static func daemon(_ listener: Listener, on address: ListenAddress) throws(StartFailure) -> HTTPDaemon {
    if let daemon = HTTPDaemon(listener, on: address) { return daemon }
    let number = errno
    // No call for a socket fails with this number, but one for a thread does.
    if number == EAGAIN { throw .noThread }
    let reason = strerror(number).map { String(cString: $0) } ?? ""
    throw StartFailure(message: "\(address.with(port: address.port)) cannot be listened on: \(reason).")
  }

  private static func pool(
    _ source: EngineSource, _ options: ServerOptions
  ) throws(StartFailure) -> DecryptionPool {
    let engine: FastDecryptor
    do {
      engine = try source.load(after: nil)
    } catch {
      throw StartFailure(message: error.message)
    }
    do {
      return try DecryptionPool(engine, configuration: options.pool)
    } catch {
      throw StartFailure(message: "the pool cannot be started: \(Self.reason(error)).")
    }
  }

  private static func store(_ options: ServerOptions) throws(StartFailure) -> RedisReplayStore? {
    guard let window = options.window,
      let configuration = options.replayServer.configuration(
        window: window, waits: options.refusesOlderTokens ?? true)
    else { return nil }
    do throws(RedisReplayStore.ConfigurationError) {
      return try RedisReplayStore(configuration)
    } catch {
      throw StartFailure(message: "the replay store cannot be used: \(error.message)")
    }
  }

  /// Waits at most `time` for the connection to the replay store. Returns why it is not ready; nil if it is, or if
  /// there is no such store.
  public func waitForReplayStore(for time: Duration) -> String? {
    guard let store, !store.waitUntilReady(for: time) else { return nil }
    guard case .failed(let failure) = store.metrics.status else { return "it is still connecting." }
    return failure.message
  }

  private static func reason(_ failure: DecryptionPool.StartFailure) -> String {
    switch failure {
    case .invalidConfiguration: "a number is out of its range"
    case .outOfMemory: "there is no memory left"
    case .threadCreationFailed: "the system has no thread left"
    case .unavailableCPU(let number): "there is no CPU \(number) for it"
    @unknown default: "\(failure)"
    }
  }

  /// Reads keys, roots, and the files about callers again, while requests are answered. Requests taken after it returns
  /// are decided by the new files alone. Simultaneous calls run one after the other.
  ///
  /// - Throws: `KeyLoadingError`; then the old ones stay.
  public func reloadKeys() throws(KeyLoadingError) {
    try reloads.withLock { _ in Result { () throws(KeyLoadingError) in try readKeys() } }.get()
  }

  private func readKeys() throws(KeyLoadingError) {
    do {
      // Load everything before anything is replaced, so that a failure changes nothing.
      let callers = try Callers(options.files)
      pool.replaceEngine(with: try source.load(after: pool.engine))
      handler.callers = callers
    } catch {
      handler.counters.failedKeyLoads.add(1, ordering: .relaxed)
      throw error
    }
    handler.counters.keyLoads.add(1, ordering: .relaxed)
  }

  /// Opens the access log again, because its file may have been moved away. False if that fails; the old file stays.
  public func reopenAccessLog() -> Bool { log?.reopen() ?? true }

  /// When the certificate of `--tls-cert` expires; nil without TLS.
  public var certificateExpiry: UnixTime? { handler.callers.certificate?.expiry }

  /// What the pool counts.
  public var metrics: PoolMetrics { pool.metrics }

  /// Reports that it is not ready, stops listening, answers the requests that it has taken, and ends. Call it once.
  public func stop() async {
    await withCheckedContinuation { continuation in stop { continuation.resume() } }
  }

  /// The same, without waiting. Needs no further thread and no descriptor: the process may have none left.
  ///
  /// - Parameter ended: called at the end, on the thread that stops the server.
  public func stop(ended: @escaping @Sendable () -> Void) {
    Task.detached(executorPreference: stopping) { [self] in
      await end()
      stopping.stop()
      ended()
    }
  }

  /// Runs on the thread `stopping`, and blocks it. `Task.sleep` would need a descriptor for its first timer.
  private func end() async {
    handler.beginStopping()
    let (drained, pause) = (ContinuousClock.now + options.drain, UInt32(5_000))
    while .now < drained { usleep(pause) }
    daemon.stopListening()
    handler.close()
    func waitForRequests(until end: ContinuousClock.Instant) {
      while handler.counters.underWay.load(ordering: .relaxed) > 0, .now < end { usleep(pause) }
    }
    let end = ContinuousClock.now + options.grace
    waitForRequests(until: end)
    // The grace period of requests that are still being read is over. The pool answers those that it has.
    await pool.shutDown()
    waitForRequests(until: max(end, .now + .milliseconds(200)))
    watch.stop()
    daemon.stop()
    monitoring?.stop()
    log?.stop()
  }
}

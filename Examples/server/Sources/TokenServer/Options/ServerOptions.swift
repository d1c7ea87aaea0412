import FastDecryption
import PaymentToken
import RedisReplayStore

/// What the server is started with.
public struct ServerOptions: Sendable {
  /// The files of keys, roots, TLS and bearer tokens.
  public var files = KeyFileNames()
  /// The time between two checks of the files for changes; nil for no checks.
  public var keyWatchInterval: Duration?
  public var listen = ListenAddress.loopback(port: 8_462)
  /// The address that serves metrics and health, and no tokens; nil to serve them on `listen`.
  public var metricsListen: ListenAddress?
  /// The names of which a client's certificate must have one; empty to take every certificate of the authorities.
  public var clientNames: [String] = []
  /// The file that gets a line for each request, `-` for standard output; nil for none.
  public var accessLog: String?
  public var pool = DecryptionPool.Configuration()
  /// How long a request may wait for its decryption; nil for ever.
  public var deadline: Duration? = .seconds(1)
  /// The time that tokens are verified at, for tests; nil for the clock's.
  public var now: UnixTime?
  /// How far a token's signing time may be from now, in seconds; nil for any distance.
  public var window: UInt32? = 300
  /// How many transactions are remembered, zero for none; nil for a million if there is a window.
  public var replayCapacity: Int?
  /// Whether to refuse tokens that may have been accepted before the replay store began to remember. With the memory of
  /// this process, those signed up to ten seconds after its start (`signingTimes`). With a replay server that is new or
  /// was emptied, all tokens until a lifetime has passed. Nil refuses them only with a replay server.
  public var refusesOlderTokens: Bool?
  /// The server that remembers transactions in place of this process's memory.
  public var replayServer = ReplayServer()
  public var limits = Limits()
  /// For how long the server says that it is not ready before it stops listening.
  public var drain: Duration = .zero
  /// How long requests may take to end once the server has stopped listening.
  public var grace: Duration = .seconds(10)

  /// The defaults.
  public init() {}

  /// Whether only known callers can have tokens opened: those with a client certificate, or over TLS a bearer token.
  public var isClosedToStrangers: Bool {
    files.tlsCertificate != nil && (files.clientAuthority != nil || files.bearerTokens != nil)
  }

  /// How far a signing time may lie ahead of the server's clock, in seconds.
  private static var tolerance: Int64 { 10 }

  /// The signing times of tokens that no earlier process with the same rule can have accepted, if this process's clock
  /// is not behind that of the earlier one.
  ///
  /// Each process accepts signing times up to the tolerance ahead of its clock. So one that ended before the start
  /// accepted none beyond start + tolerance. If the clock was set forward since the start, it was behind at the start:
  /// the time `now` − `elapsed` then replaces `start`.
  ///
  /// - Parameters:
  ///   - start: the clock's time at the start.
  ///   - elapsed: the time since the start by a monotonic clock, measured before `now`.
  public static func signingTimes(
    at now: UnixTime, since start: UnixTime, elapsed: Duration
  ) -> Range<UnixTime> {
    // Never before `start` if the clock ran evenly, as floor(s + e) − floor(e) ≥ floor(s).
    let begun = now.secondsSinceEpoch - elapsed.components.seconds
    let first = max(start.secondsSinceEpoch, begun) + tolerance + 1
    let end = max(first, now.secondsSinceEpoch + tolerance + 1)
    return UnixTime(secondsSinceEpoch: first)..<UnixTime(secondsSinceEpoch: end)
  }

  /// Whether these options let nothing remember transactions.
  public var detectsNoReplays: Bool { window == nil || replayServer.address == nil && replayCapacity == 0 }

  /// The check of signing times and replays.
  ///
  /// - Parameter replay: the store that remembers transactions; nil for the memory of this process, if there is any.
  func freshness(_ replay: (any ReplayStore)?) -> Freshness {
    guard let window else { return .windowOff }
    if let replay { return .window(seconds: window, replay: replay) }
    let capacity = replayCapacity ?? 1_000_000
    if capacity == 0 { return .window(seconds: window) }
    return .window(seconds: window, replay: MemoryReplayStore(capacity: capacity, longestWindow: window))
  }

  /// A Redis or Valkey server that several processes ask about transactions.
  public struct ReplayServer: Sendable {
    /// Nil for none.
    public var address: RedisServer?
    public var passwordFile: String?
    /// The authorities for the server's certificate, and the client's certificate with its key.
    public var authorityFile: String?
    public var certificateFile: String?
    public var keyFile: String?
    /// Replicas that must have received a transaction.
    public var acknowledgingReplicas = 0

    /// Nil without an address.
    func configuration(window: UInt32, waits: Bool) -> RedisReplayStore.Configuration? {
      guard let address else { return nil }
      var configuration = RedisReplayStore.Configuration(server: address)
      configuration.passwordFile = passwordFile
      configuration.authorityFile = authorityFile
      configuration.certificateFile = certificateFile
      configuration.keyFile = keyFile
      configuration.acknowledgingReplicas = acknowledgingReplicas
      configuration.longestWindow = window
      if !waits { configuration.allowances = .restartWithoutLog }
      return configuration
    }

    var isComplete: Bool {
      address != nil || (paths.isEmpty && acknowledgingReplicas == 0)
    }

    /// The paths of all files.
    var paths: [String] { [passwordFile, authorityFile, certificateFile, keyFile].compactMap { $0 } }
  }

  /// Limits of sizes, connections and times.
  public struct Limits: Sendable {
    /// The maximum size of a request's body in bytes, or of a line if the body has a token on each line.
    public var body = Envelope.maximumRequestSize
    public var connections = 256
    /// The most connections from one address; zero for no limit.
    public var connectionsPerAddress = 0
    /// Seconds without a byte after which a connection is closed. A client may take twice as long for a whole request,
    /// and ten times as long for one with a token on each line.
    public var timeout: UInt32 = 10
    /// The minimum number of threads that speak HTTP. More are started if `connections` needs more.
    public var threads = 1

    /// The maximum number of connections: more would need more than 64 threads.
    static var mostConnections: Int { 64 * connectionsPerThread }

    /// libmicrohttpd asks for 128 events at once. If it gets exactly 128, it waits for more before it handles any
    /// (`MHD_epoll` in 0.9.75 to 1.0.1). So a thread must never have that many sockets.
    private static var connectionsPerThread: Int { 120 }

    /// The number of threads for so many connections.
    func neededThreads(for connections: Int) -> Int {
      max(threads, (connections + Self.connectionsPerThread - 1) / Self.connectionsPerThread)
    }

    /// The library's memory for a connection, in bytes: bounds a request's head and the bytes that are read at once.
    var head: Int { 32_768 }

    /// Bytes of a refused body that are read and dropped, so that its sender gets the answer. Beyond that the
    /// connection is closed.
    var refusedBody: Int { body + 1_048_576 }

    /// The most bytes of a body that are read, accepted or not. Lines are kept only until they are opened.
    func readBody(inLines: Bool) -> Int { inLines ? max(TokenLines.mostLines * (body + 2), refusedBody) : refusedBody }
  }
}

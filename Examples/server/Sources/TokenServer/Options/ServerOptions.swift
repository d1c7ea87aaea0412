import FastDecryption
import PaymentToken
import RedisReplayStore

/// What the server is started with.
public struct ServerOptions: Sendable {
  /// Files of keys, certificates and roots.
  public var files = KeyFileNames()
  /// How often the files are looked at for changes; nil for never.
  public var keyWatchInterval: Duration?
  public var listen = ListenAddress.loopback(port: 8_462)
  /// Where metrics and health are, and no tokens; nil for beside the tokens.
  public var metricsListen: ListenAddress?
  /// The names of which a client's certificate must have one; none to take every certificate that is vouched for.
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
  /// Whether tokens are refused that may have been accepted before what remembers transactions began to: by the memory
  /// of this process those signed before its start (`signingTimes`), by a server that is new or was emptied all until
  /// a lifetime has passed. Nil refuses with a server alone.
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

  /// Whether nobody can have a token opened who is not known, whoever reaches the server.
  public var isClosedToStrangers: Bool {
    files.tlsCertificate != nil && (files.clientAuthority != nil || files.bearerTokens != nil)
  }

  /// How far a signing time may lie ahead of the server's clock, in seconds.
  private static var tolerance: Int64 { 10 }

  /// The signing times of tokens that no process with the same rule can have accepted before the start, as long as the
  /// clock of the later one is not behind that of the earlier one.
  ///
  /// Each accepts signing times up to the tolerance ahead of its clock: one that ended before the start accepted none
  /// beyond start + tolerance. A clock that was set forward since then was behind at the start, which is counted back
  /// from now.
  ///
  /// - Parameters:
  ///   - start: what the clock said at the start.
  ///   - elapsed: how long ago that was, whatever the clock did since, measured before `now`.
  public static func signingTimes(
    at now: UnixTime, since start: UnixTime, elapsed: Duration
  ) -> Range<UnixTime> {
    // Never before the start: the whole seconds of a sum are at least those of its parts.
    let begun = now.secondsSinceEpoch - elapsed.components.seconds
    let first = max(start.secondsSinceEpoch, begun) + tolerance + 1
    let end = max(first, now.secondsSinceEpoch + tolerance + 1)
    return UnixTime(secondsSinceEpoch: first)..<UnixTime(secondsSinceEpoch: end)
  }

  /// Whether nothing remembers transactions.
  public var detectsNoReplays: Bool { window == nil || replayServer.address == nil && replayCapacity == 0 }

  /// What is demanded of signing times.
  ///
  /// - Parameter replay: what remembers transactions; nil for the memory of this process.
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
    /// The authorities that may vouch for the server, and the client's certificate with its key.
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
      let files = [passwordFile, authorityFile, certificateFile, keyFile]
      return address != nil || (files.allSatisfy { $0 == nil } && acknowledgingReplicas == 0)
    }
  }

  /// What clients may ask of the server's memory and patience.
  public struct Limits: Sendable {
    /// The bytes of a request's body.
    public var body = Envelope.maximumRequestSize
    public var connections = 256
    /// Connections from one address; zero for as many as there are.
    public var connectionsPerAddress = 0
    /// Seconds without a byte after which a connection is closed. A whole request may take twice as long.
    public var timeout: UInt32 = 10
    /// Threads that speak HTTP, at least; there are more where there may be many connections.
    public var threads = 1

    /// The most connections for which there are threads.
    static var mostConnections: Int { 64 * connectionsPerThread }

    /// libmicrohttpd asks for 128 events at once, and where there are exactly so many it waits for more before it looks
    /// at any (`MHD_epoll` in 0.9.75 to 1.0.1): a thread never has so many sockets.
    private static var connectionsPerThread: Int { 120 }

    /// As many threads as there have to be.
    func neededThreads(for connections: Int) -> Int {
      max(threads, (connections + Self.connectionsPerThread - 1) / Self.connectionsPerThread)
    }

    /// The bytes of a request's head and of what is read at once.
    var head: Int { 32_768 }

    /// Bytes of a refused body that are read and dropped, so that its sender reads why. Beyond, the connection is
    /// closed.
    var refusedBody: Int { body + 1_048_576 }

    /// Bytes of a body that are read, whatever becomes of them. Those of lines are kept only until they are opened.
    func readBody(inLines: Bool) -> Int { inLines ? max(TokenLines.mostLines * (body + 1), refusedBody) : refusedBody }
  }
}

#if Redis

extension RedisReplayStore {
  /// Where the server is, how it is reached, and for how long transactions are remembered.
  public struct Configuration: Sendable {
    /// The primary.
    public var server: RedisServer
    /// The user of the server's access control list; nil for the default user.
    public var user: String?
    /// A file with the password; nil for none. It is read for each connection, without line ends after the password,
    /// and the copy in memory is wiped.
    public var passwordFile: String?
    /// PEM certificates of the authorities that may vouch for the server; nil for the system's.
    public var authorityFile: String?
    /// The client's certificate chain, PEM; nil for none. It requires `keyFile`.
    public var certificateFile: String?
    /// The private key of the client's certificate, PEM.
    public var keyFile: String?
    /// The prefix of all keys. Processes that share transactions must have the same.
    public var prefix = "assay:"
    /// The longest window of the policies that use the store, in seconds. A longer window is answered `.full`.
    public var longestWindow: UInt32 = 300
    /// How far the caller's time may be from the server's clock, in seconds; if further, the answer is `.unavailable`.
    public var clockTolerance: UInt32 = 60
    /// The number of replicas that must have received a transaction before it is fresh (`WAIT`).
    public var acknowledgingReplicas = 0
    /// How long the replicas may take; at least a millisecond.
    public var acknowledgementTimeLimit: Duration = .milliseconds(500)
    /// The maximum number of questions without an answer. Further ones are answered `.unavailable` at once.
    public var capacity = 16_384
    /// How long `insert(_:at:window:)` may take.
    public var timeLimit: Duration = .seconds(1)
    /// How long a connection may take: TCP, TLS, password and checks. The look-up of the name is not included: it
    /// delays the next connection, and no question.
    public var connectTimeLimit: Duration = .seconds(1)
    /// How long the server may be silent while it owes replies. The connection is then given up.
    public var replyTimeLimit: Duration = .seconds(2)
    /// How often the server is asked whether it is still a primary that evicts nothing.
    public var checkInterval: Duration = .seconds(10)
    /// The longest wait before the first connection after one that failed. Waits are random, from 0 to a bound that
    /// doubles each time.
    public var initialBackoff: Duration = .milliseconds(50)
    /// The longest wait before any connection.
    public var maximumBackoff: Duration = .seconds(2)
    /// What the server may do although it may then forget transactions.
    public var allowances: Allowances = []

    /// The defaults.
    public init(server: RedisServer) {
      self.server = server
      user = server.user
    }

    /// For how many seconds the server remembers a transaction.
    public var lifetime: UInt64 { 2 * UInt64(longestWindow) + 2 * UInt64(clockTolerance) + 1 }
  }

  /// What a server may do although transactions can then be accepted twice.
  public struct Allowances: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// It may remove keys when its memory is full (`maxmemory-policy` other than `noeviction`).
    public static let evictingPolicy = Allowances(rawValue: 1)
    /// Its memory may be younger than a lifetime: a new server, or one that was emptied or restarted without a log.
    public static let restartWithoutLog = Allowances(rawValue: 2)
  }

  /// Why a configuration cannot be used, in one sentence.
  public struct ConfigurationError: Error, Hashable, Sendable {
    public let message: String

    init(_ message: String) { self.message = message }
  }
}

extension RedisReplayStore.Configuration {
  func check() throws(RedisReplayStore.ConfigurationError) {
    guard (certificateFile == nil) == (keyFile == nil) else {
      throw .init("A client's certificate and its key are given together, or none.")
    }
    guard capacity >= 1, acknowledgingReplicas >= 0, acknowledgementTimeLimit >= .milliseconds(1),
      timeLimit > .zero, connectTimeLimit > .zero, replyTimeLimit > .zero, checkInterval > .zero,
      initialBackoff > .zero, maximumBackoff >= initialBackoff
    else { throw .init("A capacity or a time limit of the replay store is too small.") }
    guard user == nil || passwordFile != nil else {
      throw .init("A user is given without a password file: the server would take the default user instead.")
    }
    guard lifetime < UInt64(Session.memoryLifetime) else {
      throw .init("The longest window and the tolerance of the clock are together too long.")
    }
    guard acknowledgementTimeLimit < replyTimeLimit else {
      throw .init("The time limit of replicas must be shorter than that of replies.")
    }
    guard prefix.utf8.count <= 256 else { throw .init("The prefix of keys is longer than 256 bytes.") }
    if server.usesTLS { _ = try TLSContext(self) }
  }
}

#endif

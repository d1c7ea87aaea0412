#if Redis

extension RedisReplayStore {
  /// Why no connection is ready for questions.
  public enum Failure: Error, Hashable, Sendable {
    case nameNotFound
    /// The system's error number.
    case unreachable(Int32)
    case connectTimedOut
    case certificateRefused
    case tlsFailed
    case passwordUnreadable
    case passwordRefused
    case notPermitted
    case notPrimary
    case clusterMode
    case evictingPolicy
    /// The server's memory is younger than a lifetime. Questions may be sent to it after this many seconds.
    case mayHaveForgotten(seconds: UInt64)
    /// The clocks of server and system differ by more than the tolerance, so the memory's age cannot be measured.
    case clockDiffers
    case otherSettings
    case loading
    case unknownServer
    case protocolViolation
    case closedByServer
    case replyTimedOut
    /// The first word of the server's error.
    case serverError(String)
    case outOfMemory

    /// A stable code, for logs and metrics.
    public var code: String {
      switch self {
      case .unreachable: "unreachable"
      case .mayHaveForgotten: "mayHaveForgotten"
      case .serverError: "serverError"
      default: "\(self)"
      }
    }

    /// One sentence with the fix. It contains nothing secret.
    public var message: String {
      switch self {
      case .nameNotFound: "The server's name is not found: check the address, or the resolver."
      case .unreachable(let number): "The server cannot be reached (error \(number)): check that it runs and listens."
      case .connectTimedOut: "The connection took too long: check the network, or raise the limit."
      case .certificateRefused:
        "The server's certificate is not vouched for, or is another host's: check the authority file and the address."
      case .tlsFailed: "TLS failed: check that the server's port speaks TLS, and which clients it demands."
      case .passwordUnreadable: "The password file cannot be read: check its path and mode."
      case .passwordRefused: "The server demands a password or refuses this one: check user and password file."
      case .notPermitted: "The user lacks a permission: see the access rules in Examples/redis-replay/README.md."
      case .notPrimary: "The server is a replica: name the primary."
      case .clusterMode:
        "The server is part of a Redis Cluster, whose redirections are not followed: use one primary."
      case .evictingPolicy: "The server may evict keys: set maxmemory-policy noeviction."
      case .mayHaveForgotten(let seconds):
        "The server is new to the store, or may have lost transactions: wait \(seconds) seconds."
      case .clockDiffers: "The clocks of the server and of this machine differ by more than the tolerance: set them."
      case .otherSettings:
        "The server is used with another window or tolerance: give all processes the same (Examples/redis-replay/README.md, Settings)."
      case .loading: "The server is loading its data: wait."
      case .unknownServer: "The server's description of itself is incomplete: use Redis 6.2 or newer, or Valkey."
      case .protocolViolation: "The server's replies are not those of Redis: check the address."
      case .closedByServer: "The server closed the connection: see its log."
      case .replyTimedOut: "The server owed replies for too long: check its load and the network."
      case .serverError(let word): "The server refused a command (\(word)): see its log."
      case .outOfMemory: "There is no memory left."
      }
    }
  }
}

#endif

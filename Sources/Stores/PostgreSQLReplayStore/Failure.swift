#if PostgreSQL

import PaymentToken

extension PostgreSQLReplayStore {
  /// Why a question was answered `.unavailable`, or why a connection or `maintain` failed.
  ///
  /// libpq's own messages are not passed on: they name hosts, users and databases.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no connection.
    case notConnected
    /// More questions wait than `capacity`.
    case overloaded
    /// The question waited for a connection until its deadline.
    case expired
    /// The caller's time is beyond the days that can be stored.
    case timeOutOfRange
    /// No connection to a server that takes writes was made in time: the network, TLS or the authentication failed, or
    /// all servers are standbys.
    case unreachable
    /// The server demands a password, and the connection string names no file with one.
    case passwordMissing
    /// The server's `fsync` is off.
    case fsyncOff
    /// The server's `synchronous_standby_names` demands fewer standbys than the configuration.
    case tooFewSynchronousStandbys
    /// The connection ended before the answer.
    case connectionLost
    /// The server owed an answer for `replyTimeLimit`.
    case replyTimedOut
    /// The server sent a warning with the commit, such as that the transaction may not have reached its standby.
    case mayNotBeReplicated
    /// The server committed with other settings than those that the connection was made with.
    case mayNotLast
    /// The server's error, by its SQLSTATE.
    case refused(sqlState: String)

    /// One sentence with the fix. It contains nothing secret.
    public var message: String {
      switch self {
      case .notConnected: "There is no connection: see the last failure of the store's metrics."
      case .overloaded: "Too many questions wait for a connection: raise the capacity or the number of connections."
      case .expired: "No connection became free in time: raise the number of connections, or look at the server's load."
      case .timeOutOfRange: "The caller's time is before 1970 or millions of years ahead: check its clock."
      case .unreachable:
        "No server that takes writes can be reached: try psql with the same string and target_session_attrs=read-write."
      case .passwordMissing: "The server demands a password: name a passfile in the connection string."
      case .fsyncOff: "The server may lose what it committed: set fsync on."
      case .tooFewSynchronousStandbys:
        "A commit waits for fewer standbys than required: set synchronous_standby_names to FIRST n (…)."
      case .connectionLost: "The server ended the connection: see its log."
      case .replyTimedOut: "The server owed an answer for too long: check its load, its standbys and the network."
      case .mayNotLast:
        "Settings have changed: look at fsync, synchronous_commit, synchronous_standby_names, and for a pooler."
      case .mayNotBeReplicated: "A commit may not have reached the standby: see the server's log."
      case .refused("23514"): "There is no partition for the day: call maintain, and check the clocks."
      case .refused("42P10"):
        "The table has no primary key of day and id: wait until it is restored, or add it with all stores stopped."
      case .refused("42P01"):
        "There is no table: call maintain before the first start; later, check that this is the right database."
      case .refused("42501"):
        "The user lacks a permission: SELECT and INSERT on the table to ask, its ownership or CREATE to maintain it."
      case .refused("57014"):
        "A statement took too long (a lock, the disk, the load) or was cancelled: see the server's log."
      case .refused("55P03"): "Others hold a lock on the table: call maintain again."
      case .refused("22008"): "The caller's clock and the server's differ by more than a day: set them right."
      case .refused("22023"): "The table has a default partition, which would bring dropped days back: detach it."
      case .refused(let state): "The server refused a statement (SQLSTATE \(state)): see its log."
      }
    }
  }

  /// Counts since the start, and the present state.
  public struct Metrics: Sendable {
    public internal(set) var fresh: UInt64 = 0
    public internal(set) var replayed: UInt64 = 0
    public internal(set) var full: UInt64 = 0
    /// Questions that were answered `.unavailable`, by reason. An answer that comes after the caller's deadline is
    /// counted as that answer, though the caller was told `.unavailable` at the deadline.
    public internal(set) var unavailable: [Failure: UInt64] = [:]
    /// Connections that are ready now. If the server has ended one, the store notices it at the next question, and
    /// makes the connection again. The question waits, and the connection is not ready meanwhile.
    public internal(set) var ready = 0
    /// Connections that became ready.
    public internal(set) var connections: UInt64 = 0
    /// Connections that failed, before or after they were ready.
    public internal(set) var failures: UInt64 = 0
    /// Why the last connection failed.
    public internal(set) var lastFailure: Failure?
    /// Questions that wait for a connection.
    public internal(set) var waiting = 0
  }
}

#endif

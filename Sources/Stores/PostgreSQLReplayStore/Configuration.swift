#if PostgreSQL

import CPostgreSQL

extension PostgreSQLReplayStore {
  /// Where the database is, how it is asked, and for how long.
  public struct Configuration: Sendable {
    /// A connection string of libpq, such as `host=db1,db2 dbname=shop user=replay sslrootcert=/etc/shop/ca.pem`.
    ///
    /// It contains no password: name a `passfile` or a `service`. Unless the string itself says otherwise (a service's
    /// file cannot), `sslmode` is `verify-full`, and a dead network ends a connection within seconds. Of several hosts,
    /// the one that takes writes is used.
    public var connection: String
    /// The table with its schema, both of lower-case letters, digits and `_`. The schema is required: along a search
    /// path, another table could be found.
    public var table = "public.assay_replay"
    /// The longest window of the policies that use the store, in seconds, a day at most. A longer window is answered
    /// `.full`.
    public var longestWindow: UInt32 = 300
    /// What a commit waits for.
    public var synchronousCommit = SynchronousCommit.on
    /// The number of standbys that a commit must wait for; required unless `connection` names one host. A server whose
    /// `synchronous_standby_names` demands fewer is refused, when a connection is made and with each answer.
    ///
    /// A failover loses nothing only if every standby that may be promoted is among those that the commit waited for:
    /// with n of them, `FIRST n (…)` and n here. `*`, `FIRST 1 (a, b)` and `ANY 1 (a, b)` wait for one of them, and the
    /// other may be promoted. With 0, and with nil for one host, a failover can lose accepted transactions. The store
    /// cannot see a failover behind that host's name or address.
    public var requiredSynchronousStandbys: Int?
    var requiredStandbys: Int { requiredSynchronousStandbys ?? 0 }
    /// The number of connections, each with a thread.
    public var connections = 4
    /// The maximum number of questions that wait for a connection. Further ones are answered `.unavailable`.
    public var capacity = 100_000
    /// The maximum number of questions in one statement.
    public var largestBatch = 512
    /// How long `insert` waits for an answer, and how long a statement may take; at least a millisecond.
    public var timeLimit: Duration = .seconds(1)
    /// How long a server may owe an answer before the connection is closed. Until then the connection is busy.
    public var replyTimeLimit: Duration = .seconds(10)
    /// The longest wait before the first connection after one that failed. Waits are random, from 0 to a bound that
    /// doubles each time.
    public var initialBackoff: Duration = .milliseconds(50)
    /// The longest wait before any connection.
    public var maximumBackoff: Duration = .seconds(2)

    /// - Parameter connection: a connection string of libpq.
    public init(connection: String) { self.connection = connection }
  }

  /// Values of PostgreSQL's `synchronous_commit` with which a crash of the server loses nothing that was accepted.
  /// Whether a failover loses something depends on `requiredSynchronousStandbys`.
  public enum SynchronousCommit: String, Sendable {
    /// The transaction is on the server's disk, and on those of the standbys that the commit waits for, if any.
    case on
    /// As `on`, and queries on the synchronous standbys see the transaction.
    case remoteApply = "remote_apply"
  }

  /// Why a configuration cannot be used, in one sentence.
  public struct ConfigurationError: Error, Hashable, Sendable {
    public let message: String

    init(_ message: String) { self.message = message }
  }
}

extension PostgreSQLReplayStore.Configuration {
  func check() throws(PostgreSQLReplayStore.ConfigurationError) {
    guard let options = PQconninfoParse(connection, nil) else {
      throw .init("The connection string is none of libpq's.")
    }
    defer { PQconninfoFree(options) }
    var option = options
    var hosts: [String] = []
    while let keyword = option.pointee.keyword {
      defer { option += 1 }
      guard let value = option.pointee.val else { continue }
      let name = String(cString: keyword)
      guard !Self.secrets.contains(name) else {
        throw .init("The connection string contains a password: name a passfile or a service instead.")
      }
      if name == "host" || name == "hostaddr" { hosts.append(String(cString: value)) }
    }
    // A service's file or PGHOST may name several hosts.
    let isOneHost = !hosts.isEmpty && hosts.allSatisfy { !$0.contains(",") }
    guard isOneHost || requiredSynchronousStandbys != nil else {
      throw .init(
        "Unless the connection string names one host, say how many synchronous standbys are required "
          + "(0: a failover may lose accepted transactions).")
    }
    let names = table.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy(Self.isName) else {
      throw .init("The table is schema.table, each 1 to 40 of a-z, 0-9 and _, and no digit first.")
    }
    guard longestWindow <= 86_400 else { throw .init("The longest window is a day.") }
    guard (1...256).contains(connections), capacity >= 1, (1...10_000).contains(largestBatch),
      requiredStandbys >= 0, timeLimit >= .milliseconds(1), replyTimeLimit >= timeLimit,
      initialBackoff > .zero, maximumBackoff >= initialBackoff
    else { throw .init("A number or a time limit of the replay store cannot be used.") }
  }

  private static let secrets: Set = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  private static func isName(_ name: Substring.UTF8View) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...40).contains(name.count), let first = name.first, !digits.contains(first) else { return false }
    return name.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_") }
  }
}

#endif

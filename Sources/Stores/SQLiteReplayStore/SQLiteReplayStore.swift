#if SQLite

import PaymentToken
import Synchronization

/// Remembers transactions in an SQLite database, so that a token is accepted once by all processes of a machine
/// together.
///
/// The test-and-set is one INSERT, which SQLite runs under the database's write lock. Whatever goes wrong (a locked,
/// damaged, missing or full database) answers `.unavailable`: the token is refused, because nobody knows whether it was
/// seen.
///
/// No token is fresh twice, also when clocks are set back. It was signed at s and is asked about only at times n with
/// |s − n| ≤ window, so at times no further apart than twice the window. At the second one its row is still there, or
/// it was forgotten; then `forgottenThrough` is no earlier than the first, and the INSERT's condition does not hold.
public final class SQLiteReplayStore: ReplayStore {
  /// The longest window it may be asked with, in seconds; the same for all users of the database.
  public let longestWindow: UInt32
  private let connection: Mutex<Connection>

  /// Opens the database, and makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: a file on a local disk; SQLite's locks do not hold on network file systems. If the path
  ///     leads to another file while it is open, or its companions `-wal` and `-shm` are moved, the store answers
  ///     `.unavailable`. So a relative path is for a process that does not change its folder.
  ///   - longestWindow: the longest window of the policies it is used with; asked with a longer one it answers `.full`.
  ///   - patience: for how many milliseconds it waits while others write, before it answers `.unavailable`.
  /// - Throws: `SQLiteError` when the database cannot be used, or was made for another `longestWindow`.
  public init(path: String, longestWindow: UInt32 = 300, patience: Int32 = 500) throws(SQLiteError) {
    self.longestWindow = longestWindow
    connection = Mutex(try Connection.open(path: path, patience: patience, longestWindow: longestWindow))
  }

  /// One atomic test-and-set.
  public func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    guard window <= longestWindow else { return .full }
    return connection.withLock { connection in
      do throws(SQLiteError) {
        if try connection.claim(transactionId, at: now) { return .fresh }
        return try connection.contains(transactionId) ? .replayed : .full
      } catch {
        return .unavailable
      }
    }
  }

  /// Deletes rows that are not needed any more, the oldest first, and says how many; to be called now and then, by
  /// anyone.
  ///
  /// - Parameters:
  ///   - now: the caller's time.
  ///   - limit: the most rows to delete, so that others need not wait for long.
  ///   - reserve: for how many seconds rows stay beyond twice the longest window. When the clock is set back by no more
  ///     than that, nothing is refused for it.
  /// - Throws: `SQLiteError`; then nothing was deleted.
  public func forget(at now: UnixTime, limit: Int32 = 10_000, reserve: UInt32 = 86_400) throws(SQLiteError) -> Int {
    let age = 2 * Int64(longestWindow) + Int64(reserve)
    let (before, overflow) = now.secondsSinceEpoch.subtractingReportingOverflow(age)
    if overflow { return 0 }
    return try connection.withLock { connection throws(SQLiteError) in
      try connection.forget(before: before, limit: limit)
    }
  }
}

#endif

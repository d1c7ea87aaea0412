#if SQLite

import CSQLite
import PaymentToken
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Remembers transactions in an SQLite database, so that a token is accepted once by all processes of a machine
/// together.
///
/// The test-and-set is one INSERT, which SQLite runs under the database's write lock. If anything fails (a locked,
/// damaged, missing or full database), the answer is `.unavailable`: the token is refused, because nobody knows whether
/// it was seen. A process that was forked from the one that opened the store also gets `.unavailable`.
///
/// No process can notice that the file was removed or replaced by an older copy while all processes were stopped. Then
/// refuse tokens for twice the longest window.
///
/// No token is fresh twice, even when clocks are set back. A token signed at s is asked about only at times n with
/// |s − n| ≤ window, so two such times are at most twice the window apart. At the second time its row either exists or
/// was forgotten. If forgotten, `forgottenThrough` is no earlier than the first time, and the INSERT inserts nothing.
public final class SQLiteReplayStore: ReplayStore {
  /// The longest supported window, in seconds; the same for all users of the database.
  public let longestWindow: UInt32
  private let connection: Mutex<Connection>
  /// SQLite's connections must not be used in a forked process.
  private let process = getpid()

  /// Opens the database, and makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: a file on a local disk; SQLite's locks do not hold on network file systems. If the path leads to another
  ///     file while it is open, or its companions `-wal` and `-shm` are moved, the store answers `.unavailable`. So
  ///     give a relative path only if the process keeps its working directory. No other code of the process may open
  ///     the file and close it: that ends SQLite's locks (POSIX).
  ///   - longestWindow: the longest window of the policies that use the store; for a longer window it answers `.full`.
  ///     It is written into the database. To change it, stop all processes, delete the three files, and refuse tokens
  ///     for twice the longer window.
  ///   - busyTimeout: how long it waits while others write, before it answers `.unavailable`. Whole milliseconds.
  /// - Throws: `SQLiteError` when the database cannot be used, or was made for another `longestWindow`.
  public init(path: String, longestWindow: UInt32 = 300, busyTimeout: Duration = .milliseconds(500)) throws(SQLiteError)
  {
    self.longestWindow = longestWindow
    connection = Mutex(try Connection.open(path: path, busyTimeout: busyTimeout, longestWindow: longestWindow))
  }

  /// One atomic test-and-set. `.full` also if the clock was set back and the transaction may have been forgotten.
  public func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    guard getpid() == process else { return .unavailable }
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

  /// Deletes rows that are not needed any more, the oldest first, and returns their number. Call it every few minutes,
  /// in any process, until it returns fewer than `limit`.
  ///
  /// - Parameters:
  ///   - now: the caller's time.
  ///   - limit: the most rows to delete, so that others need not wait for long.
  ///   - reserve: for how many seconds rows stay beyond twice the longest window. When the clock is set back by no more
  ///     than that, nothing is refused for it.
  /// - Throws: `SQLiteError`; then nothing was deleted.
  public func forget(at now: UnixTime, limit: Int32 = 10_000, reserve: UInt32 = 86_400) throws(SQLiteError) -> Int {
    guard getpid() == process else { throw SQLiteError(SQLITE_MISUSE) }
    let age = 2 * Int64(longestWindow) + Int64(reserve)
    let (before, overflow) = now.secondsSinceEpoch.subtractingReportingOverflow(age)
    if overflow { return 0 }
    return try connection.withLock { connection throws(SQLiteError) in
      try connection.forget(before: before, limit: max(0, limit))
    }
  }
}

#endif

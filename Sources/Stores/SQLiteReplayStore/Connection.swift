#if SQLite

import CSQLite
import PaymentToken

/// The database with its statements.
struct Connection: ~Copyable {
  // If a statement is finalized after `sqlite3_close_v2`, SQLite closes the database after the last statement.
  private let claim: Statement
  private let find: Statement
  private let newestOfOldest: Statement
  private let raiseHorizon: Statement
  private let delete: Statement
  private let database: Database
  private let files: [UInt64]

  /// Opens the database, and makes its tables if there are none.
  static func open(path: String, busyTimeout: Duration, longestWindow: UInt32) throws(SQLiteError) -> Connection {
    let database = try Database(path: path, busyTimeout: busyTimeout)
    // FULL: a row that was answered as `.fresh` is on the disk, even if the power fails right after the answer.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    try database.execute(schema)
    _ = try Statement("INSERT INTO settings VALUES (1, ?1, NULL) ON CONFLICT DO NOTHING", in: database)
      .run([Int64(longestWindow)])
    // Rows may have been forgotten after twice the window that the database was made with.
    guard try Statement("SELECT longestWindow FROM settings", in: database).run() == Int64(longestWindow) else {
      throw SQLiteError(SQLITE_MISMATCH)
    }
    // A private database (an empty path, or `:memory:`) has no files.
    guard let files = database.files else { throw SQLiteError(SQLITE_CANTOPEN) }
    return Connection(
      claim: try Statement(claim, in: database), find: try Statement(find, in: database),
      newestOfOldest: try Statement(newestOfOldest, in: database),
      raiseHorizon: try Statement(raiseHorizon, in: database), delete: try Statement(delete, in: database),
      database: database, files: files)
  }

  private static let schema: StaticString = """
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS transactions
      (id BLOB PRIMARY KEY CHECK (length(id) = 32), seenAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS transactionsBySeenAt ON transactions (seenAt);
    CREATE TABLE IF NOT EXISTS settings
      (row INTEGER PRIMARY KEY CHECK (row = 1), longestWindow INTEGER NOT NULL, forgottenThrough INTEGER) STRICT;
    COMMIT
    """
  private static let claim: StaticString = """
    INSERT INTO transactions (seenAt, id) SELECT ?1, ?2 FROM settings
      WHERE forgottenThrough IS NULL OR ?1 - 2 * longestWindow > forgottenThrough
      ON CONFLICT (id) DO NOTHING
    """
  private static let find: StaticString = "SELECT 1 FROM transactions WHERE id = ?1"
  private static let newestOfOldest: StaticString = """
    SELECT seenAt FROM (SELECT seenAt FROM transactions WHERE seenAt < ?1 ORDER BY seenAt LIMIT ?2)
      ORDER BY seenAt DESC LIMIT 1
    """
  private static let raiseHorizon: StaticString =
    "UPDATE settings SET forgottenThrough = max(?1, coalesce(forgottenThrough, ?1))"
  private static let delete: StaticString =
    "DELETE FROM transactions WHERE id IN (SELECT id FROM transactions WHERE seenAt <= ?1 ORDER BY seenAt LIMIT ?2)"

  /// Inserts the transaction; false when it is there already, or may have been forgotten.
  func claim(_ id: Bytes32, at now: UnixTime) throws(SQLiteError) -> Bool {
    _ = try claim.run([now.secondsSinceEpoch], id: id)
    guard database.changes == 1 else { return false }
    // A process that opens the path now must find the row.
    guard database.files == files else { throw SQLiteError(SQLITE_READONLY) }
    return true
  }

  func contains(_ id: Bytes32) throws(SQLiteError) -> Bool {
    try find.run(id: id) != nil
  }

  /// Deletes up to `limit` rows that were seen before `time`, and returns their number.
  func forget(before time: Int64, limit: Int32) throws(SQLiteError) -> Int {
    try database.execute("BEGIN IMMEDIATE")
    do {
      guard let newest = try newestOfOldest.run([time, Int64(limit)]) else {
        try database.execute("ROLLBACK")
        return 0
      }
      _ = try raiseHorizon.run([newest])
      _ = try delete.run([newest, Int64(limit)])
      let count = database.changes
      try database.execute("COMMIT")
      return count
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }
}

#endif

#if SQLite

import CSQLite

/// A call of SQLite failed, or the store cannot use the database.
public struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code (https://www.sqlite.org/rescode.html); SQLITE_MISMATCH for another longest window,
  /// SQLITE_CANTOPEN for a database without files that others can open, SQLITE_MISUSE in a forked process.
  public let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  static func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code) }
  }
}

#endif

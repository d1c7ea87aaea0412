#if SQLite

import CSQLite

/// An open database; used by one thread at a time.
struct Database: ~Copyable {
  private let handle: OpaquePointer

  /// - Parameter patience: for how many milliseconds a call waits for the locks of others.
  init(path: String, patience: Int32) throws(SQLiteError) {
    handle = try Self.open(path, patience: patience)
  }

  private static func open(_ path: String, patience: Int32) throws(SQLiteError) -> OpaquePointer {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(path, &opened, flags, nil)
    if code == SQLITE_OK { code = sqlite3_busy_timeout(opened, patience) }
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteError(code)
    }
    return opened
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements without parameters, one after the other.
  func execute(_ text: StaticString) throws(SQLiteError) {
    try SQLiteError.check(sqlite3_exec(handle, text.description, nil, nil, nil))
  }

  /// The caller finalizes it.
  func prepare(_ text: StaticString) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    try SQLiteError.check(
      sqlite3_prepare_v3(handle, text.description, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SQLiteError(SQLITE_ERROR) }
    return statement
  }

  /// Rows that the last statement inserted or deleted.
  var changes: Int { Int(sqlite3_changes64(handle)) }
}

#endif

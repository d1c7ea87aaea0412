#if SQLite

import CSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open database; used by one thread at a time.
struct Database: ~Copyable {
  private let handle: OpaquePointer
  private let path: String
  private let process = getpid()

  /// - Parameter busyTimeout: how long a call waits for the locks of others.
  init(path: String, busyTimeout: Duration) throws(SQLiteError) {
    (handle, self.path) = (try Self.open(path, busyTimeout: busyTimeout), path)
  }

  private static func open(_ path: String, busyTimeout: Duration) throws(SQLiteError) -> OpaquePointer {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var code = sqlite3_open_v2(path, &opened, flags, nil)
    if code == SQLITE_OK {
      code = sqlite3_busy_timeout(
        opened, Int32(min(max(.zero, busyTimeout), .seconds(86_400)) / .milliseconds(1)))
    }
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteError(code)
    }
    return opened
  }

  deinit {
    // A fork that closes it can release the locks of its parent (SQLite, "How To Corrupt An SQLite Database File").
    if getpid() == process { sqlite3_close_v2(handle) }
  }

  /// Runs statements without parameters, one after the other.
  func execute(_ text: StaticString) throws(SQLiteError) {
    try SQLiteError.check(sqlite3_exec(handle, text.description, nil, nil, nil))
  }

  /// Prepares a statement, which the caller finalizes.
  func prepare(_ text: StaticString) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    try SQLiteError.check(
      sqlite3_prepare_v3(handle, text.description, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SQLiteError(SQLITE_ERROR) }
    return statement
  }

  /// The device and inode numbers of three files: the database, by the path that others open, and its `-wal` and
  /// `-shm`, which are beside the file to which a symbolic link leads. Nil if one is missing or the database was moved.
  /// While they are open, no other file has these numbers.
  var files: [UInt64]? {
    var moved: CInt = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK, moved == 0,
      let resolved = sqlite3_db_filename(handle, "main").map({ String(cString: $0) })
    else { return nil }
    var numbers: [UInt64] = []
    for file in [path, resolved + "-wal", resolved + "-shm"] {
      var status = stat()
      guard stat(file, &status) == 0 else { return nil }
      numbers += [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
    return numbers
  }

  /// Rows that the last statement inserted or deleted.
  var changes: Int { Int(sqlite3_changes64(handle)) }
}

#endif

#if SQLite

import CSQLite
import PaymentToken

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let process = getpid()

  init(_ text: StaticString, in database: borrowing Database) throws(SQLiteError) {
    handle = try database.prepare(text)
  }

  deinit {
    if getpid() == process { sqlite3_finalize(handle) }
  }

  /// Runs the statement with the numbers bound to ?1, ?2… and `id` to the next parameter. Returns the first number of
  /// the row; nil if there is none.
  func run(_ numbers: [Int64] = [], id: Bytes32? = nil) throws(SQLiteError) -> Int64? {
    // A statement that was not reset would keep its lock.
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    var index: Int32 = 0
    for number in numbers {
      index += 1
      try SQLiteError.check(sqlite3_bind_int64(handle, index, number))
    }
    if let id {
      let count = Int32(Bytes32.count)
      try SQLiteError.check(
        id.withUnsafeBytes { csqlite_bind_copied_blob(handle, index + 1, $0.baseAddress, count) })
    }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return sqlite3_column_int64(handle, 0)
    case SQLITE_DONE: return nil
    case let code: throw SQLiteError(code)
    }
  }
}

#endif

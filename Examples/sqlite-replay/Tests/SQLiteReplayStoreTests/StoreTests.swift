import CSQLite
import Foundation
import PaymentToken
import SQLiteReplayStore
import Testing

struct StoreTests {
  @Test func `a transaction is fresh once, also after the store was reopened`() throws {
    let folder = try TemporaryFolder()
    do {
      let store = try SQLiteReplayStore(path: folder.database)
      #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
      #expect(store.insert(id(1), at: noon, window: 300) == .replayed)
    }
    let store = try SQLiteReplayStore(path: folder.database)
    #expect(store.insert(id(1), at: after(600), window: 300) == .replayed)
    #expect(store.insert(id(2), at: noon, window: 0) == .fresh)
  }

  @Test func `a longer window than it was made for is refused`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, longestWindow: 300)
    #expect(store.insert(id(1), at: noon, window: 301) == .full)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: folder.database, longestWindow: 301) }
  }

  @Test func `rows are kept twice the window and the reserve, to the second`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, longestWindow: 300)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    #expect(try store.forget(at: after(600), reserve: 0) == 0)
    #expect(try store.forget(at: after(700), reserve: 100) == 0)
    #expect(store.insert(id(1), at: after(600), window: 300) == .replayed)
    #expect(try store.forget(at: after(601), reserve: 0) == 1)
    #expect(store.insert(id(1), at: after(601), window: 300) == .fresh)
  }

  @Test func `the oldest rows go first, no more than asked for`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, longestWindow: 0)
    for number in 0..<10 { #expect(store.insert(id(number), at: after(-Int64(number)), window: 0) == .fresh) }
    #expect(try store.forget(at: after(1), limit: 4, reserve: 0) == 4)
    for number in 0..<6 { #expect(store.insert(id(number), at: after(1), window: 0) == .replayed) }
    for number in 6..<10 { #expect(store.insert(id(number), at: after(1), window: 0) == .fresh) }
  }

  @Test func `after the clock was set back nothing forgotten is fresh again`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, longestWindow: 300)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    #expect(try store.forget(at: after(2_000), reserve: 0) == 1)
    for seconds: Int64 in [0, 1, 600] { #expect(store.insert(id(1), at: after(seconds), window: 300) == .full) }
    #expect(store.insert(id(1), at: after(601), window: 300) == .fresh)
  }

  @Test func `the ends of time do not overflow`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, longestWindow: .max)
    let (first, last) = (UnixTime(secondsSinceEpoch: .min), UnixTime(secondsSinceEpoch: .max))
    #expect(store.insert(id(1), at: first, window: .max) == .fresh)
    #expect(try store.forget(at: first) == 0)
    #expect(try store.forget(at: last) == 1)
    #expect(store.insert(id(1), at: first, window: .max) == .full)
    #expect(store.insert(id(1), at: last, window: .max) == .fresh)
  }

  @Test func `a store that cannot answer refuses`() throws {
    // Locked by another for longer than it waits.
    let locked = try TemporaryFolder()
    let waiting = try SQLiteReplayStore(path: locked.database, patience: 50)
    let writer = try Writer(locked.database)
    try writer.execute("BEGIN IMMEDIATE")
    #expect(waiting.insert(id(1), at: noon, window: 300) == .unavailable)
    try writer.execute("COMMIT")
    #expect(waiting.insert(id(1), at: noon, window: 300) == .fresh)

    // Without its table.
    try writer.execute("DROP TABLE transactions")
    #expect(waiting.insert(id(2), at: noon, window: 300) == .unavailable)
    #expect(throws: SQLiteError.self) { try waiting.forget(at: after(1_000_000)) }

    // Without room for one more page.
    let small = try TemporaryFolder()
    let full = try SQLiteReplayStore(path: small.database)
    let filler = try Writer(small.database)
    try filler.execute("CREATE TRIGGER full BEFORE INSERT ON transactions BEGIN SELECT RAISE(ABORT, 'full'); END")
    #expect(full.insert(id(1), at: noon, window: 300) == .unavailable)

    // No database at all.
    #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: small.url.path) }
    try Data("no database".utf8).write(to: small.url.appending(path: "junk"))
    #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: small.url.appending(path: "junk").path) }
  }
}

/// Another user of the database.
private struct Writer: ~Copyable {
  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    try #require(sqlite3_open(path, &opened) == SQLITE_OK)
    handle = try #require(opened)
  }

  deinit { sqlite3_close(handle) }

  func execute(_ text: String) throws {
    try #require(sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK)
  }
}

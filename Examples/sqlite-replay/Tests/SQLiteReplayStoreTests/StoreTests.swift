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
    for limit in [0, -1] as [Int32] { #expect(try store.forget(at: after(1), limit: limit, reserve: 0) == 0) }
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

  @Test func `in a forked process nothing is asked`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database)
    // Swift does not offer `fork`.
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let child = fork()
    if child == 0 {
      let isRefused = store.insert(id(1), at: noon, window: 300) == .unavailable && (try? store.forget(at: noon)) == nil
      _exit(isRefused ? 7 : 8)
    }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 7 << 8)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1), .zero])
  func `any time to wait can be given`(busyTimeout: Duration) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database, busyTimeout: busyTimeout)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
  }

  @Test func `a store that cannot answer refuses`() throws {
    // Another connection holds the lock for longer than the store waits.
    let locked = try TemporaryFolder()
    let waiting = try SQLiteReplayStore(path: locked.database, busyTimeout: .milliseconds(50))
    let writer = try Writer(locked.database)
    try writer.execute("BEGIN IMMEDIATE")
    #expect(waiting.insert(id(1), at: noon, window: 300) == .unavailable)
    try writer.execute("COMMIT")
    #expect(waiting.insert(id(1), at: noon, window: 300) == .fresh)

    // Without its table.
    try writer.execute("DROP TABLE transactions")
    #expect(waiting.insert(id(2), at: noon, window: 300) == .unavailable)
    #expect(throws: SQLiteError.self) { try waiting.forget(at: after(1_000_000)) }

    // A database that no other process can open.
    for path in ["", ":memory:"] {
      let error = #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: path) }
      #expect(error?.code == SQLITE_CANTOPEN)
    }

    // No database at all.
    #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: locked.url.path) }
    try Data("no database".utf8).write(to: locked.url.appending(path: "junk"))
    #expect(throws: SQLiteError.self) { try SQLiteReplayStore(path: locked.url.appending(path: "junk").path) }
  }
}

/// A disk without room.
struct FullDiskTests {
  @Test(.enabled(if: geteuid() == 0, "only root can mount a volume"))
  func `a full disk makes nothing fresh or forgotten, and room makes it work again`() throws {
    let folder = try TemporaryFolder()
    try #require(mount("none", folder.url.path, "tmpfs", 0, "size=256k") == 0)
    defer { umount2(folder.url.path, Int32(MNT_DETACH)) }
    let store = try SQLiteReplayStore(path: folder.database)
    let room = try #require((0..<100_000).first { store.insert(id($0), at: noon, window: 300) != .fresh })
    #expect(room > 0)
    #expect(store.insert(id(room), at: noon, window: 300) == .unavailable)
    #expect(store.insert(id(0), at: noon, window: 300) == .replayed)
    try #require(mount("none", folder.url.path, "tmpfs", UInt(MS_REMOUNT), "size=1m") == 0)
    #expect(store.insert(id(room), at: noon, window: 300) == .fresh)
  }
}

/// Files of the database are moved: a process that opens the path afterwards has another database, or other locks.
struct MovedDatabaseTests {
  @Test(arguments: ["replay.db", "replay.db-wal", "replay.db-shm"], [true, false])
  func `a database of which a file was removed or renamed accepts nothing`(file: String, isRemoved: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    let url = folder.url.appending(path: file)
    if isRemoved {
      try FileManager.default.removeItem(at: url)
    } else {
      try FileManager.default.moveItem(at: url, to: folder.url.appending(path: "old"))
    }
    #expect(store.insert(id(2), at: noon, window: 300) == .unavailable)
    // Also when there is another file in its place.
    try Data().write(to: url)
    #expect(store.insert(id(3), at: noon, window: 300) == .unavailable)
    #expect(store.insert(id(1), at: noon, window: 300) == .replayed)
  }

  @Test func `a folder that was renamed accepts nothing`() throws {
    let folder = try TemporaryFolder()
    let inner = folder.url.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let store = try SQLiteReplayStore(path: inner.appending(path: "replay.db").path)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    try FileManager.default.moveItem(at: inner, to: folder.url.appending(path: "other"))
    let next = folder.url.appending(path: "inner")
    try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
    let other = try SQLiteReplayStore(path: next.appending(path: "replay.db").path)
    #expect(store.insert(id(2), at: noon, window: 300) == .unavailable)
    #expect(other.insert(id(2), at: noon, window: 300) == .fresh)
  }

  /// Files of two new volumes may have the same inode numbers.
  @Test(.enabled(if: geteuid() == 0, "only root can mount a volume"))
  func `another volume that is mounted over the folder accepts nothing`() throws {
    let folder = try TemporaryFolder()
    var mounted = 0
    defer { for _ in 0..<mounted { umount2(folder.url.path, Int32(MNT_DETACH)) } }
    func mountVolume() throws {
      try #require(mount("none", folder.url.path, "tmpfs", 0, nil) == 0)
      mounted += 1
    }
    try mountVolume()
    let store = try SQLiteReplayStore(path: folder.database)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    try mountVolume()
    let other = try SQLiteReplayStore(path: folder.database)
    #expect(other.insert(id(2), at: noon, window: 300) == .fresh)
    #expect(store.insert(id(2), at: noon, window: 300) == .unavailable)
  }

  @Test func `a link in the path that leads elsewhere accepts nothing`() throws {
    let folder = try TemporaryFolder()
    let link = folder.url.appending(path: "current")
    for name in ["first", "second"] {
      let target = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: "first"))
    let path = link.appending(path: "replay.db").path
    let store = try SQLiteReplayStore(path: path)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: folder.url.appending(path: "second"))
    let other = try SQLiteReplayStore(path: path)
    #expect(other.insert(id(2), at: noon, window: 300) == .fresh)
    #expect(store.insert(id(2), at: noon, window: 300) == .unavailable)
  }

  @Test func `a database that others open, close and forget in is not moved`() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteReplayStore(path: folder.database)
    for number in 0..<20 {
      let other = try SQLiteReplayStore(path: folder.database)
      #expect(other.insert(id(number), at: after(Int64(number) * 100_000), window: 300) == .fresh)
      #expect(try store.forget(at: after(Int64(number) * 100_000)) == (number == 0 ? 0 : 2))
      #expect(store.insert(id(100 + number), at: after(Int64(number) * 100_000), window: 300) == .fresh)
    }
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

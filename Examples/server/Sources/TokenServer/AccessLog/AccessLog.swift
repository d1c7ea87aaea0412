import CMicrohttpd
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file or standard output that gets a line for each request.
///
/// Its own thread writes, so that no request waits for a disk, or for a pipe that nobody reads. Every 50 milliseconds
/// it takes all waiting lines. A line that would make more than `capacity` bytes wait is dropped and counted.
final class AccessLog: Sendable {
  /// Lines of which not all was written.
  let dropped = Atomic<UInt64>(0)
  private let waiting = Guarded<[UInt8]>([])
  private let output: Guarded<LogOutput>
  private let path: String
  private let thread = Guarded<RepeatingThread?>(nil)
  private let isStopping = Atomic<Bool>(false)

  private static var capacity: Int { 4 << 20 }

  /// Opens a file, or standard output for `-`, and starts the thread. Nil if that fails; `errno` says why.
  init?(_ path: String) {
    guard let output = LogOutput(path) else { return nil }
    self.path = path
    self.output = Guarded(output)
    let thread = RepeatingThread { [weak self] in self?.write() }
    guard thread.start() else { return nil }
    self.thread.withLock { $0 = thread }
  }

  /// Takes a line, which ends with a line feed.
  func add(_ line: String) {
    let isTaken = waiting.withLock { waiting in
      guard waiting.count + line.utf8.count <= Self.capacity else { return false }
      waiting.append(contentsOf: line.utf8)
      return true
    }
    if !isTaken { dropped.add(1, ordering: .relaxed) }
  }

  /// Opens the path again, because the file may have been moved away. False if that fails; the old file stays open.
  func reopen() -> Bool {
    if path == "-" { return true }
    guard let output = LogOutput(path) else { return false }
    self.output.withLock { $0 = output }
    return true
  }

  /// Ends the thread and writes the waiting lines. If the output is not ready within 100 milliseconds, drops the rest.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    thread.withLock { $0 }?.stop()
    write()
  }

  private func write() {
    let lines = waiting.withLock { waiting in
      let lines = waiting
      waiting = []
      return lines
    }
    let output = output.withLock { $0 }
    var rest = lines[...]
    while !rest.isEmpty {
      let chunk = Self.wholeLines(of: rest)
      let unwritten = output.write(chunk, while: { !isStopping.load(ordering: .acquiring) })
      rest = rest[(chunk.endIndex - unwritten)...]
      if unwritten > 0 {
        // The rest would fail too: the disk is full, or nobody reads the pipe while the server stops.
        dropped.add(UInt64(rest.count { $0 == UInt8(ascii: "\n") }), ordering: .relaxed)
        return
      }
    }
  }

  /// As many whole lines as a pipe takes at once; one line if that alone is longer.
  private static func wholeLines(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let most = rest.prefix(LogOutput.atomicSize)
    if most.endIndex == rest.endIndex { return most }
    let end = most.lastIndex(of: UInt8(ascii: "\n")) ?? rest.firstIndex(of: UInt8(ascii: "\n"))
    return rest[...(end ?? rest.endIndex - 1)]
  }
}

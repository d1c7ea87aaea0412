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
  /// The number of lines that were not written completely.
  let dropped = Atomic<UInt64>(0)
  private let waiting = Guarded<[UInt8]>([])
  private let output: Guarded<LogOutput>
  private let path: String
  /// The paths of files that the server reads, which must not be the log.
  private let others: [String]
  private let thread = Guarded<RepeatingThread?>(nil)
  private let isStopping = Atomic<Bool>(false)

  private static var capacity: Int { 4 << 20 }

  /// Opens a file, or standard output for `-`.
  ///
  /// - Parameter others: the paths of files that the server reads, which must not be the log.
  init(_ path: String, sparing others: [String]) throws(LogOutput.Failure) {
    self.path = path
    self.others = others
    output = Guarded(try LogOutput(path, sparing: others))
  }

  /// Starts the thread; false if the system has none left.
  func start() -> Bool {
    let thread = RepeatingThread { [weak self] in self?.write() }
    self.thread.withLock { $0 = thread }
    return thread.start()
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
    guard let output = try? LogOutput(path, sparing: others) else { return false }
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
    var rest = lines[...]
    while !rest.isEmpty {
      let output = output.withLock { $0 }
      let isCurrent = { self.output.withLock { $0 === output } }
      let chunk = Self.wholeLines(of: rest)
      let unwritten = output.write(chunk, while: { !isStopping.load(ordering: .acquiring) && isCurrent() })
      rest = rest[(chunk.endIndex - unwritten)...]
      if unwritten > 0, !isCurrent() {
        // The rest goes to the output that has replaced this one, beginning with a whole line.
        let torn = rest.startIndex > 0 && lines[rest.startIndex - 1] != UInt8(ascii: "\n")
        if torn { rest = rest.drop { $0 != UInt8(ascii: "\n") }.dropFirst() }
        dropped.add(torn ? 1 : 0, ordering: .relaxed)
      } else if unwritten > 0 {
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

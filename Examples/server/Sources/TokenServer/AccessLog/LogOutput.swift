#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file, pipe or terminal that lines are appended to, closed with its last owner.
///
/// `@unchecked Sendable`: one thread writes.
final class LogOutput: @unchecked Sendable {
  private let descriptor: Int32
  /// Whether the last thing that was written is a part of a line.
  private var isTorn = false

  /// What a pipe takes as a whole, or not at all.
  static var atomicSize: Int { 4_096 }

  /// Nil when it cannot be opened; `errno` says why. A link is not followed, and a file that is made is its owner's
  /// alone.
  init?(_ path: String) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, flags, 0o600)
    // Nothing is closed then, which would change `errno`.
    if descriptor < 0 { return nil }
    isTorn = path != "-" && Self.endsWithinLine(path)
  }

  /// Whether an existing file ends without a line break: its writer was killed, or its disk was full.
  private static func endsWithinLine(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var last: UInt8 = 0
    let end = lseek(file, 0, SEEK_END)
    return end > 0 && pread(file, &last, 1, end - 1) == 1 && last != UInt8(ascii: "\n")
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes lines when it can do so without waiting; waits for that as long as `condition` holds, and a moment longer.
  ///
  /// - Returns: false when not all was written.
  func write(_ lines: ArraySlice<UInt8>, while condition: () -> Bool) -> Bool {
    var rest = isTorn ? [UInt8(ascii: "\n")] + lines : lines
    while !rest.isEmpty {
      guard isWritable(while: condition) else { return false }
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
      isTorn = !rest.isEmpty
    }
    return true
  }

  private func isWritable(while condition: () -> Bool) -> Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    repeat {
      // Errors are the next write's to tell.
      if poll(&query, 1, 100) > 0 { return true }
    } while condition()
    return false
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

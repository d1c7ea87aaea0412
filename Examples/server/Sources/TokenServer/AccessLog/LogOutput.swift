#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file, pipe or terminal that lines are appended to. `deinit` closes it.
///
/// `@unchecked Sendable`: one thread writes.
final class LogOutput: @unchecked Sendable {
  private let descriptor: Int32
  /// Whether the output ends within a line.
  private var isTorn = false

  /// The most bytes that a pipe takes as a whole or not at all: PIPE_BUF of Linux.
  static var atomicSize: Int { 4_096 }

  /// Why it cannot be opened; a part of a sentence.
  struct Failure: Error {
    let reason: String
  }

  /// Refuses a symbolic link, a file of `others`, and a standard output that cannot be written. A new file has mode
  /// 0600.
  init(_ path: String, sparing others: [String]) throws(Failure) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    descriptor = path == "-" ? dup(STDOUT_FILENO) : open(path, flags, 0o600)
    if descriptor < 0 {
      throw Failure(
        reason: errno == ELOOP
          ? "it is a symbolic link; standard output is -" : strerror(errno).map { String(cString: $0) } ?? "")
    }
    // The program has opened a folder in place of a stream that was closed.
    if path == "-", fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY {
      throw Failure(reason: "standard output is closed")
    }
    var (own, other) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { return }
    for path in others where stat(path, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino {
      throw Failure(reason: "another option names it as a file to read")
    }
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

  /// Writes lines. Waits for the output while `condition` holds, but always up to 100 milliseconds.
  ///
  /// - Returns: how many bytes at the end were not written.
  func write(_ lines: ArraySlice<UInt8>, while condition: () -> Bool) -> Int {
    var rest = isTorn ? [UInt8(ascii: "\n")] + lines : lines
    while !rest.isEmpty {
      guard isWritable(while: condition) else { break }
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
      isTorn = !rest.isEmpty
    }
    // A line feed that ends a torn line is not one of `lines`.
    return min(rest.count, lines.count)
  }

  private func isWritable(while condition: () -> Bool) -> Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    repeat {
      // The next write reports errors.
      if poll(&query, 1, 100) > 0 { return true }
    } while condition()
    return false
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

// The platform's C library, whose module has another name on each system: modules that import HostIO get it.
#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif

// Within Descriptor, `write` and `read` are its own methods.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

/// Reads and writes file descriptors without partial results.
package enum Descriptor {
  /// Writes all of `bytes`; returns the error number, or zero.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let written = systemWrite(descriptor, part)
        if written < 0 && errno == EINTR { continue }
        if written < 0 && errno == EAGAIN && isWritable(descriptor) { continue }
        if written <= 0 { return written < 0 ? errno : EIO }
        rest = rest.dropFirst(written)
      }
      return 0
    }
  }

  /// Waits until a descriptor takes more bytes: another program that shares it may have made it non-blocking.
  private static func isWritable(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while true {
      let count = poll(&waiting, 1, -1)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// Reads until `buffer` is full or the input ends; returns the number of bytes, and the error number or zero.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, failure: Int32) {
    var count = 0
    while count < buffer.count {
      let (got, failure) = readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      if failure != 0 { return (count, failure) }
      if got == 0 { break }
      count += got
    }
    return (count, 0)
  }

  /// What a shell command writes to standard output; empty if it cannot be started.
  package static func output(ofCommand command: String) -> [UInt8] {
    guard let pipe = popen(command, "r") else { return [] }
    defer { pclose(pipe) }
    return readAll(fileno(pipe))
  }

  /// Reads until the input ends, or cannot be read.
  package static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      while case let count = readSome(descriptor, into: buffer).count, count > 0 {
        bytes += UnsafeRawBufferPointer(rebasing: buffer[..<count])
      }
    }
    return bytes
  }

  /// Reads what is available, waiting for at least one byte; none at the end of the input.
  package static func readSome(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> (count: Int, failure: Int32) {
    while true {
      let got = systemRead(descriptor, buffer)
      if got >= 0 { return (got, 0) }
      if errno != EINTR { return (0, errno) }
    }
  }

  /// Whether a read would return at once, because there is input or its end, now or within this time.
  package static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }
}

/// The system's text for an error number.
package enum SystemError {
  package static func text(_ number: Int32) -> String {
    if number == EBADF { return "it is closed" }
    guard let message = strerror(number) else { return "error \(number)" }
    return String(cString: message)
  }
}

import MerchantKeys

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension KeyFile {
  /// The most bytes of a file, a mebibyte.
  private static var limit: Int { 1 << 20 }

  /// Reads a whole file, or what a pipe's writer writes within five seconds, because a reload must end.
  ///
  /// - Parameter option: the option that names the file, and its place among several.
  /// - Throws: `KeyLoadingError`. It names the file, but only the option if the file cannot be opened: the value may be
  ///   a key that was pasted in place of a path.
  init(reading path: String, for option: String, password: Password?) throws(KeyLoadingError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw KeyLoadingError("the file of \(option)", "could not be opened: \(Self.reason(errno))")
    }
    defer { close(descriptor) }
    let deadline = ContinuousClock.now + .seconds(5)
    var failure: Int32 = 0
    // One buffer of the full size never moves, and has no owner but this file, so the bytes can be wiped there.
    self.init(
      name: path,
      bytes: [UInt8](unsafeUninitializedCapacity: Self.limit + 1) { buffer, count in
        while count < buffer.count {
          let got = read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
          if got < 0 {
            failure = errno == EAGAIN ? Self.isReadable(descriptor, before: deadline) ? 0 : ETIMEDOUT : errno
            if failure == 0 || failure == EINTR { continue }
          }
          if got <= 0 { return }
          count += got
        }
      }, password: password)
    guard failure == 0, bytes.count <= Self.limit else {
      wipe()
      throw KeyLoadingError(
        path, failure == 0 ? "is larger than any key or certificate" : "could not be read: \(Self.reason(failure))")
    }
  }

  private static func isReadable(_ pipe: Int32, before deadline: ContinuousClock.Instant) -> Bool {
    var query = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    return poll(&query, 1, Int32(max(.zero, deadline - .now) / .milliseconds(1))) != 0
  }

  private static func reason(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}

/// Why the files of keys, roots, TLS or bearer tokens were not loaded: one sentence without their content.
public struct KeyLoadingError: Error, Hashable, Sendable {
  public let message: String

  init(_ path: String, _ reason: String) {
    message = "\(path) \(reason)."
  }

  init(_ error: KeyError) {
    message = (error.file.map { "\($0): " } ?? "") + "\(error.code.rawValue): \(error.advice)"
  }

  init(message: String) {
    self.message = message
  }
}

#if Redis

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Wakes a thread that waits in `poll`.
///
/// A pipe, and not an eventfd, which macOS does not have.
final class WakeUp: Sendable {
  /// Readable after `wake`.
  let descriptor: Int32
  private let writing: Int32

  /// Nil if the system has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (descriptor, writing) = (ends[0], ends[1])
    let isPrepared = Descriptor.prepare(descriptor) && Descriptor.prepare(writing)
    if !isPrepared { return nil }
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(writing, &byte, 1)
  }

  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
    }
  }
}

/// Settings of file descriptors.
enum Descriptor {
  /// Sets O_NONBLOCK and FD_CLOEXEC; false if the system refuses.
  static func prepare(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
      && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }
}

#endif

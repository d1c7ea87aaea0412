#if Redis

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts threads, which may block.
enum Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread with all signals blocked, SIGPIPE among them; false if the system refuses one.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    // A thread inherits its creator's mask.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let argument = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, nil,
      { raw in
        // glibc's argument is optional, Darwin's is not.
        let pointer: UnsafeMutableRawPointer? = raw
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return false
    }
    #if canImport(Glibc)
    pthread_detach(thread)
    #else
    if let thread { pthread_detach(thread) }
    #endif
    return true
  }
}

/// Wakes a thread that waits in `poll`.
///
/// A pipe, and not an eventfd, which only Linux has.
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
  /// Makes it non-blocking, and closed in programs that are executed; false if the system refuses.
  static func prepare(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
      && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }
}

#endif

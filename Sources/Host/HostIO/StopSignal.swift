/// Ends a run that waits for input: raised by a failure of another thread, or by a handler of signals.
///
/// It is a pipe, because a signal handler may write to one, and a thread can wait for one together with its input.
package final class StopSignal: Sendable {
  private let reading: Int32
  /// Any byte that is written to it raises the signal.
  package let descriptor: Int32

  /// Nil if there are no more descriptors.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, descriptor) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(descriptor)
  }

  /// Raises the signal, which stays raised.
  package func raise() { _ = Descriptor.write([0], to: descriptor) }

  package var isRaised: Bool { Descriptor.isReadable(reading, within: 0) }

  /// Waits until `input` can be read, or has ended; false if the signal is raised.
  func allowsReading(_ input: Int32) -> Bool {
    var waiting = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waiting, 2, -1) < 0 {
      // The read that follows reports the error.
      guard errno == EINTR else { return true }
    }
    return waiting[1].revents == 0
  }
}

import HostIO
import Reports

/// A shell command whose output is read line by line. It is killed with this process.
final class ChildCommand {
  private var process = WorkerProcess()
  private var received: [UInt8] = []

  /// - Throws: `CommandError` when no process could be started.
  init(_ command: String) throws(CommandError) {
    guard process.start(command: command) else {
      throw CommandError(.internalError, "a process could not be started.")
    }
  }

  /// Runs a program with arguments. Swift's runtime writes no backtrace when it crashes.
  ///
  /// - Parameter variables: more environment variables, as shell assignments.
  convenience init(program words: [String], variables: String = "") throws(CommandError) {
    try self.init(
      "SWIFT_BACKTRACE=enable=no \(variables) exec " + words.map(ShellWord.quoted).joined(separator: " "))
  }

  /// The lines received since the last call, after waiting for output.
  func lines(milliseconds: Int32 = 200) -> [String] {
    var descriptors = process.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    received += process.readErrorOutput()
    guard let end = received.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = received[...end].split(separator: UInt8(ascii: "\n")).map { String(streamSafe: $0) }
    received.removeSubrange(...end)
    return lines
  }

  /// Its exit code, or minus the signal that ended it; nil while it runs.
  func end() -> Int32? { process.end().map { $0.signal != 0 ? -$0.signal : $0.code } }

  /// Waits for its end. Returns its exit code, as `end` does, and its last `count` lines.
  func finish(keeping count: Int) -> (code: Int32, lines: [String]) {
    var last: [String] = []
    while true {
      last = (last + lines()).suffix(count)
      guard let code = end() else { continue }
      return (code, (last + lines(milliseconds: 0)).suffix(count))
    }
  }

  /// Sends SIGTERM and kills it.
  func stop() {
    process.interrupt()
    process.stop()
  }

  deinit {
    process.stop()
    process.closeStreams()
  }
}

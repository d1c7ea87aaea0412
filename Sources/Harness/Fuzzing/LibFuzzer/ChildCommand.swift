import CExternals
import HostIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A shell command whose output is read line by line; it dies with this process.
final class ChildCommand {
  private var process = assay_worker()
  private var received: [UInt8] = []
  private(set) var isRunning = true

  /// - Throws: `CommandError` when no process could be started.
  init(_ command: String) throws(CommandError) {
    switch assay_worker_fork(&process, 0) {
    case 1: return
    case 0: Self.become(command)
    default: throw CommandError(.internalError, "a process could not be started.")
    }
  }

  private static func become(_ command: String) -> Never {
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    execv("/bin/sh", &arguments)
    _exit(126)
  }

  /// The lines that came since this was last asked, after waiting a moment for some.
  func lines(milliseconds: Int32 = 200) -> [String] {
    var descriptors = [
      pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: process.error, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, 2, milliseconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(process.error, buffer.baseAddress, buffer.count)
        #else
          Darwin.read(process.error, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    guard let end = received.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = received[...end].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    received.removeSubrange(...end)
    return lines
  }

  /// Its exit code, or minus the signal that ended it; nil as long as it runs.
  func end() -> Int32? {
    var signal: Int32 = 0
    var code: Int32 = 0
    guard isRunning, assay_worker_has_ended(process.pid, &signal, &code) == 1 else { return nil }
    isRunning = false
    return signal != 0 ? -signal : code
  }

  /// Asks it to end, by SIGTERM.
  func interrupt() { if isRunning { Self.send(SIGTERM, process.pid) } }

  func kill() {
    guard isRunning else { return }
    assay_worker_kill(process.pid)
    isRunning = false
  }

  private static func send(_ signal: Int32, _ pid: pid_t) {
    #if canImport(Glibc)
      _ = Glibc.kill(pid, signal)
    #else
      _ = Darwin.kill(pid, signal)
    #endif
  }

  deinit {
    kill()
    close(process.output)
    close(process.error)
  }
}

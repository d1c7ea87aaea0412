import CExternals
import HostIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A copy of this process that works for a while, or becomes a command: its streams, and how it ended.
struct WorkerProcess {
  private var process = assay_worker()
  private(set) var isRunning = false

  /// Forks; the copy does `work`, told where to write, and ends. Whether it could be started.
  mutating func start(_ work: (_ output: Int32) -> Void) -> Bool {
    start(memory: 8 << 30) { output in
      // A termination of the whole group is the watching process's to act upon: here it would look like a crash.
      signal(SIGTERM, SIG_IGN)
      work(output)
    }
  }

  /// Forks, and the copy becomes a shell's command. Whether it could be started.
  mutating func start(command: String) -> Bool {
    start(memory: 0) { _ in
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
      execv("/bin/sh", &arguments)
      _exit(126)
    }
  }

  private mutating func start(memory: UInt64, _ work: (_ output: Int32) -> Void) -> Bool {
    let role = assay_worker_fork(&process, memory)
    if role == 0 {
      work(process.output)
      _exit(0)
    }
    isRunning = role == 1
    return isRunning
  }

  /// What there is to be waited for.
  var descriptors: [Int32] { isRunning ? [process.output, process.error] : [] }

  /// What it told since this was last asked.
  func told() -> [UInt8] { Self.read(process.output, limit: 8 << 20) }

  /// What it wrote to its standard output and standard error since this was last asked.
  func written() -> [UInt8] { Self.read(process.error, limit: 1 << 20) }

  private static func read(_ descriptor: Int32, limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = buffer.withUnsafeMutableBytes { Descriptor.readSome(descriptor, into: $0).count }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// How it ended: a signal or an exit code; nil as long as it runs.
  mutating func end() -> (signal: Int32, code: Int32)? {
    var end: (signal: Int32, code: Int32) = (0, 0)
    guard isRunning, assay_worker_has_ended(process.pid, &end.signal, &end.code) == 1 else { return nil }
    isRunning = false
    return end
  }

  /// Asks it to end, by SIGTERM.
  func interrupt() { if isRunning { _ = kill(process.pid, SIGTERM) } }

  /// Ends it at once.
  mutating func stop() {
    guard isRunning else { return }
    assay_worker_kill(process.pid)
    isRunning = false
  }

  /// After its end, and after the last that it told.
  func closeStreams() {
    close(process.output)
    close(process.error)
  }
}

/// Something done in a copy of this process, which may end by it.
enum IsolatedTask {
  /// How the copy ended.
  enum End {
    case well, badly, late
  }

  /// Does it, and waits so many seconds at most.
  static func run(seconds: Double, _ task: () -> Void) -> End {
    var process = WorkerProcess()
    guard process.start({ _ in task() }) else { return .badly }
    defer { process.closeStreams() }
    let start = MonotonicClock.nanoseconds
    while true {
      if let end = process.end() { return end == (0, 0) ? .well : .badly }
      guard MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) < seconds else {
        process.stop()
        return .late
      }
      usleep(500)
    }
  }
}

import CExternals
import HostIO

/// A forked copy of this process that runs a closure: its streams, and how it ended.
struct WorkerProcess {
  private var process = assay_worker()
  private(set) var isRunning = false

  /// Forks; the copy calls `work` with the descriptor to write to, and exits. Returns whether it could be started.
  mutating func start(_ work: (_ output: Int32) -> Void) -> Bool {
    let role = assay_worker_fork(&process, 8 << 30)
    if role == 0 {
      work(process.output)
      _exit(0)
    }
    isRunning = role == 1
    return isRunning
  }

  /// The descriptors to poll.
  var descriptors: [Int32] { isRunning ? [process.output, process.error] : [] }

  /// What it wrote to its output descriptor since the last call.
  func readOutput() -> [UInt8] { Self.read(process.output, limit: 8 << 20) }

  /// What it wrote to its standard output and standard error since the last call.
  func readErrorOutput() -> [UInt8] { Self.read(process.error, limit: 1 << 20) }

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

  /// The signal or exit code that it ended with, returned once; nil before and after.
  mutating func end() -> (signal: Int32, code: Int32)? {
    var end: (signal: Int32, code: Int32) = (0, 0)
    guard isRunning, assay_worker_has_ended(process.pid, &end.signal, &end.code) == 1 else { return nil }
    isRunning = false
    return end
  }

  /// The processor time that it has used, in nanoseconds; nil where the system does not tell.
  var processorTime: UInt64? { isRunning ? UInt64(exactly: assay_worker_processor_time(process.pid)) : nil }

  /// Kills it and waits for its end.
  mutating func stop() {
    guard isRunning else { return }
    assay_worker_kill(process.pid)
    isRunning = false
  }

  /// Closes its streams, after its end and the last read.
  func closeStreams() {
    close(process.output)
    close(process.error)
  }
}

/// Runs a closure in a forked copy of this process, which it may crash.
enum IsolatedTask {
  /// Whether the copy ends without a failure, before it has used `seconds` of processor time, or ten times that on the
  /// clock (`Watchdog`).
  static func succeeds(within seconds: Double, _ task: () -> Void) -> Bool {
    var process = WorkerProcess()
    guard process.start({ _ in task() }) else { return false }
    defer { process.closeStreams() }
    var watchdog = Watchdog()
    let start = MonotonicClock.nanoseconds
    while true {
      if let end = process.end() { return end == (0, 0) }
      let counted = watchdog.seconds(
        since: start, now: MonotonicClock.nanoseconds, processorTime: process.processorTime)
      guard counted < seconds else {
        process.stop()
        return false
      }
      usleep(500)
    }
  }
}

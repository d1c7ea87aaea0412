import CExternals
import HostIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Something done in a copy of this process, which may end by it.
enum IsolatedTask {
  /// How the copy ended.
  enum End {
    case well, badly, late
  }

  private static func ignoreTermination() {
    #if canImport(Glibc)
      _ = Glibc.signal(SIGTERM, SIG_IGN)
    #else
      _ = Darwin.signal(SIGTERM, SIG_IGN)
    #endif
  }

  /// Does it, and waits so many seconds at most.
  static func run(seconds: Double, _ task: () -> Void) -> End {
    var process = assay_worker()
    switch assay_worker_fork(&process, 8 << 30) {
    case 0:
      // As in a worker: a termination of the whole group is no crash of the task.
      Self.ignoreTermination()
      task()
      _exit(0)
    case 1: break
    default: return .badly
    }
    defer {
      close(process.output)
      close(process.error)
    }
    let start = MonotonicClock.nanoseconds
    var signal: Int32 = 0
    var code: Int32 = 0
    while assay_worker_has_ended(process.pid, &signal, &code) == 0 {
      guard MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) < seconds else {
        assay_worker_kill(process.pid)
        return .late
      }
      usleep(500)
    }
    return signal == 0 && code == 0 ? .well : .badly
  }
}

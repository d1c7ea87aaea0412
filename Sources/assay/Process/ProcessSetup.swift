import CMachine
import HostIO
import PaymentToken

enum ProcessSetup {
  static func prepare() {
    // A core dump would contain keys and card data.
    _ = assay_forbid_core_dumps()
    // A closed pipe becomes a failed write instead of killing the process.
    signal(SIGPIPE, SIG_IGN)
    // So does a file beyond the limit of sizes.
    signal(SIGXFSZ, SIG_IGN)
    forbidBacktraces()
    keepStandardStreams()
    endOnInterrupt()
  }

  /// In a crash Swift's runtime would write the registers and the memory that they point to: keys and card data.
  private static func forbidBacktraces() {
    guard Environment.value("SWIFT_BACKTRACE") == nil, !AllocationPreload.isSanitized else { return }
    for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(crash, SIG_DFL) }
  }

  /// How many files must be allowed to be open at once. Swift's concurrency ends the process where it cannot open its
  /// own four.
  private static let fewestFiles: rlim_t = 32

  /// Why no command can run here; nil if one can.
  static var refusal: String? {
    var limit = rlimit()
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < fewestFiles else { return nil }
    return
      "only \(limit.rlim_cur) files may be open at once, and assay needs \(fewestFiles): raise the limit (ulimit -n)."
  }

  /// A standard stream that is closed stays unusable: the next file that is opened would take its number, and the
  /// answer would be written into it.
  private static func keepStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      _ = open("/", O_RDONLY)
    }
  }

  private static func endOnInterrupt() {
    // Shells make background processes ignore interrupts: that stays.
    var before = sigaction()
    guard sigaction(SIGINT, nil, &before) == 0, !isIgnored(before) else { return }
    signal(SIGINT) { _ in _exit(130) }
    // Parents that block signals in their threads pass the mask on.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// The only place that reads the time of day; engines take it as an argument.
enum WallClock {
  static var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(time(nil))) }
}

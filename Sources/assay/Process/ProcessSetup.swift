import CMachine
import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum ProcessSetup {
  static func prepare() {
    // A core dump would contain keys and card data.
    _ = assay_forbid_core_dumps()
    // A closed pipe becomes a failed write instead of killing the process.
    signal(SIGPIPE, SIG_IGN)
    endOnInterrupt()
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

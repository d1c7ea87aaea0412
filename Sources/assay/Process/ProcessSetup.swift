import CMachine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is settled before anything is read.
enum ProcessSetup {
  static func prepare() {
    // A core dump would hold keys and card data.
    _ = assay_forbid_core_dumps()
    // A reader that goes away shows as a failed write instead of a killed process.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in _exit(130) }
  }
}

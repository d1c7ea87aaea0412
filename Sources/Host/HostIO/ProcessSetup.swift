import CMachine
import Synchronization

/// The descriptor to which the next interrupt writes a byte; -1 if the interrupt ends the process.
private let interruptDescriptor = Atomic<Int32>(-1)

/// Prepares this process for keys and card data, and for limits of the system.
package enum ProcessSetup {
  /// Whether the program was built with a sanitizer.
  package static var isSanitized: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

  /// Forbids core dumps, and keeps signals and closed streams from doing harm. Call it first.
  package static func prepare() {
    // A core dump would contain keys and card data.
    let isCoreForbidden = assay_forbid_core_dumps() == 0
    // A closed pipe becomes a failed write instead of killing the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that exceeds the size limit (`ulimit -f`) also becomes a failed write.
    signal(SIGXFSZ, SIG_IGN)
    forbidBacktraces()
    if addressSpace < .max { assay_share_one_arena() }
    keepStandardStreams()
    endOnInterrupt()
    if !isCoreForbidden {
      Console.remark("core dumps could not be forbidden: a crash may write keys and card data to disk (ulimit -c 0).")
    }
  }

  /// In a crash, Swift's runtime would print the registers and the memory that they point to: keys and card data.
  private static func forbidBacktraces() {
    guard Environment.value("SWIFT_BACKTRACE") == nil, !isSanitized else { return }
    for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(crash, SIG_DFL) }
  }

  /// Why a command cannot run here; nil if it can.
  ///
  /// Below these limits a signal would end the command: Swift's concurrency cannot open its own four files, the stack
  /// overflows, or an allocation fails. Each limit is about twice what was measured on x86-64 with two CPUs. The
  /// exception is the address space of large commands: it is what `corpus lint` takes, the largest of them.
  ///
  /// - Parameter isLarge: whether the command keeps a corpus, or the engines and tokens of a measurement, in memory.
  package static func refusal(isLarge: Bool) -> String? {
    let addresses: rlim_t = isLarge ? 512 : 128
    return refusal(RLIMIT_NOFILE, least: 32, "open files", "ulimit -n")
      ?? refusal(RLIMIT_STACK, least: 1_024, unit: 1 << 10, "kB of stack", "ulimit -s")
      ?? refusal(RLIMIT_AS, least: addresses, unit: 1 << 20, "MB of address space", "ulimit -v")
      ?? refusal(RLIMIT_DATA, least: addresses, unit: 1 << 20, "MB of data", "ulimit -d")
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
  #else
    private typealias Resource = Int32
  #endif

  private static func refusal(
    _ resource: Resource, least: rlim_t, unit: rlim_t = 1, _ name: String, _ option: String
  ) -> String? {
    guard let limit = allowed(resource), limit < least * unit else { return nil }
    return "only \(limit / unit) \(name) are allowed, and assay needs \(least): raise the limit (\(option))."
  }

  private static func allowed(_ resource: Resource) -> rlim_t? {
    var limit = rlimit()
    #if canImport(Glibc)
      let isKnown = getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
    #else
      let isKnown = getrlimit(resource, &limit) == 0
    #endif
    return isKnown ? limit.rlim_cur : nil
  }

  private static var addressSpace: rlim_t { allowed(RLIMIT_AS) ?? .max }

  /// The number of threads, at most `count`, that fit into the address space: 144 MB are more than a thread's stack of
  /// the usual size and its tokens take.
  package static func affordableThreads(_ count: Int) -> Int {
    let room = addressSpace >> 20
    return Int(min(rlim_t(count), 1 + (room - min(room, 128)) / 144))
  }

  /// Keeps closed standard streams unusable. Otherwise the next file that is opened would take the number of the
  /// stream, and the answer would be written into the file.
  private static func keepStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
      assay_open_unusable()
    }
  }

  /// From now on the first interrupt raises `stop`, and the second ends the process. For commands that must finish the
  /// line that they write. `stop` must live as long as the process.
  package static func raiseOnInterrupt(_ stop: StopSignal) {
    interruptDescriptor.store(stop.descriptor, ordering: .relaxed)
    var before = sigaction()
    guard sigaction(SIGINT, nil, &before) == 0, !FileWriter.isIgnored(before) else { return }
    signal(SIGINT) { _ in
      let number = errno
      let descriptor = interruptDescriptor.exchange(-1, ordering: .relaxed)
      if descriptor < 0 { _exit(130) }
      var byte: UInt8 = 0
      _ = write(descriptor, &byte, 1)
      errno = number
    }
  }

  private static func endOnInterrupt() {
    // Shells make background processes ignore interrupts. Leave that as it is.
    var before = sigaction()
    guard sigaction(SIGINT, nil, &before) == 0, !FileWriter.isIgnored(before) else { return }
    signal(SIGINT) { _ in _exit(130) }
    // Parents that block signals in their threads pass the mask on.
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
  }
}

extension Environment {
  /// The path of this program; nil if the system does not say.
  package static func programPath() -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress, assay_program_path(start, buffer.count) > 0 else { return nil }
      return String(cString: start)
    }
  }
}

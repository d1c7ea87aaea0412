import CMicrohttpd
import PaymentToken
import TokenServer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes a line for people to standard error.
func remark(_ text: String) {
  var line = "token-server: \(text)\n"
  line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

// Opens a folder in place of each closed standard stream. Otherwise the next file that is opened would get its number.
for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
  _ = open("/", O_RDONLY)
}
// In a crash Swift's runtime would print the registers and the memory that they point to: keys and card data.
if getenv("SWIFT_BACKTRACE") == nil {
  for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] { signal(crash, SIG_DFL) }
}
guard cmicrohttpd_forbid_core_dumps() == 0 else {
  remark("core dumps cannot be forbidden.")
  exit(70)
}
if CommandLine.arguments.contains("--help") {
  print(ServerOptions.help, terminator: "")
  exit(0)
}
let options: ServerOptions
do throws(UsageError) {
  options = try ServerOptions(arguments: CommandLine.arguments.dropFirst())
} catch {
  remark("\(error.message) See --help.")
  exit(64)
}

// Blocked before any thread starts, because threads inherit the mask. Only this thread takes the signals.
var signals = sigset_t()
sigemptyset(&signals)
for number in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, number) }
pthread_sigmask(SIG_BLOCK, &signals, nil)
// A client that goes away shows as a failed write instead of an ended process.
signal(SIGPIPE, SIG_IGN)
// A log that exceeds the file size limit shows as a failed write, too.
signal(SIGXFSZ, SIG_IGN)
// Other programs reopen their logs or show their state at these signals. By default, the signals end the process.
for number in [SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }

// Note the files before they are read, so that no change is missed.
let watchedFiles = KeyWatch(options.files)
let server: Server
do throws(Server.StartFailure) {
  server = try Server(options)
} catch {
  remark(error.message)
  exit(2)
}
if !options.listen.isLoopback && !options.isClosedToStrangers {
  remark(
    "other machines can reach this address: demand certificates of clients, or let nobody but a proxy that does through."
  )
}
if let now = options.now { remark("every token is verified at \(now.rfc3339), for tests: leave out --now.") }
if options.detectsNoReplays {
  remark("a token is accepted any number of times: replays need --window and --replay.")
} else if options.replayServer.address == nil, options.refusesOlderTokens != true {
  remark("tokens that were accepted before this start are accepted again: see --replay and --replay-before-start.")
}
if options.replayServer.address != nil, options.refusesOlderTokens == false {
  remark(
    "tokens that the replay server has forgotten are accepted again: leave out --replay-before-start after a lifetime.")
}
/// Warns of an expired certificate: clients refuse it, and nothing else here shows that.
func remarkOnCertificate() {
  guard let end = server.certificateExpiry, end < UnixTime(secondsSinceEpoch: Int64(time(nil))) else { return }
  remark("clients will refuse the certificate of --tls-cert: it expired at \(end.rfc3339).")
}
remarkOnCertificate()
remark("listening on \(server.address)")
if let address = server.metricsAddress { remark("metrics and health on \(address)") }
if let problem = server.waitForReplayStore(for: .seconds(1)) {
  remark("no token is accepted until the replay store is connected: \(problem)")
}

// This thread takes signals and watches the files. It bounds the time to stop without a timer, because the process may
// have no thread and no descriptor left.
var watch = watchedFiles
let interval = options.keyWatchInterval
var nextLook = interval.map { ContinuousClock.now + $0 }
// When to exit although stopping has not finished, for example because a replay store does not answer.
var bound: ContinuousClock.Instant?
var endOfDrain: ContinuousClock.Instant?
/// Why the last reading of the files failed; nil if it did not.
var failure: String?

/// Reads the files again.
///
/// - Parameter isAsked: whether somebody asks for it. The watch tries failing files again and again, and each failure
///   is reported once.
@MainActor func readFiles(isAsked: Bool) {
  if !server.reopenAccessLog() { remark("the access log could not be opened again, the old one stays") }
  do throws(KeyLoadingError) {
    try server.reloadKeys()
    remark("keys read again")
    remarkOnCertificate()
    failure = nil
  } catch {
    if isAsked || failure != error.message { remark("keys not read again, the old ones stay: \(error.message)") }
    failure = error.message
  }
}

/// Whether tokens are still taken. Afterwards no file is read, because a file that is a pipe could delay the end.
@MainActor func takesTokens() -> Bool { endOfDrain.map { ContinuousClock.now < $0 } ?? true }

while true {
  let now = ContinuousClock.now
  if let bound, now >= bound {
    remark("stopped, but not all that was taken is answered")
    _exit(70)
  }
  if let look = nextLook, let interval, now >= look {
    nextLook = now + interval
    if takesTokens(), watch.demandsReading(hasFailed: failure != nil) { readFiles(isAsked: false) }
  }
  let pause = [bound, nextLook].compactMap { $0 }.min().map { max(.zero, $0 - .now) } ?? .seconds(3_600)
  switch cmicrohttpd_next_signal(&signals, Int64(pause / .milliseconds(1)) + 1) {
  case SIGHUP: if takesTokens() { readFiles(isAsked: true) }
  case SIGTERM, SIGINT:
    // Further signals change nothing: stopping has a bound.
    guard bound == nil else { break }
    remark("stopping")
    endOfDrain = .now + options.drain
    bound = .now + options.drain + options.grace + .seconds(5)
    server.stop {
      remark("stopped")
      exit(0)
    }
  default: break
  }
}

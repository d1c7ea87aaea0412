import CMicrohttpd
import Synchronization
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
// So does a log that exceeds the limit of file sizes.
signal(SIGXFSZ, SIG_IGN)

// Before the files are read.
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
remark("listening on \(server.address)")
if let address = server.metricsAddress { remark("metrics and health on \(address)") }
if let problem = server.waitForReplayStore(for: .seconds(1)) {
  remark("no token is accepted until the replay store is connected: \(problem)")
}

/// Whether the last reading of the files failed.
let hasFailed = Atomic(false)
if let interval = options.keyWatchInterval {
  Task.detached {
    var watch = watchedFiles
    while true {
      try await Task.sleep(for: interval)
      if watch.demandsReading(hasFailed: hasFailed.load(ordering: .relaxed)) { kill(getpid(), SIGHUP) }
    }
  }
}

var number: Int32 = 0
// The last failure that was reported: the watch tries failing files again and again, and each is reported once.
var told: String?
while sigwait(&signals, &number) == 0, number == SIGHUP {
  if !server.reopenAccessLog() { remark("the access log could not be opened again, the old one stays") }
  do throws(KeyLoadingError) {
    try server.reloadKeys()
    hasFailed.store(false, ordering: .relaxed)
    remark("keys read again")
    told = nil
  } catch {
    hasFailed.store(true, ordering: .relaxed)
    if told != error.message { remark("keys not read again, the old ones stay: \(error.message)") }
    told = error.message
  }
}
remark("stopping")
let running = server
Task.detached {
  await running.stop()
  remark("stopped")
  exit(0)
}
// The end may never come, for example if a replay store does not answer.
let bound = options.drain + options.grace + .seconds(5)
Task.detached {
  try await Task.sleep(for: bound)
  remark("stopped, but not all that was taken is answered")
  exit(70)
}
// Further signals change nothing: stopping has a bound.
while true { sigwait(&signals, &number) }

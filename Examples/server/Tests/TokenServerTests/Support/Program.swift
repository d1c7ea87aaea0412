import Foundation
import Testing

extension [String] {
  /// The same options with another value for `option`, which is added if it is missing and may occur only once.
  func replacing(_ option: String, by value: String) -> [String] {
    guard let index = firstIndex(of: option) else { return self + [option, value] }
    return self[...index] + [value] + self[(index + 2)...]
  }
}

/// A process that runs the program.
final class Program {
  let address: String
  /// The address of metrics and health, if they have their own.
  let metricsAddress: String?
  private let process = Process()
  private let log: Log

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - words: a command that starts the program, such as setpriv with its options.
  ///   - trace: a file for its system calls.
  init(_ arguments: [String], through words: [String] = [], trace: String? = nil) throws {
    // With -D the tracer is a descendant of the program, so signals go to the program.
    log = try Self.start(process, arguments, through: trace.map { ["strace", "-D", "-f", "-o", $0] } ?? words)
    let line = try #require(log.wait(for: "listening on "))
    address = try #require(line.split(separator: " ").last.map(String.init))
    let other = arguments.contains("--metrics-listen") ? log.wait(for: "health on ") : nil
    metricsAddress = other?.split(separator: " ").last.map(String.init)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Starts the program with arguments that it must refuse. Returns what it writes, and its exit status. If it listens,
  /// it is killed, and the status is the number of that signal.
  static func refusal(
    _ arguments: [String], through words: [String] = []
  ) throws -> (text: String, status: Int32) {
    let process = Process()
    let log = try start(process, arguments, through: words)
    if log.wait(for: "listening on ") != nil { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return (log.wait(for: nil) ?? "", process.terminationStatus)
  }

  var processIdentifier: pid_t { process.processIdentifier }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The first line that contains `text`; nil if it is not written within 20 seconds.
  func wait(for text: String) -> String? { log.wait(for: text) }

  /// The number of lines that contain `text`.
  func count(_ text: String) -> Int { written.split(separator: "\n").count { $0.contains(text) } }

  /// Whether it ends within this time.
  func ends(within time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while process.isRunning, .now < end { usleep(10_000) }
    return !process.isRunning
  }

  func waitForExit() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Everything it wrote.
  var written: String { log.text }

  /// Whether a sanitiser has put its own allocator in place of the system's.
  static var isSanitized: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

  /// Its resident memory in bytes.
  var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)) ?? ""
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
  }

  /// Whether its writable memory contains a text, freed blocks included.
  func memoryContains(_ text: String) throws -> Bool {
    let process = "/proc/\(process.processIdentifier)"
    let memory = try #require(FileHandle(forReadingAtPath: "\(process)/mem"))
    for region in try String(contentsOfFile: "\(process)/maps", encoding: .utf8).split(separator: "\n") {
      let words = region.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard words[1].hasPrefix("rw") else { continue }
      try memory.seek(toOffset: bounds[0])
      let bytes = try #require(try memory.read(upToCount: Int(bounds[1] - bounds[0])))
      if bytes.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  /// Whether this process may read the program's memory although that is not dumpable: by CAP_SYS_PTRACE.
  static var isReadable: Bool {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
    return capabilities & 1 << 19 != 0
  }

  static var canBeLimited: Bool { (try? Tool(["prlimit", "--version"])?.status) == 0 }

  /// Sets one of its limits, as an option of prlimit.
  ///
  /// - Parameter words: the command that the program was started through.
  func limit(_ option: String, through words: [String] = []) throws {
    try #require(try Tool(words + ["prlimit", "--pid", String(processIdentifier), option])?.status == 0)
  }

  /// A command that starts a program without the rights of root, whom limits do not bind; nil if there is none.
  static var withoutRights: [String]? {
    if getuid() != 0 { return [] }
    let words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    return (try? Tool(words + ["true"])?.status) == 0 ? words : nil
  }

  /// Whether system calls can be traced.
  static var canBeTraced: Bool { (try? Tool(["strace", "-o", "/dev/null", "true"])?.status) == 0 }

  private static func start(_ process: Process, _ arguments: [String], through words: [String]) throws -> Log {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "token-server")
    process.executableURL = words.isEmpty ? program : URL(filePath: "/usr/bin/env")
    process.arguments = (words.isEmpty ? [] : words + [program.path]) + arguments
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    // A thread of Swift's executor blocks most signals, and processes that it starts would inherit that.
    var (none, previous) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    try process.run()
    return Log(output.fileHandleForReading)
  }

  /// What the program writes, read as it comes.
  private final class Log: @unchecked Sendable {
    private let condition = NSCondition()
    private var bytes = Data()
    private var isEnded = false

    init(_ handle: FileHandle) {
      Thread.detachNewThread { [self] in
        while true {
          let part = handle.availableData
          condition.withLock {
            bytes += part
            isEnded = part.isEmpty
            condition.broadcast()
          }
          if part.isEmpty { return }
        }
      }
    }

    var text: String { condition.withLock { String(decoding: bytes, as: UTF8.self) } }

    /// The first line that contains `text`; for nil, all that was written until the program ended. Nil after 20
    /// seconds, or if the program ends without the line.
    func wait(for text: String?) -> String? {
      condition.lock()
      defer { condition.unlock() }
      let end = Date().addingTimeInterval(20)
      while true {
        let written = String(decoding: bytes, as: UTF8.self)
        if let text, let line = written.split(separator: "\n").first(where: { $0.contains(text) }) {
          return String(line)
        }
        if isEnded { return text == nil ? written : nil }
        guard condition.wait(until: end) else { return nil }
      }
    }
  }
}

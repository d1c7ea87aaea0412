import Foundation
import TestSupport
import Testing

/// The built program, run as users run it.
enum Program {
  struct Outcome {
    let status: Int32
    let output: Data
    let error: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The answer as a JSON object. It must follow its schema, if there is one.
    func json() throws -> [String: Any] {
      JSONSchema.check(output)
      return try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
    }
  }

  /// The program, which is built beside the test bundle.
  static let url = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().resolvingSymlinksInPath()
    .appending(path: "assay")

  /// - Parameter input: a file for standard input; /dev/null if nil.
  static func run(
    _ arguments: [String], input: URL? = nil, environment: [String: String] = [:], program: URL = url
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files, not pipes: both streams can be of any length without anybody reading along.
    let folder = try TemporaryFolder()
    let (output, error) = (folder.path("stdout"), folder.path("stderr"))
    for path in [output, error] { try Data().write(to: URL(filePath: path)) }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: error))
    try process.run()
    process.blockUntilExit()
    let outcome = Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: try FileText.data(output), error: try FileText.text(error))
    if program == url || arguments.contains(url.path) {
      for finding in OutputSearch(arguments, input: input).findings(output: outcome.output, error: outcome.error) {
        Issue.record("assay \(arguments.joined(separator: " ")) writes \(finding)")
      }
    }
    return outcome
  }

  /// Runs a command of the shell in which `assay` is the program, with arguments from `$1` on.
  static func shell(
    _ command: String, _ arguments: [String] = [], in folder: TemporaryFolder? = nil
  ) throws -> Outcome {
    let change = folder.map { "cd '\($0.url.path)' || exit\n" } ?? ""
    // `run` searches the output for secrets if the program is among the arguments.
    let words = ["-c", "assay() { \"$0\" \"$@\"; }\n\(change)\(command)", url.path] + arguments
    return try run(words, program: URL(filePath: "/bin/sh"))
  }

  /// Python, which makes the pseudoterminals; nil if it is not installed.
  static let python = InstalledProgram.find("python3")

  /// Runs the program with a pseudoterminal of 24 lines as one of its streams.
  ///
  /// - Parameters:
  ///   - stream: the name of the stream, `stdin`, `stdout` or `stderr`. What the program writes to the terminal is the
  ///     output of the outcome; with `stderr`, its standard output is discarded.
  ///   - input: what is typed on the terminal.
  static func runOnTerminal(
    _ arguments: [String], as stream: String, columns: Int = 80, typing input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let script = """
      from fcntl import ioctl; import os, pty, struct, subprocess, sys, termios
      master, terminal = pty.openpty()
      ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, int(sys.argv[2]), 0, 0))
      # No CR before each LF, and no echo.
      modes = termios.tcgetattr(terminal)
      modes[1] &= ~termios.OPOST
      modes[3] &= ~termios.ECHO
      termios.tcsetattr(terminal, termios.TCSANOW, modes)
      os.write(master, sys.argv[3].encode())
      streams = {"stdout": subprocess.DEVNULL if sys.argv[1] == "stderr" else None} | {sys.argv[1]: terminal}
      program = subprocess.Popen(sys.argv[4:], **streams)
      os.close(terminal)
      try:
        while part := os.read(master, 4096): os.write(1, part)
      except OSError: pass # how Linux tells the end
      sys.exit(program.wait())
      """
    return try run(
      ["-c", script, stream, String(columns), input, url.path] + arguments,
      environment: ["COLUMNS": ""].merging(environment) { $1 }, program: URL(filePath: try #require(python)))
  }

  /// Starts a program in the background. Its streams are a `Pipe` or a `FileHandle` each.
  static func start(
    _ arguments: [String], program: URL = url, input: Any = FileHandle.nullDevice,
    output: Any = FileHandle.nullDevice, error: Any = FileHandle.nullDevice
  ) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    // A shell starts background jobs with SIGINT ignored, and the program would inherit that.
    signal(SIGINT, SIG_DFL)
    try process.run()
    return process
  }

  /// The children of a process; empty if it has ended.
  static func children(of process: pid_t) -> [pid_t] {
    let list = (try? FileText.text("/proc/\(process)/task/\(process)/children")) ?? ""
    return list.split(separator: " ").compactMap { pid_t($0) }
  }

  /// Runs the program with a pipe as standard output that nobody reads.
  static func runWithoutReader(
    _ arguments: [String], input: Any = FileHandle.nullDevice
  ) throws -> (status: Int32, error: Data) {
    let (output, error) = (Pipe(), Pipe())
    try output.fileHandleForReading.close()
    let process = try start(arguments, input: input, output: output, error: error)
    process.blockUntilExit()
    #expect(process.terminationReason == .exit)
    try error.fileHandleForWriting.close()
    return (process.terminationStatus, try error.fileHandleForReading.readToEnd() ?? Data())
  }

  /// Returns once a program handles interrupts, or has ended; where that cannot be seen, after a second.
  static func blockUntilInterruptsAreHandled(by process: Process) {
    let interrupt: UInt64 = 1 << (SIGINT - 1)
    while process.isRunning {
      guard let status = try? FileText.text("/proc/\(process.processIdentifier)/status") else {
        return Thread.block(forSeconds: 1)
      }
      let handled = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        .flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
      if let handled, handled & interrupt != 0 { return }
      Thread.block(forSeconds: 0.01)
    }
  }
}

/// A folder with a minted token and what opens it.
struct MintedFolder {
  static let time = "2026-03-01T12:00:00Z"
  /// The account number and the cryptogram of minted tokens.
  static let accountNumber = "4111111111111111"
  static let cryptogram = "WlpaWlpaWlpaWlpaWlpaWlpaWlo="

  let folder: TemporaryFolder

  init(_ options: [String] = []) throws {
    folder = try TemporaryFolder()
    let outcome = try Program.run(["mint", "--out", folder.url.path, "--seed", "7", "--at", Self.time] + options)
    try #require(outcome.status == 0, "\(outcome.error)")
  }

  var token: String { folder.path("token.json") }

  /// The options that open the token.
  var options: [String] {
    [
      "--key", folder.path("merchant.key"), "--cert", folder.path("merchant.pem"), "--root", folder.path("root.pem"),
      "--at", Self.time,
    ]
  }

  func decrypt(_ more: [String] = [], input: URL? = nil) throws -> Program.Outcome {
    try Program.run(["decrypt"] + (input == nil ? [token] : []) + options + more, input: input)
  }
}

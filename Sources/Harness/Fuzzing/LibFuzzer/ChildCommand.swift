import Differential
import HostIO
import Reports

/// A shell command whose standard output and standard error are read line by line. It is killed with this process.
package final class ChildCommand {
  private let process: ExternalProcess
  /// How it ended, once all its lines were read; nil before that.
  package private(set) var end: ExternalEnd?

  /// - Throws: `CommandError` when no process could be started.
  package init(_ command: String) throws(CommandError) {
    var program = ExternalProgram(command: "exec 2>&1; \(command)")
    program.answerLimit = .max
    program.addressSpaceLimit = nil
    program.processorLimit = 0
    do throws(ExternalFailure) {
      process = try ExternalProcess(program)
    } catch {
      throw CommandError(.internalError, "a process could not be started.")
    }
  }

  /// Runs a program with arguments, and disables the backtraces of Swift's runtime.
  ///
  /// - Parameter variables: more environment variables, as shell assignments.
  convenience init(program words: [String], variables: String = "") throws(CommandError) {
    try self.init(
      "SWIFT_BACKTRACE=enable=no \(variables) exec " + words.map(ShellWord.quoted).joined(separator: " "))
  }

  /// The lines received since the last call. Waits up to 200 ms for output.
  package func lines() -> [String] {
    var lines: [String] = []
    do throws(ExternalFailure) {
      if end == nil { try process.poll(milliseconds: 200) }
      while let line = try process.nextLine() { lines.append(String(streamSafe: line)) }
    } catch {
      if case .ended(let end, _) = error { self.end = end }
    }
    return lines
  }

  /// Waits for its end. Returns how it ended, and its last `count` lines.
  package func finish(keeping count: Int) -> (end: ExternalEnd, lines: [String]) {
    var last: [String] = []
    while true {
      last = (last + lines()).suffix(count)
      if let end { return (end, last) }
    }
  }

  func stop() { process.kill() }
}

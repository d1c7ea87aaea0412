import CMachine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the environment of this process says.
package enum Environment {
  /// The value of a variable; nil where it is not set, or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    return String(cString: value)
  }
}

/// The program's two streams: the answer goes to standard output, everything else to standard error.
package enum Console {
  /// Writes a part of the answer.
  ///
  /// - Throws: `CommandError` when it could not be written: an answer that was cut is no answer.
  package static func answer(_ text: String) throws(CommandError) {
    try answer(Array(text.utf8))
  }

  /// Writes bytes of the answer as they are.
  package static func answer(_ bytes: [UInt8]) throws(CommandError) {
    let failure = Descriptor.write(bytes, to: STDOUT_FILENO)
    if failure == 0 { return }
    // Whoever reads has gone away: there is nobody to tell.
    if failure == EPIPE { throw CommandError(.noAnswer, "") }
    throw CommandError(.noAnswer, "standard output could not be written: \(SystemError.text(failure)).")
  }

  /// Tells the user something beside the answer.
  package static func remark(_ text: String) {
    _ = Descriptor.write(Array("assay: \(text)\n".utf8), to: STDERR_FILENO)
  }

  /// Writes to standard error as it is, for a line that is redrawn.
  package static func draw(_ text: String) {
    _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
  }

  package static var errorIsTerminal: Bool { assay_is_terminal(STDERR_FILENO) == 1 }

  /// Whether the answer may be coloured (https://no-color.org).
  package static var answerIsColoured: Bool {
    guard assay_is_terminal(STDOUT_FILENO) == 1 else { return false }
    return Environment.value("NO_COLOR") == nil
  }
}

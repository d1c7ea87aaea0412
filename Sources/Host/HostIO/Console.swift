import CMachine
import Reports

/// The environment of this process.
package enum Environment {
  /// The value of a variable; nil if it is not set or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    return String(cString: value)
  }
}

/// The output streams: the answer goes to standard output, everything else to standard error.
package enum Console {
  /// Writes a part of the answer, safe for terminals.
  ///
  /// - Throws: `CommandError` if it could not be written: a truncated answer is worthless.
  package static func answer(_ text: String) throws(CommandError) {
    try answer(Array(Text.harmlessLines(text).utf8))
  }

  /// Writes prose as the answer: on a terminal no line is longer than its columns, or than `COLUMNS` says.
  package static func answer(prose text: String) throws(CommandError) {
    try answer(wrapped(prose: text, for: STDOUT_FILENO))
  }

  private static func wrapped(prose text: String, for descriptor: Int32) -> String {
    width(of: descriptor).map { Text.wrapped(text, to: $0) } ?? text
  }

  /// Writes a report as the answer, laid out for the width of the terminal: tables leave out columns, and say so.
  package static func answer(report text: @autoclosure () -> String) throws(CommandError) {
    try answer(fitted(to: STDOUT_FILENO, text))
  }

  /// A report laid out for the stream that it is written to.
  package static func fitted(to descriptor: Int32, _ report: () -> String) -> String {
    width(of: descriptor).map { Text.fitted(to: $0, report) } ?? report()
  }

  /// The columns of a terminal, those of `COLUMNS` if it is set; nil for a pipe or a file, or if they are unknown.
  static func width(of descriptor: Int32) -> Int? {
    guard assay_is_terminal(descriptor) == 1 else { return nil }
    let widths = [Environment.value("COLUMNS").flatMap { Int($0) }, Int(assay_terminal_width(descriptor))]
    return widths.compactMap { $0 }.first { $0 > 0 }
  }

  /// Whether the answer is written to this file, so that reading the file would read the answer. False for a terminal
  /// or a device.
  package static func answerIs(_ file: stat) -> Bool {
    var answer = stat()
    return fstat(STDOUT_FILENO, &answer) == 0 && answer.st_mode & S_IFMT == S_IFREG
      && (answer.st_dev, answer.st_ino) == (file.st_dev, file.st_ino)
  }

  /// Writes bytes of the answer as they are.
  package static func answer(_ bytes: [UInt8]) throws(CommandError) {
    let failure = Descriptor.write(bytes, to: STDOUT_FILENO)
    if failure == 0 { return }
    // The reader closed the pipe: nobody would see a message.
    if failure == EPIPE { throw CommandError(.noAnswer, "") }
    throw CommandError(.noAnswer, "standard output could not be written: \(SystemError.text(failure)).")
  }

  /// Writes a remark to standard error. Tokens and keys from the arguments are redacted. On a terminal it is broken
  /// between words, but not in commands, nor in arguments such as a path with spaces.
  package static func remark(_ text: String) {
    let arguments = CommandLine.arguments.dropFirst()
    let text = Text.harmlessLines(PastedText.redacted(text, arguments: arguments))
    let line = fitted(to: STDERR_FILENO) { Text.unbrokenCommands("assay: \(text)\n", keeping: arguments) }
    _ = Descriptor.write(Array(line.utf8), to: STDERR_FILENO)
  }

  /// Writes prose to standard error, broken to the columns of a terminal.
  package static func remark(prose text: String) { draw(wrapped(prose: text, for: STDERR_FILENO)) }

  /// Writes to standard error as it is, for lines that are redrawn.
  package static func draw(_ text: String) {
    _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
  }

  package static var errorIsTerminal: Bool { assay_is_terminal(STDERR_FILENO) == 1 }

  package static var inputIsTerminal: Bool { assay_is_terminal(STDIN_FILENO) == 1 }

  package static var answerIsTerminal: Bool { assay_is_terminal(STDOUT_FILENO) == 1 }

  /// Whether the answer may be coloured (https://no-color.org).
  package static var answerIsColoured: Bool {
    guard answerIsTerminal else { return false }
    return Environment.value("NO_COLOR") == nil
  }
}

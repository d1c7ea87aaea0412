import HostIO
import PaymentToken
import Serving

enum ServeCommand: Command {
  static let definition = CommandDefinition(
    path: ["serve"], summary: "speak the line protocol on standard input and output",
    options: [.choice("--engine", EngineName.allCases.map(\.rawValue), "engine to use (default: fast)")],
    remarks: [
      "Reads one JSON object per line and answers each with one line: first hello with keys, roots and window, then",
      "tokens. Answers contain the whole plaintext, card number included. Docs/LineProtocol.md describes the protocol.",
      "Exits with 0 at the end of the input.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let engine: EngineName = arguments.choice("--engine") ?? .fast
    var session = ServingSession(version: MachineDescription.version) { (keys, anchors) throws(EngineError) in
      try engine.make(keys: keys, anchors: anchors)
    }
    var reader = LineReader(STDIN_FILENO, limit: LineProtocol.lineLimit)
    defer { reader.forget() }
    while true {
      var answer: Answer
      switch try nextLine(&reader) {
      case .complete: answer = reader.withLine { session.answer($0) }
      case .tooLong: answer = session.answerToOverlongLine()
      case .end: return .success
      }
      // Wipe keys in the line before waiting for the next one, which may take forever.
      reader.forgetLine()
      defer { answer.wipe() }
      try Console.answer(answer.bytes)
    }
  }

  private static func nextLine(_ reader: inout LineReader) throws(CommandError) -> LineReader.Line {
    do {
      return try reader.next()
    } catch {
      throw CommandError(.noAnswer, "standard input could not be read: \(SystemError.text(error.number)).")
    }
  }
}

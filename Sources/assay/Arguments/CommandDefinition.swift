import HostIO
import Reports
import StrictJSON

/// A command as users see it: its words, operands and options. The help is made from it.
struct CommandDefinition: Sendable {
  /// The words that select it, `["bench", "run"]`.
  let path: [String]
  /// One line, without a full stop.
  let summary: String
  /// What stands for the operands in the usage, `[FILE|-]`; nil when it takes none.
  var operands: String?
  /// The most operands it takes.
  var operandLimit = 0
  let options: [OptionDefinition]
  /// Lines below the options.
  var remarks: [String] = []

  var name: String { path.joined(separator: " ") }

  /// Its own options and those every command has.
  var allOptions: [OptionDefinition] { options + [.help] }
}

/// A command: made from its arguments, then run.
protocol Command {
  static var definition: CommandDefinition { get }

  /// - Throws: `UsageError` for values that make no sense.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does it; the answer goes to standard output.
  ///
  /// - Parameter output: what `--json` and `--quiet` say, for commands that have them.
  /// - Throws: `CommandError` when there is no answer.
  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode
}

/// In which form a command answers, and whether it says anything besides.
struct OutputOptions {
  /// Whether the answer is one JSON document.
  let json: Bool
  /// Whether there is no progress and no remark on standard error.
  let quiet: Bool

  init(_ arguments: ParsedArguments) {
    json = arguments.has(OptionDefinition.json.name)
    quiet = arguments.has(OptionDefinition.quiet.name)
  }

  /// Writes the answer, for programs or for people.
  func answer(_ document: @autoclosure () -> JSON, _ text: @autoclosure () -> String) throws(CommandError) {
    try Console.answer(json ? document().text + "\n" : text())
  }

  /// Tells what stands beside the answer, unless nobody wants to know.
  func remark(_ text: String) {
    if !quiet { Console.remark(text) }
  }
}

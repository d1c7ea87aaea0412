import HostIO

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
  /// - Throws: `CommandError` when there is no answer.
  func run() throws(CommandError) -> ExitCode
}

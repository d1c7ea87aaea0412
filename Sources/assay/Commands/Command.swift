import HostIO

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

import HostIO
import Reports
import StrictJSON

/// The words, operands and options of a command, from which its help, the completions of shells and its page of the
/// manual are made.
package struct CommandDefinition: Sendable {
  /// The words that select the command, such as `["bench", "run"]`.
  package let path: [String]
  /// One line, without a full stop.
  let summary: String
  /// The operands in the usage, such as `[FILE|-]`; nil if it takes none.
  var operands: String?
  var operandLimit = 0
  /// What a command that requires operands needs, in words: `a run's folder`. Nil if it requires none.
  var needs: String?
  /// What shells offer for the operands; nil if that follows from their placeholder.
  var operandWords: [String]?
  /// All options except `--help`.
  package var options: [OptionDefinition]
  var remarks: [String] = []
  /// Whether the command is for developers of assay. `assay --help` omits it; the help of its group lists it last.
  var isInternal = false

  /// `bench run`
  package var name: String { path.joined(separator: " ") }

  /// The text after the name in the usage: required options, `[options]` and operands.
  var synopsis: String {
    (options.filter(\.isRequired).map(\.usage) + ["[options]"] + [operands].compactMap { $0 }).joined(separator: " ")
  }

  /// The number of operands outside of brackets in the usage.
  var operandMinimum: Int { operands?.split(separator: " ").count { !$0.hasPrefix("[") } ?? 0 }

  /// All options, including `--help`.
  package var allOptions: [OptionDefinition] { options + [.help] }
}

protocol Command {
  static var definition: CommandDefinition { get }

  /// Checks all arguments, then runs the command; the answer goes to standard output.
  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode
}

/// The options `--json` and `--quiet`: the form of the answer, and whether remarks and progress are written.
struct OutputOptions {
  let json: Bool
  /// Whether progress and remarks on standard error are suppressed.
  let quiet: Bool

  init(_ arguments: ParsedArguments) {
    json = arguments.has(OptionDefinition.json.name)
    quiet = arguments.has(OptionDefinition.quiet.name)
  }

  /// Writes the answer, for programs or for people.
  func answer(_ document: @autoclosure () -> JSON, _ text: @autoclosure () -> String) throws(CommandError) {
    if json { return try Console.answer(document().text + "\n") }
    try Console.answer(report: text())
  }

  func remark(_ text: String) {
    if !quiet { Console.remark(text) }
  }
}

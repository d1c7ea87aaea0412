import HostIO
import MerchantKeys
import Reports

/// Selects the command, and converts its outcome to an exit code.
package enum CommandLineProgram {
  static var commands: [any Command.Type] {
    [
      DecryptCommand.self, ExplainCommand.self, MintCommand.self, KeysInspectCommand.self, KeysRequestCommand.self,
      BenchRunCommand.self, BenchCompareCommand.self, BenchListCommand.self,
      BenchWorkerCommand.self,
      BenchEchoCommand.self, DiffCommand.self, CorpusListCommand.self,
      CorpusLintCommand.self, CorpusGenerateCommand.self, CorpusExportCommand.self,
      CorpusAddCommand.self, FuzzRunCommand.self, FuzzMergeCommand.self,
      FuzzReplayCommand.self, FuzzMinimizeCommand.self, FuzzStatusCommand.self, ServeCommand.self,
      GatewayListCommand.self, GatewayShowCommand.self, GatewayCheckCommand.self, GatewayRequestCommand.self,
      GatewayResponseCommand.self, GatewayEventsCommand.self, EnvCommand.self, VersionCommand.self,
      CompletionsCommand.self, ManualCommand.self,
    ]
  }

  /// The definitions of all commands.
  package static var definitions: [CommandDefinition] { commands.map { $0.definition } }

  /// Runs `words`, the command line without the program's name.
  static func run(_ words: [String]) -> ExitCode {
    do {
      return try dispatch(words)
    } catch {
      if !error.message.isEmpty { Console.remark(error.message) }
      return error.exitCode
    }
  }

  private static func dispatch(_ given: [String]) throws(CommandError) -> ExitCode {
    if given.first == Completion.request {
      let candidates = Completion(definitions).candidates(for: Array(given.dropFirst()))
      try Console.answer(Array(candidates.text.utf8))
      return .success
    }
    let words = given.first == "--version" ? VersionCommand.definition.path + given.dropFirst() : given
    if let command = commands.first(where: { words.starts(with: $0.definition.path) }) {
      return try run(command, Array(words.dropFirst(command.definition.path.count)))
    }
    let path = words.prefix { !$0.hasPrefix("-") }
    let asksForHelp = words.count == path.count + 1 && ["--help", "-h"].contains(words.last)
    let prefix = path.first == "help" ? Array(path.dropFirst()) : Array(path)
    let below = definitions.filter { $0.path.starts(with: prefix) }
    if words.isEmpty || asksForHelp || path.first == "help" {
      guard !below.isEmpty else { throw unknown(prefix) }
      let text =
        below.count == 1 && below[0].path == prefix
        ? HelpText.command(below[0]) : HelpText.overview(of: below, under: prefix)
      if words.isEmpty {
        Console.remark(prose: text)
        return .usage
      }
      try Console.answer(prose: text)
      return .success
    }
    if below.isEmpty || prefix.isEmpty { throw unknown(prefix.isEmpty ? words : prefix) }
    let names = below.map { $0.path.dropFirst(prefix.count).joined(separator: " ") }.joined(separator: ", ")
    throw CommandError(.usage, "\(prefix.joined(separator: " ")) needs one of: \(names).")
  }

  /// Commands that also run if libcrypto lacks an algorithm.
  private static let withoutCryptography = [
    EnvCommand.definition.path, VersionCommand.definition.path, ["man"], ["completions"],
  ]

  /// Groups of commands that keep a corpus, or the engines and tokens of a measurement, in memory.
  private static let large = ["bench", "corpus", "diff", "fuzz"]

  private static func run(_ command: any Command.Type, _ words: [String]) throws(CommandError) -> ExitCode {
    let definition = command.definition
    if words.prefix(while: { $0 != "--" }).contains("--help") {
      try Console.answer(prose: HelpText.command(definition))
      return .success
    }
    if let refusal = ProcessSetup.refusal(isLarge: large.contains(definition.path[0])) {
      throw CommandError(.noAnswer, refusal)
    }
    if let refusal = KernelChoice.refusal { throw CommandError(.usage, refusal) }
    if !withoutCryptography.contains(definition.path), let failure = Cryptography.failure {
      throw CommandError(failure)
    }
    do {
      let arguments = try ParsedArguments(words, for: definition)
      return try command.run(arguments, OutputOptions(arguments))
    } catch {
      guard error.isAboutArguments else { throw error }
      throw CommandError(error.exitCode, "\(error.message) See assay \(definition.name) --help.")
    }
  }

  private static func unknown(_ words: [String]) -> CommandError {
    let meant = meantCommand(words).map { "; did you mean assay \($0)? See assay --help." } ?? "; see assay --help."
    return CommandError(.usage, "there is no command \(PastedText.shown(words.joined(separator: " ")))\(meant)")
  }

  /// The command, or the group of commands, that was probably meant. Operands may follow its words in `words`.
  static func meantCommand(_ words: [String]) -> String? {
    if let word = words.first, word.hasPrefix("-") {
      return Suggestion.nearest(to: word, among: Completion.programOptions.map(\.name))
    }
    let paths = commands.map { $0.definition.path }
    let names = paths.map { $0.joined(separator: " ") } + paths.filter { $0.count > 1 }.map { $0[0] }
    for count in [3, 2, 1] where words.count >= count {
      let typed = words.prefix(count).joined(separator: " ")
      let alike = names.filter { $0.split(separator: " ").count == count }
      if let name = Suggestion.nearest(to: typed, among: alike) { return name }
    }
    return paths.first { $0.last == words.first }?.joined(separator: " ")
  }
}

import HostIO
import Reports

enum CompletionsCommand: Command {
  static let definition = CommandDefinition(
    path: ["completions"], summary: "write the completions of a shell", operands: "bash|zsh|fish", operandLimit: 1,
    needs: Shell.allCases.map(\.rawValue).listed("or"),
    options: [],
    remarks: [
      "make install puts them where each shell looks. To try them: eval \"$(assay completions bash)\", or",
      "assay completions fish | source.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let (name, names) = (arguments.operands[0], Shell.allCases.map(\.rawValue))
    guard let shell = Shell(rawValue: name) else {
      let ending = Suggestion.ending(for: name, among: names)
      throw .usage("completions needs \(names.listed("or")), not \(PastedText.shown(name))\(ending)")
    }
    try Console.answer(shell.script)
    return .success
  }
}

enum ManualCommand: Command {
  static let definition = CommandDefinition(
    path: ["man"], summary: "write the manual's page of a command", operands: "[COMMAND]", operandLimit: 3,
    options: [.value("--out", "DIR", "write all pages to DIR, as man looks for them")],
    remarks: [
      "Without COMMAND, the page that lists all. To read a page: assay man bench run | man -l -. make install puts all",
      "pages where man looks.",
    ])

  private static func unknown(_ words: [String]) -> CommandError {
    let pages = CommandLineProgram.definitions.filter { $0.path.starts(with: words) }.map { "man \($0.name)" }
    guard pages.isEmpty else {
      return .usage("\(words.joined(separator: " ")) is several commands: \(pages.listed("or")).")
    }
    let meant = CommandLineProgram.meantCommand(words).map { "; did you mean assay man \($0)?" } ?? "."
    return .usage("there is no command \(PastedText.shown(words.joined(separator: " ")))\(meant)")
  }

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let name = arguments.operands.joined(separator: " ")
    let command = CommandLineProgram.definitions.first { $0.name == name }
    let folder = arguments.value("--out")
    guard command != nil || name.isEmpty else { throw unknown(arguments.operands) }
    guard command == nil || folder == nil else { throw .usage("--out writes all pages: leave out \(name).") }
    let overview = ManualPage.overview(of: CommandLineProgram.definitions)
    guard let folder else {
      try Console.answer(command.map { ManualPage.text(of: $0) } ?? overview)
      return .success
    }
    try FileWriter.makeFolder(folder, visibility: .everyone)
    try write(overview, "assay", to: folder)
    for command in CommandLineProgram.definitions {
      try write(ManualPage.text(of: command), ManualPage.name(of: command), to: folder)
    }
    return .success
  }

  private static func write(_ page: String, _ name: String, to folder: String) throws(CommandError) {
    try FileWriter.write(Array(page.utf8), to: "\(folder)/\(name).1", visibility: .everyone, replacing: true)
  }
}

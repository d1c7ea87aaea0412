/// The pages of the manual, in the macros of man(7): one for each command, and one that lists them.
package enum ManualPage {
  /// The page of a command.
  ///
  /// - Parameter command: its definition, from which its help is made too.
  package static func text(of command: CommandDefinition) -> String {
    var lines = head(name(of: command), command.summary)
    lines += [".SH SYNOPSIS", ".B assay \(escaped(command.name))"]
    lines.append(line(command.synopsis))
    lines += [".SH DESCRIPTION", line(HelpText.sentence(command.summary))]
    if !command.remarks.isEmpty { lines += [".PP"] + command.remarks.map(line) }
    lines += [".SH OPTIONS"]
    for option in command.allOptions {
      let value = option.placeholder.map { " \\fI\(breakable($0))\\fR" } ?? ""
      lines += [".TP", "\\fB\(escaped(option.name))\\fR\(value)", line(HelpText.sentence(option.explanation))]
    }
    lines += exitStatus + [".SH SEE ALSO", ".BR assay (1)"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of the program.
  ///
  /// - Parameter commands: all commands, in the order of the list.
  package static func overview(of commands: [CommandDefinition]) -> String {
    var lines = head("assay", "verify and decrypt Apple Pay payment tokens")
    lines += [
      ".SH SYNOPSIS", ".B assay", line("COMMAND [options]"), ".br", ".B assay", line("COMMAND --help"),
      ".SH DESCRIPTION", line(HelpText.purpose), ".SH COMMANDS",
    ]
    for command in commands {
      lines += [".TP", "\\fB\(escaped(command.name))\\fR", line(HelpText.sentence(command.summary))]
    }
    lines += exitStatus + [".SH SEE ALSO"]
    lines += commands.map { ".BR \(escaped(name(of: $0))) (1)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of a command's page: assay-bench-run.
  static func name(of command: CommandDefinition) -> String { (["assay"] + command.path).joined(separator: "-") }

  /// The title and the name. Justification and hyphenation are off, so that the names of options stay whole.
  private static func head(_ name: String, _ summary: String) -> [String] {
    [
      ".TH \(escaped(name).uppercased()) 1 \"\" \"assay \(MachineDescription.version)\" \"assay manual\"", ".ad l",
      ".nh",
      ".SH NAME", "\(escaped(name)) \\- \(escaped(summary))",
    ]
  }

  private static var exitStatus: [String] {
    [".SH EXIT STATUS"]
      + HelpText.exitCodes.flatMap { [".TP", "\\fB\($0.code)\\fR", line(HelpText.sentence($0.meaning))] }
  }

  /// A line of text. Without the escape, a dot, an apostrophe or a space at its beginning would control the formatting.
  private static func line(_ text: String) -> String {
    (text.first.map { ".' ".contains($0) } == true ? "\\&" : "") + escaped(text)
  }

  /// A list of choices, which may be broken after each bar.
  private static func breakable(_ text: String) -> String {
    escaped(text).split(separator: "|").joined(separator: "|\\:")
  }

  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "…": "\\&..."
      case "–": "\\(en"
      case "µ": "\\(mc"
      default: String(character)
      }
    }.joined()
  }
}

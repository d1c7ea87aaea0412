/// What a shell offers for a value or an operand.
enum Candidates: Hashable {
  case words([String])
  case files
  case folders
  /// Anything may be written, and nothing is offered.
  case nothing

  /// - Parameter placeholder: as the usage writes it, `FILE|-` or `bash|zsh|fish`.
  init(placeholder: String) {
    let words = placeholder.split(separator: "|").map(String.init)
    if words.count > 1, words.allSatisfy({ $0.allSatisfy(\.isLowercase) }) {
      self = .words(words)
    } else if placeholder.contains("DIR") {
      self = .folders
    } else if ["FILE", "PATH", "BASE", "FINDING"].contains(where: placeholder.contains) {
      self = .files
    } else {
      self = .nothing
    }
  }
}

extension OptionDefinition {
  /// Nil for a flag, which takes no value.
  var candidates: Candidates? {
    placeholder.map { choices.isEmpty ? Candidates(placeholder: $0) : .words(choices) }
  }
}

extension CommandDefinition {
  var operandCandidates: Candidates { operands.map { Candidates(placeholder: $0) } ?? .nothing }
}

/// The commands by their words, from which the completions of each shell are written.
package struct CommandTree {
  let commands: [CommandDefinition]

  /// - Parameter commands: all commands of the program.
  package init(_ commands: [CommandDefinition]) {
    self.commands = commands
  }

  /// The options that stand in place of a command.
  static let programOptions: [OptionDefinition] = [
    .flag("--help", "list the commands"), .flag("--version", "show version, commit, toolchain and kernels"),
  ]

  /// The words that commands begin with, `bench`, and the commands themselves, `bench run`.
  var prefixes: [String] {
    var prefixes: [String] = []
    for command in commands {
      for length in 1...command.path.count {
        let prefix = command.path.prefix(length).joined(separator: " ")
        if !prefixes.contains(prefix) { prefixes.append(prefix) }
      }
    }
    return prefixes
  }

  /// The prefixes that further words must follow, the empty one first.
  var groups: [String] { [""] + prefixes.filter { prefix in !commands.contains { $0.name == prefix } } }

  /// The words that follow a group, with what each does.
  func words(after group: String) -> [(word: String, help: String)] {
    let start = group.isEmpty ? "" : group + " "
    return prefixes.compactMap { prefix in
      guard prefix.hasPrefix(start), !prefix.dropFirst(start.count).contains(" ") else { return nil }
      let help =
        commands.first { $0.name == prefix }?.summary
        ?? words(after: prefix).map(\.word).joined(separator: ", ")
      return (String(prefix.dropFirst(start.count)), help)
    }
  }
}

/// The shells that completions are written for.
package enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script that makes the shell complete the program's command lines.
  package func completions(of tree: CommandTree) -> String {
    switch self {
    case .bash: BashCompletion(tree: tree).text
    case .zsh: ZshCompletion(tree: tree).text
    case .fish: FishCompletion(tree: tree).text
    }
  }

  /// A word in single quotes.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

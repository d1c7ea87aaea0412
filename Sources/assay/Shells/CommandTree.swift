/// What a shell offers for a value or an operand: what is known when the completions are written. The names of
/// `mint --fault` are not offered: with thousands of them the scripts would be slow to load, and
/// `mint --list-faults WORD` finds one.
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
    let words = choices.isEmpty ? beginnings : choices
    return placeholder.map { words.isEmpty ? Candidates(placeholder: $0) : .words(words) }
  }
}

extension CommandDefinition {
  fileprivate var operandCandidates: Candidates {
    if let operandWords { return .words(operandWords) }
    return operands.map { Candidates(placeholder: $0) } ?? .nothing
  }
}

/// The commands by their words, from which the completions of each shell are written.
package struct CommandTree {
  let commands: [CommandDefinition]

  /// - Parameter commands: all commands of the program.
  package init(_ commands: [CommandDefinition]) {
    self.commands = commands
  }

  /// What is offered for the operands of a command.
  func operandCandidates(of command: CommandDefinition) -> Candidates {
    Self.lookups.contains(command.name) ? .words(words(after: "").map(\.word)) : command.operandCandidates
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

  /// The words that the words of a command follow, to show its page or its help.
  private static let lookups = ["man", "help"]

  /// All that selects a command, a group of commands, or one to be looked up.
  var recognised: [String] {
    prefixes + ["help"] + Self.lookups.flatMap { lookup in prefixes.map { "\(lookup) \($0)" } }
  }

  /// The prefixes that further words must follow, the empty one first, then those of lookups.
  var groups: [String] {
    let groups = prefixes.filter { prefix in !commands.contains { $0.name == prefix } }
    return [""] + groups + ["help"] + Self.lookups.flatMap { lookup in groups.map { "\(lookup) \($0)" } }
  }

  /// The words that follow a group, with what each does.
  func words(after group: String) -> [(word: String, help: String)] {
    var path = group.split(separator: " ").map(String.init)
    if let first = path.first, Self.lookups.contains(first) { path.removeFirst() }
    let start = path.map { $0 + " " }.joined()
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

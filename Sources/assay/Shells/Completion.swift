/// What shells offer at the end of a command line. Their scripts (`Shell`) ask this program, which knows its commands.
package struct Completion {
  /// The word that a script passes in place of a command. The words of the command line up to the cursor follow it.
  static let request = "__complete"

  /// The options that stand in place of a command.
  static let programOptions: [OptionDefinition] = [
    .flag("--help", "list the commands"), .flag("--version", "show version, commit, toolchain and kernels"),
  ]

  private let commands: [CommandDefinition]

  /// - Parameter commands: all commands of the program.
  package init(_ commands: [CommandDefinition]) {
    self.commands = commands
  }

  /// The candidates for the last of the words; none after a word that is no command.
  ///
  /// - Parameter words: the words after the program's name up to the cursor. The last may be empty. The candidates are
  ///   not filtered by it: shells do that, each in its own way.
  package func candidates(for words: [String]) -> Candidates {
    let (before, last) = (words.dropLast(), words.last ?? "")
    guard let command = commands.first(where: { before.starts(with: $0.path) }) else {
      let below = commands.words(after: Array(before.first == "help" ? before.dropFirst() : before))
      guard last.hasPrefix("-"), !below.isEmpty else { return .words(below) }
      return .options(before.isEmpty ? Self.programOptions : [.help])
    }
    let arguments = Array(before.dropFirst(command.path.count))
    let looksUp = command.path == ["man"]
    let operands = looksUp ? .words(commands.words(after: arguments)) : command.operandCandidates
    if arguments.contains("--") { return operands }
    let valued = last.hasPrefix("--") && last.contains("=") ? Self.name(last) : arguments.last
    if let values = command.options.first(where: { $0.name == valued })?.candidates { return values }
    guard last.hasPrefix("-") || operands.isEmpty && !looksUp else { return operands }
    let given = Set(arguments.map(Self.name))
    return .options(command.allOptions.filter { $0.repeatable || !given.contains($0.name) })
  }

  /// The name of the option in a word, which may also contain its value: `--key=FILE`.
  private static func name(_ word: String) -> String { String(word.prefix { $0 != "=" }) }
}

/// The candidates for a word. Thousands of `mint --fault` names are not offered: `mint --list-faults WORD` finds one.
package enum Candidates {
  /// These words, each with its help, which may be empty. After a word that ends in an equals sign, no space is added.
  case words([(word: String, help: String)])
  case files
  case folders

  /// - Parameter placeholder: as the usage writes it, `FILE|-` or `bash|zsh|fish`.
  init(placeholder: String) {
    let words = placeholder.split(separator: "|").map(String.init)
    if words.count > 1, words.allSatisfy({ $0.allSatisfy(\.isLowercase) }) {
      self.init(words)
    } else if placeholder.contains("DIR") {
      self = .folders
    } else if ["FILE", "PATH", "BASE", "FINDING"].contains(where: placeholder.contains) {
      self = .files
    } else {
      self = .words([])
    }
  }

  init(_ words: [String]) { self = .words(words.map { ($0, "") }) }

  static func options(_ options: [OptionDefinition]) -> Candidates { .words(options.map { ($0.name, $0.help) }) }

  var isEmpty: Bool { if case .words(let words) = self { words.isEmpty } else { false } }

  /// For the scripts: a line with the kind of candidates, then one line for each word, with its help after a tab.
  package var text: String {
    switch self {
    case .files: "files\n"
    case .folders: "folders\n"
    case .words(let words):
      (words.contains { $0.word.hasSuffix("=") } ? "beginnings\n" : "words\n")
        + words.map { $0.help.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.help)\n" }.joined()
    }
  }
}

extension OptionDefinition {
  /// Nil for a flag, which takes no value.
  fileprivate var candidates: Candidates? {
    let words = choices.isEmpty ? beginnings : choices
    return placeholder.map { words.isEmpty ? Candidates(placeholder: $0) : Candidates(words) }
  }
}

extension CommandDefinition {
  fileprivate var operandCandidates: Candidates {
    operandWords.map { Candidates($0) } ?? operands.map { Candidates(placeholder: $0) } ?? .words([])
  }
}

extension [CommandDefinition] {
  /// The words that follow `path` in the names of these commands. The help of each is the summary of its command, or
  /// the list of the words that follow it.
  func words(after path: [String]) -> [(word: String, help: String)] {
    var words: [(word: String, help: String)] = []
    for command in self where command.path.count > path.count && command.path.starts(with: path) {
      let word = command.path[path.count]
      if words.contains(where: { $0.word == word }) { continue }
      let further = self.words(after: path + [word]).map(\.word).joined(separator: ", ")
      words.append((word, further.isEmpty ? command.summary : further))
    }
    return words
  }
}

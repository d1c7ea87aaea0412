/// The completions of fish.
struct FishCompletion {
  let tree: CommandTree

  var text: String {
    """
    # Completions of assay for fish, written by `assay completions fish`.

    # Whether the words before the cursor select this command, or this group of commands.
    function __assay_at
      set -l command
      for word in (commandline -opc)[2..-1]
        set -l longer (string join ' ' -- $command $word)
        if contains -- "$longer" \(tree.recognised.map(quoted).joined(separator: " "))
          set command $longer
        else if contains -- "$command" \(tree.groups.map(quoted).joined(separator: " "))
          return 1
        else
          break
        end
      end
      test "$command" = "$argv[1]"
    end

    complete -c assay -f
    \((tree.groups.flatMap(group) + tree.commands.flatMap(command)).joined(separator: "\n"))

    """
  }

  private func group(_ name: String) -> [String] {
    let options = name.isEmpty ? CommandTree.programOptions : [.help]
    return tree.words(after: name).map { "\(start(name)) -a \(quoted($0.word)) -d \(quoted($0.help))" }
      + options.map { line(name, $0) }
  }

  private func command(_ command: CommandDefinition) -> [String] {
    let operands = arguments(tree.operandCandidates(of: command)).map { "\(start(command.name)) \($0)" }
    return command.allOptions.map { line(command.name, $0) } + [operands].compactMap { $0 }
  }

  private func start(_ name: String) -> String { "complete -c assay -n \(quoted("__assay_at \(quoted(name))"))" }

  private func line(_ command: String, _ option: OptionDefinition) -> String {
    let value = option.candidates.map { " " + (arguments($0).map { "-r \($0)" } ?? "-x") } ?? ""
    return "\(start(command)) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.help))"
  }

  private func arguments(_ candidates: Candidates) -> String? {
    switch candidates {
    case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
    case .files: "-F"
    case .folders: "-f -a '(__fish_complete_directories)'"
    case .nothing: nil
    }
  }

  /// A word in single quotes, in which fish reads backslashes.
  private func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}

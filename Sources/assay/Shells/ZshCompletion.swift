/// The completions of zsh, for a folder of `fpath` or to be sourced after `compinit`.
struct ZshCompletion {
  let tree: CommandTree

  var text: String {
    """
    #compdef assay
    # Completions of assay for zsh, written by `assay completions zsh`.

    _assay() {
      local command= longer
      integer i=2
      while (( i < CURRENT )); do
        longer=${command:+$command }$words[i]
        case $longer in
        (\(tree.recognised.map(Shell.quoted).joined(separator: "|"))) command=$longer ;;
        (*) break ;;
        esac
        (( i++ ))
      done
      # _arguments reads the words of the command alone.
      words=(assay "${(@)words[i,-1]}")
      (( CURRENT -= i - 2 ))
      local -a names
      case $command in
    \((tree.groups.map(group) + tree.commands.map(command)).joined(separator: "\n"))
      esac
    }

    # Loaded from fpath it completes at once, sourced it is registered.
    if [[ $funcstack[1] == _assay ]]; then
      _assay "$@"
    else
      compdef _assay assay
    fi

    """
  }

  private func group(_ name: String) -> String {
    let words = tree.words(after: name).map { Shell.quoted("\(escaped($0.word)):\($0.help)") }
    let options = (name.isEmpty ? CommandTree.programOptions : [.help]).map(specification)
    return """
        (\(Shell.quoted(name)))
          names=(\(words.joined(separator: " ")))
          if [[ $words[CURRENT] == -* ]]; then
            _arguments \(options.joined(separator: " "))
          elif (( CURRENT == 2 )); then
            _describe command names
          fi
          ;;
      """
  }

  private func command(_ command: CommandDefinition) -> String {
    var specifications = command.allOptions.map(specification)
    if let operands = command.operands, let action = action(tree.operandCandidates(of: command)) {
      specifications.append(Shell.quoted("*:\(escaped(operands)):\(action)"))
    }
    let lines = specifications.map { "      \($0)" }.joined(separator: " \\\n")
    return "  (\(Shell.quoted(command.name)))\n    _arguments \\\n\(lines)\n    ;;"
  }

  /// An option for `_arguments`. After the equals sign the value may also be the next word.
  private func specification(_ option: OptionDefinition) -> String {
    var text = option.repeatable ? "*" : ""
    text += option.name + (option.placeholder == nil ? "" : "=") + "[\(escaped(option.help))]"
    if let placeholder = option.placeholder, let candidates = option.candidates {
      let message = option.choices.isEmpty ? placeholder : "value"
      text += ":\(escaped(message)):\(action(candidates) ?? " ")"
    }
    return Shell.quoted(text)
  }

  private func action(_ candidates: Candidates) -> String? {
    switch candidates {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .files: "_files"
    case .folders: "_files -/"
    case .nothing: nil
    }
  }

  /// Text within a specification, where colons and brackets separate.
  private func escaped(_ text: String) -> String {
    text.map { #"\:[]"#.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

/// The completions of bash. The script also works in bash 3.2, that of macOS.
struct BashCompletion {
  let tree: CommandTree

  var text: String {
    """
    # Completions of assay for bash, written by `assay completions bash`.

    # _assay_files -f|-d BEGINNING: offers files or folders.
    _assay_files() {
      local name
      compopt -o filenames 2>/dev/null
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$2")
    }

    _assay() {
      # Bash separates words at colons, which file names may contain, and replaces the last part alone.
      local -a line=()
      local word= part colon=
      for part in "${COMP_WORDS[@]:0:COMP_CWORD + 1}"; do
        if [[ -n $colon || ($part == :* && ${#line[@]} -gt 0) ]]; then
          line[${#line[@]} - 1]+=$part
        else
          line+=("$part")
        fi
        [[ $part == *: ]] && colon=yes || colon=
      done
      COMPREPLY=()
      _assay_offer
      word=${line[${#line[@]} - 1]}
      [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] || return 0
      local i
      for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=${COMPREPLY[i]#"${word%"${word##*:}"}"}; done
    }

    # Fills COMPREPLY for the words of _assay's line.
    _assay_offer() {
      local last=$((${#line[@]} - 1)) command= longer words= options= files= ended= i j
      local current=${line[last]} before=${line[last - 1]}
      # It separates words at equals signs, too.
      if [[ $current == = ]]; then
        current=
      elif [[ $before == = ]]; then
        before=${line[last - 2]}
      fi
      for ((i = 1; i < last; i++)); do
        longer=${command:+$command }${line[i]}
        case $longer in
        \(patterns(tree.recognised))) command=$longer ;;
        *) break ;;
        esac
      done
      # What follows two dashes is an operand.
      for ((j = i; j < last; j++)); do
        if [[ ${line[j]} == -- ]]; then ended=yes; fi
      done
      if [[ -z $ended ]]; then
        case $command:$before in
    \(values)
        esac
      fi
      case $command in
    \(names)
      esac
      if [[ -z $ended && ($current == -* || -z $words$files) ]]; then
        words=$options
      elif [[ -n $files ]]; then
        _assay_files "$files" "$current"
        return
      fi
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    }

    complete -F _assay assay

    """
  }

  private func patterns(_ words: [String]) -> String { words.map(Shell.quoted).joined(separator: " | ") }

  /// What follows an option, one line for all options that are followed by the same.
  private var values: String {
    var options: [(candidates: Candidates, names: [String])] = []
    for command in tree.commands {
      for option in command.options {
        guard let candidates = option.candidates else { continue }
        let name = "\(command.name):\(option.name)"
        if let index = options.firstIndex(where: { $0.candidates == candidates }) {
          options[index].names.append(name)
        } else {
          options.append((candidates, [name]))
        }
      }
    }
    return options.map { "  \(patterns($0.names)))\n    \(action($0.candidates))\n    return\n    ;;" }
      .joined(separator: "\n")
  }

  private func action(_ candidates: Candidates) -> String {
    switch candidates {
    case .words(let words):
      (words.contains { $0.hasSuffix("=") } ? "compopt -o nospace 2>/dev/null; " : "")
        + "COMPREPLY=($(compgen -W \(Shell.quoted(words.joined(separator: " "))) -- \"$current\"))"
    case .files: "_assay_files -f \"$current\""
    case .folders: "_assay_files -d \"$current\""
    case .nothing: ":"
    }
  }

  /// The words, options and operands of each command and of the groups of commands.
  private var names: String {
    let groups = tree.groups.map { group in
      let options = group.isEmpty ? CommandTree.programOptions : [.help]
      // After a word that is no command nothing is offered.
      let words = tree.words(after: group).map(\.word).joined(separator: " ")
      return line(group, options, "((i == last)) || return; words=\(Shell.quoted(words))")
    }
    let commands = tree.commands.map { command in
      switch tree.operandCandidates(of: command) {
      case .words(let words): line(command.name, command.allOptions, "words='\(words.joined(separator: " "))'")
      case .files: line(command.name, command.allOptions, "files=-f")
      case .folders: line(command.name, command.allOptions, "files=-d")
      case .nothing: line(command.name, command.allOptions, "")
      }
    }
    return (groups + commands).joined(separator: "\n")
  }

  private func line(_ name: String, _ options: [OptionDefinition], _ operands: String) -> String {
    let names = options.map(\.name).joined(separator: " ")
    return "  \(Shell.quoted(name))) options=\(Shell.quoted(names))\(operands.isEmpty ? "" : "; " + operands) ;;"
  }
}

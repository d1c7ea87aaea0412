/// The shells that completions are written for.
package enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script that completes command lines in the shell with the candidates that the program prints (`Completion`).
  package var script: String {
    let title = "# Completions of assay for \(rawValue), written by `assay completions \(rawValue)`."
    return switch self {
    case .bash: "\(title)\n\n\(Self.bashScript)\n"
    case .zsh: "#compdef assay\n\(title)\n\n\(Self.zshScript)\n"
    case .fish: "\(title)\n\n\(Self.fishScript)\n"
    }
  }

  /// The script also works in bash 3.2, the version in macOS.
  private static let bashScript = #"""
    _assay() {
      # Bash separates words at colons and equals signs, and replaces what follows the last one alone.
      local -a line=()
      local part joins= kind= words= value i
      for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ -n $part && -n $joins || $part == [:=]* && ${#line[@]} -gt 0 ]]; then
          line[${#line[@]} - 1]+=$part
        else
          line+=("$part")
        fi
        [[ $part == *[:=] ]] && joins=yes || joins=
      done
      value=${line[${#line[@]} - 1]}
      [[ $value == --*=* ]] && value=${value#*=}
      {
        read -r kind
        while IFS=$'\t' read -r part _; do words+=" $part"; done
      } < <(command "$1" \#(Completion.request) "${line[@]}" 2>/dev/null)
      COMPREPLY=()
      case $kind in
      files | folders)
        compopt -o filenames 2>/dev/null
        [[ $kind == files ]] && kind=-f || kind=-d
        while IFS= read -r part; do COMPREPLY+=("$part"); done < <(compgen $kind -- "$value")
        ;;
      *)
        [[ $kind == beginnings ]] && compopt -o nospace 2>/dev/null
        COMPREPLY=($(compgen -W "$words" -- "$value"))
        ;;
      esac
      # What stands before the last of the line editor's own breaks stays.
      part=${value%"${value##*[:=]}"}
      for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=${COMPREPLY[i]#"$part"}; done
    }

    complete -F _assay assay
    """#

  /// For a folder of `fpath`, or to be sourced after `compinit`.
  private static let zshScript = #"""
    _assay() {
      local -a lines
      lines=("${(@f)$(command assay \#(Completion.request) "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      local kind=$lines[1]
      shift lines
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      case $kind in
      (files) _files ;;
      (folders) _files -/ ;;
      (beginnings) compadd -S '' -- $lines ;;
      (words)
        # A word and its help, which a colon separates here.
        lines=("${(@)lines/$'\t'/:}")
        _describe assay lines
        ;;
      esac
    }

    # Loaded from fpath it completes at once, sourced it is registered.
    if [[ $funcstack[1] == _assay ]]; then
      _assay "$@"
    else
      compdef _assay assay
    fi
    """#

  private static let fishScript = #"""
    # Whether there are words to offer, which it leaves in a variable. If not, fish offers files.
    function __assay_offers
      set -l last (commandline -ct)
      set -l lines (command assay \#(Completion.request) (commandline -opc)[2..-1] "$last" 2>/dev/null)
      set -l option (string match -r -- '^--[^=]*=' "$last")
      set -g __assay_words "$option"$lines[2..-1]
      switch "$lines[1]"
        case files
          return 1
        case folders
          set -g __assay_words "$option"(__fish_complete_directories (string replace -r -- '^--[^=]*=' '' "$last"))
      end
      return 0
    end

    complete -c assay -n __assay_offers -f -a '$__assay_words'
    """#
}

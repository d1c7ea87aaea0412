import HostIO
import Reports

/// The options and operands of one command line, checked against a definition.
struct ParsedArguments {
  private var given: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Reads the words after the command's name. `--name value` and `--name=value` are equivalent; `--` ends the options.
  ///
  /// - Throws: `CommandError` for unknown, repeated or missing options, missing, unexpected or invalid values, and
  ///   missing or surplus operands.
  init(_ words: some Sequence<String>, for command: CommandDefinition) throws(CommandError) {
    var rest = words.makeIterator()
    var optionsEnded = false
    while let word = rest.next() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
        continue
      }
      if word == "--" {
        optionsEnded = true
        continue
      }
      let (name, attached) = ParsedArguments.split(word)
      guard let option = command.allOptions.first(where: { $0.name == name }) else {
        throw .usage(
          "\(command.name) has no option \(PastedText.shown(name))"
            + Suggestion.ending(for: name, among: command.allOptions.map(\.name)))
      }
      try add(option, attached: attached, next: { rest.next() })
    }
    let missing = command.options.filter { $0.isRequired && given[$0.name] == nil }.map(\.name)
    guard missing.isEmpty else {
      throw .usage("\(command.name) needs \(missing.listed("and")).")
    }
    if let needs = command.needs, operands.count < command.operandMinimum {
      throw .usage("\(command.name) needs \(needs).")
    }
    guard operands.count <= command.operandLimit else {
      // A shell expands `--key keys/*.key` into one value and operands.
      let manyKeys = has("--key") ? ": for several keys, give --key their folder or repeat it" : ""
      // Without quotes, a shell splits a token into words.
      throw .usage(
        operands.contains(where: PastedText.isContent)
          ? "the arguments look like a token or a key rather than file names: pass it by standard input, or in a file."
          : "\(command.name) does not take the operand \(PastedText.shown(operands[command.operandLimit]))\(manyKeys).")
    }
  }

  func has(_ name: String) -> Bool { given[name] != nil }

  /// The value of an option that may be given once.
  func value(_ name: String) -> String? { given[name]?.last }

  func values(_ name: String) -> [String] { given[name] ?? [] }

  /// The value of a required option: the initializer throws if it is missing.
  func required(_ name: String) -> String { value(name) ?? "" }

  private mutating func add(
    _ option: OptionDefinition, attached: String?, next: () -> String?
  ) throws(CommandError) {
    if given[option.name] != nil && !option.repeatable {
      throw .usage("\(option.name) is given more than once.")
    }
    guard let placeholder = option.placeholder else {
      guard attached == nil else { throw .usage("\(option.name) takes no value.") }
      given[option.name] = [""]
      return
    }
    guard let value = attached ?? next() else { throw .usage("\(option.name) needs a value: \(placeholder).") }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      throw .usage(
        "\(option.name) must be one of \(option.choices.joined(separator: ", ")), not \(PastedText.shown(value))"
          + Suggestion.ending(for: value, among: option.choices))
    }
    given[option.name, default: []].append(value)
  }

  private static func split(_ word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}

extension CommandError {
  /// An invalid command line: exit code 64.
  ///
  /// - Parameter reference: the command that shows the valid values, `assay env`; nil refers to the help of the command
  ///   that was called.
  static func usage(_ message: String, see reference: String? = nil) -> CommandError {
    guard let reference else { return CommandError(.usage, message, isAboutArguments: true) }
    return CommandError(.usage, "\(message) See \(reference).")
  }
}

import Reports

/// An option of a command, for parsing, its help, the completions of shells and the manual.
package struct OptionDefinition: Sendable {
  /// The name with its dashes, `--key`.
  package let name: String
  /// The placeholder of the value in the help, such as `FILE`; nil for a flag.
  let placeholder: String?
  var repeatable = false
  var isRequired = false
  /// The allowed values; empty if any is allowed.
  package var choices: [String] = []
  /// What shells offer if any value is allowed. After a word that ends in an equals sign, they add no space.
  var beginnings: [String] = []
  /// What the option does: one line, without a full stop.
  let help: String

  /// The help, with the remark that the option can be repeated.
  package var explanation: String { repeatable ? "\(help) (repeatable)" : help }

  /// `--key FILE`, as the help writes it.
  var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

  /// The same option, marked as required.
  var required: OptionDefinition {
    var option = self
    option.isRequired = true
    return option
  }

  /// An option without a value.
  package static func flag(_ name: String, _ help: String) -> OptionDefinition {
    OptionDefinition(name: name, placeholder: nil, help: help)
  }

  static func value(_ name: String, _ placeholder: String, repeatable: Bool = false, _ help: String) -> OptionDefinition
  {
    OptionDefinition(name: name, placeholder: placeholder, repeatable: repeatable, help: help)
  }

  static func choice(_ name: String, _ choices: [String], _ help: String) -> OptionDefinition {
    OptionDefinition(name: name, placeholder: choices.joined(separator: "|"), choices: choices, help: help)
  }
}

extension OptionDefinition {
  static let json = OptionDefinition.flag("--json", "write one JSON document")
  static let quiet = OptionDefinition.flag("--quiet", "suppress progress and remarks on standard error")
  static let help = OptionDefinition.flag("--help", "show this help")
  /// The forms of `--report` that name a file, for every command.
  static let reportForms = ["html=FILE", "junit=FILE", "markdown=FILE"]

  static let report = report(
    beginnings: reportForms + ["github"], "html=FILE, junit=FILE, markdown=FILE or github")

  /// - Parameter forms: those that only one command has, such as `csv=FILE`.
  static func report(also forms: [String]) -> OptionDefinition {
    let files = (reportForms + forms).map { $0.prefix { $0 != "=" } }.joined(separator: "|")
    return report(beginnings: reportForms + forms + ["github"], "\(files)=FILE or github")
  }

  private static func report(beginnings: [String], _ list: String) -> OptionDefinition {
    OptionDefinition(
      name: "--report", placeholder: "FORMAT", repeatable: true,
      beginnings: beginnings.map { $0.contains("=") ? $0.prefix { $0 != "=" } + "=" : $0 },
      help: "write a report: \(list)")
  }
}

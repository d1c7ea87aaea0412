import Reports

enum HelpText {
  static let purpose = "Verifies and decrypts Apple Pay payment tokens, and explains why one is rejected."

  static let exitCodes: [(code: Int, meaning: String)] = [
    (0, "success"), (1, "rejected or regressed"), (2, "could not decide"), (64, "usage"),
    (70, "internal error"), (130, "interrupted"),
  ]

  static func command(_ command: CommandDefinition) -> String {
    var lines = ["usage: assay \(command.name) \(command.synopsis)", "", sentence(command.summary), "", "options:"]
    lines += columns(command.allOptions.map { ($0.usage, $0.explanation) })
    if !command.remarks.isEmpty { lines += [""] + command.remarks }
    return lines.joined(separator: "\n") + "\n"
  }

  static func overview(of commands: [CommandDefinition], under prefix: [String]) -> String {
    let words = (["assay"] + prefix).joined(separator: " ")
    var lines = ["usage: \(words) COMMAND [options]", ""]
    if prefix.isEmpty {
      lines += [purpose, ""]
    }
    lines += ["commands:"]
    let (internals, others) = (commands.filter(\.isInternal), commands.filter { !$0.isInternal })
    if prefix.isEmpty {
      // One screen: a line for each group.
      lines += columns(
        others.words(after: []).map { word, help in (word, groups[word].map { "\($0): \(help)" } ?? help) }
      )
    } else {
      func rows(_ commands: [CommandDefinition]) -> [(String, String)] {
        commands.map { ($0.path.dropFirst(prefix.count).joined(separator: " "), $0.summary) }
      }
      lines += columns(rows(others))
      if !internals.isEmpty { lines += ["", "for developers of assay:"] + columns(rows(internals)) }
    }
    lines += ["", "\(words) COMMAND --help describes a command."]
    if prefix.isEmpty {
      lines += ["", "Exit codes: " + exitCodes.map { "\($0.code) \($0.meaning)" }.joined(separator: ", ")]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let groups = [
    "keys": "keys and certificates", "bench": "measure decryption, and compare builds",
    "corpus": "test vectors and seeds", "fuzz": "search for tokens on which the engines differ",
    "gateway": "requests and responses of payment gateways",
  ]

  private static let widestColumn = 30

  private static func columns(_ rows: [(String, String)]) -> [String] {
    let width = min(rows.map(\.0.count).max() ?? 0, widestColumn)
    return rows.flatMap { left, right in
      left.count > width
        ? ["  \(left)", "  " + Text.padded("", to: width) + "  \(right)"]
        : ["  " + Text.padded(left, to: width) + "  \(right)"]
    }
  }

  static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

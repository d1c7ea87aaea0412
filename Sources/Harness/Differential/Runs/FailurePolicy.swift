import HostIO
public import TestCases

/// Which findings about external programs fail a run. Those about engines always do.
public struct FailurePolicy: Sendable {
  /// Findings of this severity and of worse ones fail.
  public let level: Standing.Severity
  /// Findings that do not fail.
  public let waivers: [Waiver]

  /// Creates a policy, by default without waivers.
  public init(level: Standing.Severity = .interoperability, waivers: [Waiver] = []) {
    self.level = level
    self.waivers = waivers
  }
}

/// A line of a waiver file: a finding that is known, with the reason why it may stay for now.
public struct Waiver: Hashable, Sendable {
  /// The name of a test or of a finding of `assay fuzz`, or its beginning followed by `*`.
  public let name: String
  /// Why it may stay.
  public let reason: String

  func covers(_ test: TestCase) -> Bool { covers(test.name.isEmpty ? test.id : test.name) }

  /// Whether it is one for a test or a finding of this name.
  package func covers(_ title: String) -> Bool {
    name.hasSuffix("*") ? title.hasPrefix(name.dropLast()) : title == name
  }

  /// Reads a file: on each line a name, white space and a reason. Empty lines and those that begin with `#` are
  /// comments.
  ///
  /// - Throws: `CommandError` that names a line without a reason, or with the name `*`, which would cover everything.
  package static func read(_ text: String, file: String) throws(CommandError) -> [Waiver] {
    var waivers: [Waiver] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      let reason = words.count > 1 ? String(words[1]).trimmed : ""
      guard !reason.isEmpty else {
        throw CommandError(.noAnswer, "\(file), line \(index + 1): a waiver needs a reason after the name.")
      }
      guard name != "*" else {
        throw CommandError(.noAnswer, "\(file), line \(index + 1): a waiver for everything would hide forgeries.")
      }
      waivers.append(Waiver(name: String(name), reason: reason))
    }
    return waivers
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

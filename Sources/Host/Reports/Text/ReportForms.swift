/// Results for CI systems. A report provides its content; the extension below writes it as Markdown, as annotations of
/// GitHub Actions and as JUnit XML.
package protocol ReportForms {
  /// The command that made it, `assay diff`.
  var command: String { get }
  /// The result as one phrase.
  var sentence: String { get }
  var isSuccess: Bool { get }
  /// The duration of the run in seconds; nil if it does not matter.
  var duration: Double? { get }
  /// What must be fixed, the worst first.
  var errors: [(title: String, text: String)] { get }
  /// What makes the results less reliable.
  var warnings: [String] { get }
  /// The Markdown below the heading.
  var blocks: [MarkdownBlock] { get }
  var suites: [JUnitSuite] { get }
}

extension ReportForms {
  /// The report for a comment on a pull request, or for a job's summary.
  package var markdown: String {
    let blocks = ["## \(command): \(Markdown.plain(sentence))"] + blocks.map(\.markdown)
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// Workflow commands, which GitHub shows as annotations, at most ten for each step. The last one has the result and
  /// the number of those left out.
  package var annotations: String {
    let all =
      errors.map { GitHubActions.annotation("error", title: $0.title, $0.text) }
      + warnings.map { GitHubActions.annotation("warning", title: command, $0) }
    let shown = all.prefix(Self.mostAnnotations - 1)
    let more = all.count > shown.count ? "; \(all.count - shown.count) more in the job's summary" : ""
    return shown.joined() + GitHubActions.annotation(isSuccess ? "notice" : "error", title: command, sentence + more)
  }

  private static var mostAnnotations: Int { 10 }

  /// JUnit's XML.
  package var junit: String {
    let cases = suites.flatMap(\.cases)
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + XML.element(
        "testsuites",
        [
          "name": command, "tests": "\(cases.count)", "failures": "\(cases.count(where: \.isFailure))",
          "errors": "\(cases.count(where: \.isError))", "time": duration?.fixed(3),
        ], lines: suites.map(\.xml)) + "\n"
  }
}

/// A block of Markdown, between empty lines. All text in it is escaped; a block without content is left out.
package enum MarkdownBlock {
  case heading(String)
  case text(String)
  /// Sentences, each on a line of its own, the first in bold.
  case verdict([String])
  case list([String])
  case quote([String])
  case table([String], [[String]])

  fileprivate var markdown: String {
    let lines =
      switch self {
      case .heading(let text): ["### \(Markdown.plain(text))"]
      case .text(let text): [Markdown.plain(text)]
      case .verdict(let sentences):
        sentences.enumerated().map { $0.offset == 0 ? "**\(Markdown.plain($0.element))**" : Markdown.plain($0.element) }
      case .list(let items): items.map { "- \(Markdown.plain($0))" }
      case .quote(let lines): lines.map { "> \(Markdown.plain($0))" }
      case .table(_, let rows) where rows.isEmpty: [String]()
      case .table(let header, let rows):
        ([header, header.map { _ in "---" }] + rows.map { $0.map(Markdown.plain) })
          .map { "| " + $0.joined(separator: " | ") + " |" }
      }
    return lines.joined(separator: "\n")
  }
}

/// A suite of JUnit's XML.
package struct JUnitSuite {
  package enum Outcome {
    case passed
    /// It passed, with a remark.
    case noted(String)
    case skipped(String)
    case failed(type: String? = nil, _ message: String, detail: String = "")
    /// Something kept it from being run.
    case error(String)
  }

  package struct Case {
    let group: String
    let name: String
    let seconds: Double?
    let outcome: Outcome

    package init(group: String, name: String, seconds: Double? = nil, _ outcome: Outcome) {
      self.group = group
      self.name = name
      self.seconds = seconds
      self.outcome = outcome
    }

    fileprivate var isFailure: Bool { if case .failed = outcome { true } else { false } }

    fileprivate var isError: Bool { if case .error = outcome { true } else { false } }

    fileprivate var isSkipped: Bool { if case .skipped = outcome { true } else { false } }

    fileprivate var xml: String {
      let content: String? =
        switch outcome {
        case .passed: nil
        case .noted(let remark): XML.element("system-out", [:], XML.escaped(remark))
        case .skipped(let reason): XML.element("skipped", ["message": reason])
        case .error(let reason): XML.element("error", ["message": reason])
        case .failed(let type, let message, let detail):
          XML.element("failure", ["type": type, "message": message], detail.isEmpty ? nil : XML.escaped(detail))
        }
      return XML.element("testcase", ["classname": group, "name": name, "time": seconds?.fixed(9)], content)
    }
  }

  let name: String
  package let cases: [Case]

  package init(_ name: String, _ cases: [Case]) {
    self.name = name
    self.cases = cases
  }

  fileprivate var xml: String {
    XML.element(
      "testsuite",
      [
        "name": name, "tests": "\(cases.count)", "failures": "\(cases.count(where: \.isFailure))",
        "errors": "\(cases.count(where: \.isError))",
        "skipped": "\(cases.count(where: \.isSkipped))",
      ], lines: cases.map(\.xml))
  }
}

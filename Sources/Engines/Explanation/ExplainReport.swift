import PaymentToken
import Reports
import StrictJSON

/// The output of `assay explain`, for people and for programs.
package struct ExplainReport {
  private let explanation: Explanation
  private let command: String?

  /// A report of an explanation.
  ///
  /// - Parameters:
  ///   - input: the file that the input was read from, `-` for standard input.
  ///   - exists: whether a file exists. The command must not overwrite one.
  package init(_ explanation: Explanation, of input: String, exists: (String) -> Bool) {
    self.explanation = explanation
    command = explanation.command(on: input, exists: exists)
  }

  // MARK: For programs

  /// The document `assay.explain/1`.
  package var json: JSON {
    [
      "schema": "assay.explain/1", "accepted": explanation.accepted, "engine": "reference",
      "envelope": explanation.envelope, "signed": explanation.isSigned, "diagnosis": explanation.diagnosis.rawValue,
      "subject": explanation.subject, "sentence": explanation.sentence, "command": command,
      "then": explanation.furtherProblems.map(ExplainReport.json),
      "error": explanation.fault.map(ExplainReport.json), "keyError": keyError,
      "checks": explanation.checks.map(ExplainReport.json), "notes": explanation.notes.map(ExplainReport.json),
    ]
  }

  private var keyError: JSON {
    guard let error = explanation.keyError else { return .null }
    return ["code": error.code.rawValue, "file": error.file, "message": error.advice]
  }

  private static func json(_ fault: TokenFault) -> JSON {
    [
      "code": fault.code.rawValue, "stage": fault.stage.rawValue, "member": fault.member?.path,
      "message": fault.code.advice,
    ]
  }

  private static func json(_ check: Check) -> JSON {
    [
      "stage": check.stage.rawValue, "name": "\(check.stage)", "outcome": check.outcome.rawValue,
      "findings": check.findings.map {
        JSON(["name": $0.name, "found": $0.found, "expected": $0.expected])
      },
    ]
  }

  private static func json(_ problem: Problem) -> JSON {
    ["diagnosis": problem.diagnosis.rawValue, "subject": problem.subject, "sentence": problem.sentence]
  }

  private static func json(_ note: Note) -> JSON {
    ["code": note.code.rawValue, "subject": note.subject, "sentence": note.sentence]
  }

  // MARK: For people

  /// The checks, then the diagnosis.
  package func text(coloured: Bool) -> String {
    let checks = explanation.checks.flatMap { lines($0, coloured) }
    return (checks + [""] + Text.pairs(summary(coloured))).joined(separator: "\n") + "\n"
  }

  private static let widestName = VerificationStage.allCases.map { "\($0)".count }.max() ?? 0
  private static let widestOutcome = "not reached".count

  private func lines(_ check: Check, _ coloured: Bool) -> [String] {
    let number = check.stage.rawValue < 10 ? " \(check.stage.rawValue)" : "\(check.stage.rawValue)"
    let name = Text.padded("\(check.stage)", to: ExplainReport.widestName)
    let (word, code) =
      switch check.outcome {
      case .ok: ("ok", 32)
      case .failed: ("FAILED", 31)
      case .notReached: ("not reached", 90)
      case .omitted: ("NOT CHECKED", 31)
      }
    let outcome = Text.coloured(Text.padded(word, to: ExplainReport.widestOutcome), code: code, if: coloured)
    let findings = check.findings.flatMap { lines($0, isFailed: check.outcome == .failed) }
    let indent = String(repeating: " ", count: number.count + name.count + ExplainReport.widestOutcome + 6)
    let first = ["\(number)  \(name)  \(outcome)" + (findings.first.map { "  \($0)" } ?? "")]
    return (first + findings.dropFirst().map { indent + $0 }).map(ExplainReport.trimmed)
  }

  private func lines(_ finding: Finding, isFailed: Bool) -> [String] {
    let found = "\(Text.harmless(finding.name)): \(Text.harmless(finding.found))"
    guard isFailed, let expected = finding.expected else { return [found] }
    return [found, "  expected: \(Text.harmless(expected))"]
  }

  private func summary(_ coloured: Bool) -> [(name: String, value: String)] {
    let (name, value, colour) =
      if let fault = explanation.fault {
        ("rejected", fault.description, 31)
      } else if let error = explanation.keyError {
        ("no verdict", "\(error.code.rawValue): the keys could not be loaded", 31)
      } else if explanation.isSigned == false {
        ("accepted", "UNSIGNED, as --unsigned allows: the origin of the token was not checked", 31)
      } else {
        ("accepted", "every check passed", 32)
      }
    var rows = [(name: name, value: Text.coloured(value, code: colour, if: coloured))]
    rows.append(("diagnosis", explanation.diagnosis.rawValue))
    rows.append(("advice", Text.harmless(explanation.sentence)))
    if let command { rows.append(("command", Text.unbroken(command))) }
    for problem in explanation.furtherProblems {
      rows.append(("then", Text.harmless("\(problem.diagnosis.rawValue), \(problem.sentence)")))
    }
    for note in explanation.notes { rows.append(("note", Text.harmless(note.sentence))) }
    return rows
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension Explanation {
  /// The command that extracts the token from a file and writes it to another file; nil if there is none.
  ///
  /// - Parameters:
  ///   - input: the file, `-` for standard input.
  ///   - exists: whether a file exists. The shell empties the output file before the command reads its input, which may
  ///     be that file under another name or through a pipe. So the command writes to a file that does not exist yet.
  package func command(on input: String, exists: (String) -> Bool) -> String? {
    guard let command else { return nil }
    let results = ["unwrapped.json"] + (2...99).map { "unwrapped-\($0).json" }
    let name = input.split(separator: "/").last.map { $0.lowercased() }
    let redirection = results.first { $0 != name && !exists($0) }.map { " >\($0)" } ?? ""
    guard input != "-", Text.harmless(input) == input else { return command + redirection }
    return "<\(ShellWord.quoted(input)) \(command)\(redirection)"
  }
}

import Gateways
import Reports
import StrictJSON

/// The answer of `assay gateway check`, for programs and for people.
extension BodyCheck {
  /// The document `assay.gateway-check/1`.
  package func document(of name: String) -> JSON {
    [
      "schema": "assay.gateway-check/1", "gateway": name, "body": body.name, "passed": problems.isEmpty,
      "problems": problems.map { problem in
        JSON([
          "path": problem.path, "kind": problem.kind.rawValue, "expected": problem.expectation,
          "section": problem.section,
        ])
      },
      "remarks": remarks,
    ]
  }

  /// Lines for people: the verdict, then a line for each problem and remark.
  package func text(of name: String) -> String {
    let count = problems.count
    let verdict = count == 0 ? "conforms to its document" : "\(count) problem\(count == 1 ? "" : "s")"
    var lines = ["\(name) \(body.name), \(body.title): \(verdict)"]
    if count > 0 {
      lines += [""]
      let rows = problems.map { [$0.path, $0.kind.rawValue, $0.expectation, $0.section] }
      lines += Text.columns([["member", "problem", "expected", "section"]] + rows, dropping: ["section", "problem"])
    }
    if !remarks.isEmpty { lines += [""] + remarks }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The answer of `assay gateway response`, for programs and for people.
extension GatewayAnswer {
  /// The document `assay.gateway-response/1`.
  package func document(_ check: BodyCheck, of name: String) -> JSON {
    [
      "schema": "assay.gateway-response/1", "gateway": name, "body": check.body.name,
      "outcome": outcome.rawValue, "advice": advice,
      "facts": JSON.object(facts.map { .init($0.path, $0.value) }),
      "problems": check.problems.map(\.path), "differences": differences,
      "contradictions": contradictions.map { [$0.path, $0.other] }, "unclear": unclear,
      "compared": compared, "uncompared": uncompared,
    ]
  }

  /// Lines for people.
  ///
  /// - Parameter hasOrder: whether the response was compared with an order.
  package func text(_ check: BodyCheck, hasOrder: Bool) -> String {
    var rows: [(name: String, value: String)] = [("outcome", outcome.rawValue), ("advice", advice)]
    rows += facts.map { ($0.path, Text.harmless($0.value)) }
    rows += check.problems.map { ("problem", "\($0.path) must be \($0.expectation)") }
    rows += contradictions.map { ("contradiction", "\($0.path) and \($0.other)") }
    rows += unclear.map { ("not clear", $0) }
    let nothing = hasOrder ? "nothing with the order that was sent" : "nothing with what was sent: see --order"
    rows.append(("compared", compared.isEmpty ? nothing : compared.joined(separator: ", ")))
    if !uncompared.isEmpty {
      rows.append(("not compared", "\(uncompared.listed("and")) of the order, which the response does not name"))
    }
    return Text.pairs(rows).joined(separator: "\n") + "\n"
  }
}

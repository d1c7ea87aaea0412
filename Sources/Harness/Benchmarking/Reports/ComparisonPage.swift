import Reports

extension ComparisonReport {
  /// The comparison as an HTML page: regressions first, each change with its interval.
  package var page: String {
    let title = "Benchmarks compared"
    return HTML.page(
      title: title, body: [.element("h1", .text(title)), verdict, figures] + changes + instructionCounts + rest)
  }

  private var verdict: HTML { .verdict(findings.isEmpty ? .good : .bad, sentence + ". " + (sensitivity ?? "")) }

  private var figures: HTML {
    .figures(
      Verdict.allCases.map { verdict in
        let count = count(verdict)
        return (String(count), verdict.rawValue, count > 0 ? Self.tone(verdict) : .plain)
      })
  }

  private static func tone(_ verdict: Verdict) -> HTML.Tone {
    switch verdict {
    case .regressed, .missing: .bad
    case .improved: .good
    case .inconclusive: .warning
    case .unchanged: .plain
    }
  }

  private var changes: [HTML] {
    let order: [Verdict] = [.regressed, .missing, .improved, .inconclusive, .unchanged]
    let rows = order.flatMap { verdict in self.rows.filter { $0.verdict == verdict } }
    guard !rows.isEmpty else { return [] }
    let measured = rows.compactMap { row -> HTML.Interval? in
      guard let change = row.change, let interval = row.interval else { return nil }
      return HTML.Interval(
        label: row.name, low: 100 * interval.lowerBound, value: 100 * change, high: 100 * interval.upperBound,
        text: ComparisonText.percent(change), tone: Self.tone(row.verdict))
    }
    let plot: [HTML] = [
      .element("p", class: "soft", "Percent of the base's time with the 95% interval. Slower is to the right."),
      .intervalPlot(measured, unit: "%"),
    ]
    return [.element("h2", "Changes of times")] + (measured.isEmpty ? [] : plot) + [
      .table(
        header: ComparisonText.header,
        rows: rows.map { row in
          let cells = ComparisonText.cells(row).map { HTML.text($0) }
          let tag = "tag \(Self.tone(row.verdict).rawValue)"
          return cells.dropLast() + [.element("span", class: tag, cells[cells.count - 1])]
        })
    ]
  }

  private var instructionCounts: [HTML] {
    guard !instructions.isEmpty else { return [] }
    return [
      .element("h2", "Instructions"),
      .table(header: ComparisonText.instructionHeader, rows: instructions.map(ComparisonText.cells)),
    ]
  }

  private var rest: [HTML] {
    var body: [HTML] = []
    let lines = otherFindings + added.map { "New: \($0)" } + remarks
    if !lines.isEmpty {
      body += [.element("h2", "Other remarks"), .element("ul", [], lines.map { .element("li", .text($0)) })]
    }
    return body + [
      .element("h2", "How this was measured"),
      .pairs(ComparisonText.conditions(self).map { ($0.name, .text($0.value)) }),
    ]
  }
}

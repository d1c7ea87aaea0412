import Reports

extension MeasurementHistory {
  /// The history as an HTML page: each series with its levels, those with steps first.
  package var page: String {
    let title = "Benchmarks by commit"
    let slower = steps.contains { $0.step.change > 0 }
    let notes = skipped.map { HTML.element("p", class: "verdict warning", .text($0)) }
    return HTML.page(
      title: title,
      body: [.element("h1", .text(title)), .verdict(slower ? .warning : .good, sentence + ".")] + notes
        + machines.flatMap(Self.part))
  }

  private static func part(_ machine: Machine) -> [HTML] {
    let (moved, level) = (machine.series.filter { !$0.steps.isEmpty }, machine.series.filter(\.steps.isEmpty))
    let steps = sentences(machine).map { HTML.element("li", .text($0)) }
    return [
      .element("h2", .text(machine.title)), steps.isEmpty ? .nothing : .element("ul", [], steps),
      .element("p", class: "soft", "Median times at the usual speed of the machine, and the median of each level."),
    ] + moved.map(plot) + [
      .details(.text("\(Text.counted(level.count, "benchmark")) without a step"), level.map(plot)),
      .table(header: header, rows: machine.series.map(cells)),
    ]
  }

  private static func plot(_ series: Series) -> HTML {
    var levels = [Double?](repeating: nil, count: series.points.count)
    for (level, (first, end)) in zip(series.levels, zip(series.bounds, series.bounds.dropFirst())) {
      levels[first] = level
      levels[end - 1] = level
    }
    return .element(
      "div", .element("h3", .text(series.name)),
      .linePlot(
        positions: series.points.map { short($0.commit) },
        lines: [(label: "time", values: series.times), (label: "level", values: levels)], scale: .narrow,
        label: "times of \(series.name) by commit", format: { BenchmarkText.microseconds($0) + " µs" }))
  }
}

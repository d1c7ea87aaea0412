import Reports
import Testing

@Suite struct PlotTests {
  private static func format(_ value: Double) -> String { value.fixed(1) }

  private static func bars(_ count: Int) -> [HTML.Bar] {
    (1...count).map { (label: "part \($0)", value: Double($0), text: "\($0)") }
  }

  private static func numbers(_ pattern: Regex<(Substring, Substring)>, in markup: String) -> [Double] {
    markup.matches(of: pattern).compactMap { Double(String($0.1)) }
  }

  @Test func `no two of ten parts have the same colour, and each colour is in the style sheet`() {
    let markup = HTML.stackPlot(Self.bars(10), label: "parts").markup
    let colours = Set(markup.matches(of: #/class="(bar\d+)"/#).map { String($0.1) })
    #expect(colours.count == 10)
    let page = HTML.page(title: "", body: [])
    for colour in colours { #expect(page.contains(".plot .\(colour){fill:var(--c")) }
  }

  @Test func `a drawing is as wide as its column, and nothing in it is scaled`() {
    let interval = HTML.Interval(label: "a", low: 1, value: 2, high: 3, text: "2", tone: .plain)
    let drawings: [HTML] = [
      .stackPlot(Self.bars(3), label: ""), .dotPlot([interval], label: "", format: Self.format),
      .intervalPlot([interval], unit: "%"),
    ]
    for markup in drawings.map(\.markup) {
      #expect(markup.contains("<svg width=\"100%\"") && !markup.contains("viewBox"))
    }
    #expect(!HTML.page(title: "", body: drawings).contains(".plot{margin:1rem 0;max-width"))
  }

  @Test func `a scale that does not begin at zero says so`() {
    func dots(_ most: Double) -> String {
      let rows = [1, most].map { HTML.Interval(label: "", low: $0, value: $0, high: $0, text: "", tone: .plain) }
      return HTML.dotPlot(rows, label: "", format: Self.format).markup
    }
    #expect(dots(1_000).contains("does not begin at zero") && !dots(10).contains("does not begin at zero"))
  }

  @Test func `no vertical line runs through a label`() {
    let rows = (1...3).map { number in
      HTML.Interval(
        label: "a name that reaches the middle", low: -1, value: Double(number), high: 4, text: "", tone: .plain)
    }
    let positive = rows.map {
      HTML.Interval(label: $0.label, low: 1, value: $0.value, high: 4, text: "", tone: .plain)
    }
    for (markup, style) in [
      (HTML.intervalPlot(rows, unit: "%").markup, "axis"),
      (HTML.dotPlot(positive, label: "", format: Self.format).markup, "grid"),
    ] {
      let labels = Self.numbers(#/y="([\d.]+)" text-anchor="start" class="">a name/#, in: markup)
      #expect(labels.count == 3)
      let lines = markup.matches(of: #/y1="([\d.]+)" x2="[^"]*" y2="([\d.]+)" class="(axis|grid)"/#)
        .filter { $0.3 == style }.compactMap { match in
          Double(String(match.1)).flatMap { from in Double(String(match.2)).map { (from: from, to: $0) } }
        }
      #expect(!lines.isEmpty)
      for label in labels {
        #expect(!lines.contains { $0.from < label + 3 && $0.to > label - 11 })
      }
    }
  }

  private static func density(_ label: String, from start: Double) -> String {
    let densities = (0..<100).map { Double($0 % 50) / 50 }
    return HTML.densityPlot(
      places: (0..<100).map { start + Double($0) / 100 }, densities: densities,
      value: .init(label: label, low: start + 0.4, value: start + 0.5, high: start + 0.6, text: "v", tone: .plain),
      unit: " µs"
    ).markup
  }

  @Test func `a density has a line at its value, a band, and a scale whose ends can be told apart`() {
    let markup = Self.density("a name", from: 33)
    #expect(markup.contains("x1=\"50.00%\" y1=\"24.0\" x2=\"50.00%\""))
    #expect(markup.contains("x=\"40.00%\" width=\"20.00%\""))
    #expect(markup.contains(">33.0 µs<") && markup.contains(">34.0 µs<") && markup.contains(">a name<"))
    // The highest point is at the top of the area, the lowest at its bottom.
    let numbers = (markup.firstMatch(of: #/d="M([\d ]+)"/#)?.1 ?? "").split(separator: " ").compactMap { Int($0) }
    #expect(numbers.count == 2 * 102 && numbers.allSatisfy { (0...1_000).contains($0) })
    let heights = numbers.indices.filter { $0 % 2 == 1 }.map { numbers[$0] }
    #expect(heights.min() == 0 && heights.max() == 1_000)
  }

  @Test func `a density takes little room in a page, and its label is no markup`() {
    let markup = Self.density("<b>" + String(repeating: "n", count: 40), from: 123_456)
    #expect(markup.utf8.count < 3_072 && !markup.contains("<b>") && markup.contains("&lt;b&gt;"))
    #expect(
      HTML.densityPlot(
        places: [], densities: [], value: .init(label: "", low: 1, value: 1, high: 1, text: "", tone: .plain), unit: ""
      ) == .nothing)
  }

  @Test func `the cells of a table of many columns name their column, for phones`() {
    let wide = HTML.table(header: ["a", "b", "c", "d"], rows: [["1", "2", "3", "4"]]).markup
    #expect(wide.contains("class=\"wide\""))
    for column in ["b", "c", "d"] { #expect(wide.contains("<td data-label=\"\(column)\">")) }
    #expect(!HTML.table(header: ["a", "b", "c"], rows: [["1", "2", "3"]]).markup.contains("data-label"))
  }
}

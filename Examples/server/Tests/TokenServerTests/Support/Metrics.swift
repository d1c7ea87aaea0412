import Testing

/// Prometheus' text format 0.0.4, read strictly.
struct Metrics {
  struct Malformed: Error {
    let line: String
  }

  private(set) var samples: [String: Double] = [:]
  private(set) var types: [String: String] = [:]
  private var helped: Set<String> = []
  /// The buckets of each histogram, in the order of the text.
  private var buckets: [String: [(bound: Double, count: Double)]] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Malformed(line: "the end") }
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) { try read(String(line)) }
    for name in types.keys { #expect(helped.contains(name)) }
    for (name, kind) in types where kind == "histogram" {
      let series = try #require(buckets[name])
      #expect(series.last?.bound == .infinity)
      #expect(series.map(\.bound) == series.map(\.bound).sorted())
      #expect(series.map(\.count) == series.map(\.count).sorted())
      #expect(samples["\(name)_count"] == series.last?.count)
      #expect(samples["\(name)_sum"] != nil)
    }
  }

  subscript(name: String) -> Double? { samples[name] }

  /// The sum over all labels.
  func sum(_ name: String) -> Double {
    samples.filter { $0.key == name || $0.key.hasPrefix("\(name){") }.reduce(0) { $0 + $1.value }
  }

  private mutating func read(_ line: String) throws {
    if line.hasPrefix("# HELP ") {
      let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
      guard words.count == 2, helped.insert(String(words[0])).inserted else { throw Malformed(line: line) }
      return
    }
    if line.hasPrefix("# TYPE ") {
      let words = line.dropFirst(7).split(separator: " ")
      guard words.count == 2, ["counter", "gauge", "histogram"].contains(words[1]), types[String(words[0])] == nil
      else { throw Malformed(line: line) }
      types[String(words[0])] = String(words[1])
      return
    }
    let pattern = /([a-z][a-z0-9_]*)(?:\{([a-z]+)="([^"\\\n]*)"(?:,[a-z]+="[^"\\\n]*")*\})? ([0-9]+(?:\.[0-9]+)?)/
    guard let match = line.wholeMatch(of: pattern), let value = Double(match.4) else { throw Malformed(line: line) }
    let name = String(match.1)
    let key = String(line.prefix(line.count - match.4.count - 1))
    guard samples.updateValue(value, forKey: key) == nil else { throw Malformed(line: line) }
    if name.hasSuffix("_bucket"), types[String(name.dropLast(7))] == "histogram" {
      guard match.2 == "le", let text = match.3, let bound = text == "+Inf" ? .infinity : Double(text) else {
        throw Malformed(line: line)
      }
      buckets[String(name.dropLast(7)), default: []].append((bound, value))
      return
    }
    for ending in ["_sum", "_count"] where name.hasSuffix(ending) {
      if types[String(name.dropLast(ending.count))] == "histogram" { return }
    }
    guard let kind = types[name], kind != "histogram", (kind == "counter") == name.hasSuffix("_total") else {
      throw Malformed(line: line)
    }
  }
}

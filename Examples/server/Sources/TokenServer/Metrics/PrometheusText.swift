/// Prometheus' text format 0.0.4.
struct PrometheusText {
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  enum Kind: String {
    case counter, gauge, histogram
  }

  /// A metric with one value for each value of a label, or one value only.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, label: String? = nil, _ values: [(label: String, value: String)]
  ) {
    describe(name, kind, help)
    for (value, number) in values {
      text += label.map { "\(name){\($0)=\"\(value)\"} \(number)\n" } ?? "\(name) \(number)\n"
    }
  }

  /// A metric with one value.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
    add(name, kind, help, [("", String(value))])
  }

  /// A metric of value 1 with facts as labels. Their values must not have quotation marks, backslashes or line feeds.
  mutating func addInfo(_ name: String, _ help: String, _ labels: [(name: String, value: String)]) {
    describe(name, .gauge, help)
    text += "\(name){\(labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ","))} 1\n"
  }

  /// A distribution.
  ///
  /// - Parameters:
  ///   - bounds: the upper ends of the buckets, ascending; without the last one, which has none.
  ///   - counts: how many values are in each bucket alone, one more than there are bounds.
  mutating func add(
    _ name: String, _ help: String, bounds: [String], counts: [UInt64], sum: String
  ) {
    describe(name, .histogram, help)
    var total: UInt64 = 0
    for (index, bound) in (bounds + ["+Inf"]).enumerated() {
      if index < counts.count { total += counts[index] }
      text += "\(name)_bucket{le=\"\(bound)\"} \(total)\n"
    }
    text += "\(name)_sum \(sum)\n\(name)_count \(total)\n"
  }

  /// Nanoseconds as seconds, exactly.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest == 0 { return String(whole) }
    let digits = String(rest)
    var fraction = String(repeating: "0", count: 9 - digits.count) + digits
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }

  private mutating func describe(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }
}

/// A line of libFuzzer's statistics: `#1234: cov: 98 ft: 117 corp: 12 exec/s: 5000 …`, or as it writes without -fork.
struct LibFuzzerLine {
  let executions: Int
  let coverage: Int
  let features: Int
  let corpus: Int

  init?(_ line: String) {
    guard line.hasPrefix("#") else { return nil }
    let words = line.dropFirst().split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) }
    guard let first = words.first, let executions = Int(first.prefix { $0.isNumber }) else { return nil }
    func number(_ name: String) -> Int? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      return Int(words[index + 1].prefix { $0.isNumber })
    }
    guard let coverage = number("cov:"), let features = number("ft:"), let corpus = number("corp:") else { return nil }
    self.executions = executions
    self.coverage = coverage
    self.features = features
    self.corpus = corpus
  }
}

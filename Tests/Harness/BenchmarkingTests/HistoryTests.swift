import Benchmarking
import Foundation
import HostIO
import StrictJSON
import TestSupport
import Testing

/// Made-up results of a benchmark over commits: noise, single slow measurements, and drift of the machine.
private struct MadeUpSeries {
  private var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// Logarithms of times.
  ///
  /// - Parameters:
  ///   - noise: the standard deviation of each measurement.
  ///   - drift: the fraction of the drift that remains after division by the anchors. The drift of the machine's speed
  ///     has a standard deviation of 3%.
  ///   - slow: the share of measurements that take 2% to 10% longer.
  mutating func values(_ count: Int = 200, noise: Double = 0.01, drift: Double = 0.1, slow: Double = 0.05) -> [Double] {
    var speed = 0.0
    return (0..<count).map { _ in
      speed = 0.95 * speed + 0.03 * (1 - 0.95 * 0.95).squareRoot() * normal()
      let disturbed = random() < slow ? 0.02 + 0.08 * random() : 0
      return noise * normal() + drift * speed + disturbed
    }
  }

  mutating func place() -> Int { Int.random(in: 20...180, using: &generator) }

  private mutating func random() -> Double { Double.random(in: Double.ulpOfOne..<1, using: &generator) }

  /// A normally distributed number, by the Box–Muller transform.
  private mutating func normal() -> Double { (-2 * log(random())).squareRoot() * cos(2 * .pi * random()) }
}

struct HistoryTests {
  // MARK: Steps

  @Test(arguments: [0.02, -0.02, 0.05])
  func `a step is found at its commit, with its size`(size: Double) throws {
    for seed: UInt64 in 1...5 {
      var series = MadeUpSeries(seed: seed)
      var values = series.values(noise: 0.003, slow: 0)
      let place = series.place()
      for index in place..<200 { values[index] += log(1 + size) }
      let steps = ChangePoints.steps(in: values, series: 30)
      #expect(steps.map(\.index) == [place], "seed \(seed)")
      #expect(abs(try #require(steps.first).change - size) < 0.005, "seed \(seed)")
    }
  }

  @Test func `a slowdown that was undone is two steps`() {
    var series = MadeUpSeries(seed: 1)
    var values = series.values(noise: 0.003, slow: 0)
    for index in 100..<115 { values[index] += log(1.05) }
    #expect(ChangePoints.steps(in: values).map(\.index) == [100, 115])
  }

  @Test func `neither single slow measurements nor a small step count, and few commits show a large one`() {
    var series = MadeUpSeries(seed: 1)
    var values = series.values(noise: 0.003, slow: 0)
    for index in [0, 50, 120, 199] { values[index] += log(1.5) }
    #expect(ChangePoints.steps(in: values) == [])
    let small = (0..<200).map { $0 < 100 ? 0 : 0.009 }
    #expect(ChangePoints.steps(in: small) == [])
    #expect(ChangePoints.steps(in: small.map { 2 * $0 }).map(\.index) == [100])
    let short = [0, 0.01, 0, 0.01, 0, 0.5, 0.51, 0.5, 0.51, 0.5]
    #expect(ChangePoints.steps(in: short).map(\.index) == [5])
    #expect(ChangePoints.steps(in: Array(short.dropLast())) == [])
  }

  /// Finds steps in `count` series with a step at a random place. Returns in how many a step was found within five
  /// commits of it and within one, and the number of false steps.
  private func detection(of size: Double, in count: Int, drift: Double) -> (detected: Int, exact: Int, wrong: Int) {
    var (detected, exact, wrong) = (0, 0, 0)
    for seed in 0..<UInt64(count) {
      var series = MadeUpSeries(seed: 1_000 + seed)
      let place = series.place()
      let values = series.values(drift: drift).enumerated().map { $0.element + ($0.offset < place ? 0 : log(1 + size)) }
      let steps = ChangePoints.steps(in: values, series: 30)
      let near = steps.filter { size > 0 && abs($0.index - place) <= 5 && $0.change > 0 }
      detected += near.isEmpty ? 0 : 1
      exact += near.contains { abs($0.index - place) <= 1 } ? 1 : 0
      wrong += steps.count - near.count
    }
    return (detected, exact, wrong)
  }

  /// Docs/Measuring.md has these counts as a table.
  @Test(.deep(.counts)) func `of 300 made-up series with steps most are detected, and those without have none`() throws
  {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let document = try FileText.text(root.appending(path: "Docs/Measuring.md").path)
    for drift in [0.1, 1] {
      for size in [0, 0.01, 0.02, 0.05] {
        let found = detection(of: size, in: 300, drift: drift)
        let step = size == 0 ? "none" : "\(Int(size * 100))%"
        let machine = drift < 1 ? "divided by the anchors" : "as measured"
        let row = "| \(machine) | \(step) | \(size == 0 ? "–" : "\(found.detected)") | "
        #expect(document.contains(row + "\(size == 0 ? "–" : "\(found.exact)") | \(found.wrong) |"), "\(row)\(found)")
      }
    }
  }

  @Test func `a step of 5% is detected in noise and drift, and without one there is no alarm`() {
    let (found, none) = (detection(of: 0.05, in: 15, drift: 0.1), detection(of: 0, in: 15, drift: 0.1))
    #expect(found.detected >= 14 && found.exact >= 13 && none.wrong == 0, "\(found) \(none)")
  }

  // MARK: Folders

  /// A measurement on a machine that takes `speed` times as long for everything.
  private func document(_ commit: String?, cpu: String, speed: Double = 1, token: Double) -> String {
    func result(_ name: String, _ time: Double) -> BenchmarkResult {
      BenchmarkResult(
        name: name, unit: "token", iterations: 1, operationsPerSecond: 1, p50: time, p90: time, p99: time, p999: time,
        maximum: time, allocations: nil, roundMedians: [time, time * 1.1, time])
    }
    let report = BenchmarkReport(
      cpu: nil, rounds: 3, results: [result("anchor", 50_000 * speed), result("token", token * speed)], ratios: [],
      environment: JSON.members(["cpu": cpu, "os": "Linux 6.1 x86_64", "commit": commit]))
    return report.json.text
  }

  private func commit(_ number: Int) -> String { String(repeating: "0", count: 38) + "\(number + 10)" }

  @Test func `a folder is read by machine, with the commits around each step, whatever the speed of the machine`()
    throws
  {
    let folder = try TemporaryFolder()
    for number in 0..<30 where !(15...17).contains(number) {
      let slower = document(
        commit(number), cpu: "one", speed: 1 + Double(number % 3), token: number < 15 ? 80_000 : 84_000)
      try folder.write(slower, to: "\(commit(number)).json")
    }
    for number in 0..<12 {
      let other = document(number < 6 ? nil : commit(30), cpu: "two", token: 40_000)
      try folder.write(other, to: "other-\(10 + number).json")
    }
    let history = try MeasurementHistory(folder: folder.url.path, anchors: ["anchor"])
    #expect(history.count == 39 && history.skipped == [])
    #expect(history.machines.map { $0.series.map(\.name) } == [["token"], ["token"]])
    let step = try #require(history.steps.first)
    #expect(history.steps.count == 1 && abs(step.step.change - 0.05) < 1e-6)
    let range = step.series.range(of: step.step)
    #expect(range.before == commit(14) && range.after == commit(18))
    #expect(try #require(history.warnings.first).hasSuffix(", on \(history.machines[0].title)"))
    #expect(step.series.levels.map { ($0 / 80_000 * 20).rounded() } == [40, 42])
    // Measurements without a commit are known by their files; several of one commit are one point.
    let other = history.machines[1].series[0]
    #expect(other.points.map(\.commit) == (10..<16).map { "other-\($0).json" } + [commit(30)])
    let json = try #require(history.json["machines"]?.elements?.first?["benchmarks"]?.elements?.first)
    #expect(json["steps"]?.elements?.first?["after"]?.string == commit(18))
    let words = ["http://", "https://", "<script", "url(", "@import"]
    #expect(words.filter(history.page.contains) == [] && history.page.contains("<svg"))
    #expect(history.page.contains(String(commit(18).prefix(12))) && history.markdown.contains("+5.00%"))
    // Steps are listed under their machine, whose long title is said once.
    for text in [history.page, history.text, history.markdown] {
      #expect(text.components(separatedBy: "cpu one").count == 2 && text.contains("token: +5.00%"), "\(text)")
    }
  }

  @Test func `what is no measurement is skipped and named, and nothing outside the folder is read`() throws {
    let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
    let genuine = document(nil, cpu: "one", token: 80_000)
    let names = ["empty.json", "list.json", "newline\n.json", "no-anchor.json", "number.json"]
    let contents = [
      "", "[]", "{\"schema\": \"assay.bench/1\"}", genuine.replacing("anchor", with: "other"),
      genuine.replacing("\"samples_ns\":[", with: "\"samples_ns\":[1e999,"),
    ]
    for (name, content) in zip(names, contents) { try folder.write(content, to: name) }
    try outside.write(genuine, to: "target.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: outside.path("target.json"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: folder.url.path)
    try #require(mkfifo(folder.path("fifo.json"), 0o600) == 0)
    try folder.write("", to: "sparse.json")
    try #require(truncate(folder.path("sparse.json"), 1 << 40) == 0)
    try folder.write("no result, and not said to be one", to: "README.md")
    try folder.write(genuine, to: "genuine.json")
    let history = try MeasurementHistory(folder: folder.url.path, anchors: ["anchor"])
    #expect(history.count == 1 && history.machines.count == 1)
    let skipped = names + ["link.json", "fifo.json", "sparse.json"]
    #expect(history.skipped.count == skipped.count, "\(history.skipped)")
    for name in skipped {
      let shown = name.replacing("\n", with: "\u{FFFD}")
      #expect(history.skipped.contains { $0.contains(shown) }, "\(name)")
    }
    #expect(throws: CommandError.self) { try MeasurementHistory(folder: folder.path("absent"), anchors: []) }
  }

  // MARK: Dashboards

  @Test func `the percentiles of a measurement are lines that a plotter of HdrHistogram reads`() throws {
    let benchmark = Benchmark(name: "nothing") { _ in }
    let report = try Measurement(settings: MeasurementSettings(seconds: 0.05, seed: 1)).run([benchmark])
    let result = try #require(report.results.first)
    let text = try #require(DashboardReport.hdr(result))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first?.split(separator: " ") == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
    let rows = lines.dropFirst().filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(rows.dropLast().allSatisfy { $0.count == 4 } && rows.last?.count == 3 && rows.count > 3)
    #expect(rows.map { $0[1] } == rows.map { $0[1] }.sorted() && rows.map { $0[0] } == rows.map { $0[0] }.sorted())
    #expect(rows.last?[1] == 1 && rows.last?[2] == result.sampleCount.map(Double.init))
    let median = try #require(rows.first { $0[1] == 0.5 })
    #expect(abs(median[0] - result.p50 / 1_000) < 0.001 && median[3] == 2)
    #expect(lines.last?.hasPrefix("#[Max") == true && lines.last?.contains("Total count = ") == true)
    // A saved result has no distribution.
    #expect(DashboardReport.hdr(BenchmarkResult(saved: result)) == nil)
  }

  @Test func `a table has a row for each benchmark and quotes what it must, and a dashboard gets what it reads`() throws
  {
    let text = document("ab", cpu: "a \"fast\", one", token: 80_000)
    let saved = try BenchmarkReport(parsing: Array(text.utf8))
    let rows = DashboardReport.csvRows(saved).split(separator: "\n").map(String.init)
    let quoted = #"ab,"a ""fast"", one",Linux 6.1 x86_64,,"#
    let times = "token,80000.0,80000.0,80000.0,1.0,"
    #expect(rows.last == quoted + "token," + times && rows.count == 2)
    #expect(DashboardReport.csvHeader.split(separator: ",").count == 11)
    let bytes = Array(DashboardReport.githubBenchmark(saved).utf8)
    let document = try JSON(reading: bytes.span)
    let entry = try #require(document.elements?.last)
    #expect(entry.members?.map(\.name) == ["name", "unit", "value", "range", "extra"])
    #expect(entry["name"]?.string == "token" && entry["value"]?.number == 80_000)
  }

  @Test func `a comma or quotation mark with marks on it is quoted as well`() throws {
    let text = document("ab", cpu: "a,\u{301} b\"\u{301}", token: 80_000)
    let rows = DashboardReport.csvRows(try BenchmarkReport(parsing: Array(text.utf8)))
    #expect(Array(rows.utf8).starts(with: Array("ab,\"a,\u{301} b\"\"\u{301}\",".utf8)))
  }
}

extension BenchmarkResult {
  /// The same result without what is not saved.
  fileprivate init(saved other: BenchmarkResult) {
    self.init(
      name: other.name, unit: other.unit, iterations: other.iterations, operationsPerSecond: other.operationsPerSecond,
      p50: other.p50, p90: other.p90, p99: other.p99, p999: other.p999, maximum: other.maximum, allocations: nil,
      roundMedians: other.roundMedians)
  }
}

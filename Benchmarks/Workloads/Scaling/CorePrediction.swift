import Benchmarking
import CMachine
import HostIO
import Reports
import StrictJSON

/// The figures of `assay bench cores`: the throughput that `CoreModel` predicts for many cores.
package struct CorePrediction {
  /// A way to decrypt.
  struct Way {
    let name: String
    let benchmark: String
    /// The same on one thread and on two, where this is measured.
    let threads: (one: String, two: String)?
  }

  /// A way as it was measured.
  struct Row {
    let name: String
    /// Nanoseconds of a token on one core.
    let alone: Double
    /// Nil where instructions cannot be traced.
    let writes: SharedWrites?
    /// Two threads over one, measured.
    let two: Double?
  }

  private static let ways = [
    Way(
      name: "one at a time", benchmark: DecryptBenchmarks.name("fast"),
      threads: (DecryptBenchmarks.name("fast", .threads(1)), DecryptBenchmarks.name("fast", .threads(2)))),
    Way(
      name: "batches of 64", benchmark: BatchBenchmarks.name(64),
      threads: (BatchBenchmarks.threadsName(1), BatchBenchmarks.threadsName(2))),
    Way(name: "a pool", benchmark: PoolBenchmarks.full, threads: nil),
  ]
  private static let cores = [1, 2, 4, 8, 16, 32, 64, 128]
  /// The share of the time that measuring a transfer takes.
  private static let contentionShare = 0.2

  let contention: LineContention
  /// The time of a transfer that predictions are made with.
  let transfer: Double
  private(set) var rows: [Row] = []

  /// Measures; calls `tell` with the progress.
  ///
  /// - Parameters:
  ///   - transfer: nanoseconds to predict with, of another machine; nil for those of this one.
  ///   - lines: writes of a token to each line, as of another build, to predict with; nil to count those of this one.
  /// - Throws: `BenchmarkFailure` if there are not two CPUs, or an answer was wrong.
  package init(
    seconds: Double, seed: UInt64, transfer: Double?, lines: [Double]?,
    tell: @escaping (Measurement.Progress) -> Void
  ) throws(BenchmarkFailure) {
    let start = MonotonicClock.nanoseconds
    contention = try LineContention(seconds: seconds * Self.contentionShare)
    self.transfer = transfer ?? contention.transfer
    let names = Self.ways.flatMap { [$0.benchmark] + ($0.threads.map { [$0.one, $0.two] } ?? []) }
    let benchmarks = try Catalogue.make(names, tokens: TokenSet.minted(seed: seed), seed: seed)
    let report = try Measurement(
      settings: MeasurementSettings(
        seconds: seconds, start: start, seed: seed, sharedWrites: lines == nil ? .besideKernels : nil),
      progress: tell
    ).run(benchmarks)
    func result(_ name: String) -> BenchmarkResult? { report.results.first { $0.name == name } }
    rows = Self.ways.compactMap { way in
      guard let measured = result(way.benchmark) else { return nil }
      var two: Double?
      if let threads = way.threads, let one = result(threads.one), let both = result(threads.two) {
        two = one.p50 / both.p50
      }
      let writes = lines.map { SharedWrites(count: $0.reduce(0, +), lines: $0) } ?? measured.sharedWrites
      return Row(name: way.name, alone: measured.p50, writes: writes, two: two)
    }
  }

  /// Predicted tokens per second.
  private func tokensPerSecond(_ row: Row, _ lines: [Double], cores: Int) -> Double {
    CoreModel(alone: row.alone, lines: lines, transfer: transfer).operationsPerSecond(cores: cores)
  }
}

extension CorePrediction {
  /// The results as text: predictions, then what they are made of.
  package func text(environment: [JSON.Member]) -> String {
    var lines = Text.table(
      header: ["tokens/s on cores"] + Self.cores.map { "\($0)" },
      rows: predictions.map { name, values in
        [name] + values.map { $0.fixed(0) }
      })
    lines += [""]
    lines += Text.table(
      header: ["a token", "shared writes", "on lines", "most on one", "2 threads over one", "predicted"],
      rows: rows.map(cells))
    lines += [""]
    lines += Text.table(
      header: ["two threads, own lines ns", "one line ns", "predicted"],
      rows: contention.samples.map { [$0.alone, $0.together, $0.predicted].map { $0.fixed(1) } })
    lines += [""]
    lines += Text.pairs(
      [
        (name: "transfer of a line", value: "\(contention.transfer.fixed(1)) ns between two CPUs of this machine"),
        (name: "predicted with", value: "\(transfer.fixed(1)) ns"),
      ] + environment.map { (name: $0.name, value: BenchmarkText.plain($0.value)) })
    return lines.joined(separator: "\n") + "\n"
  }

  /// Tokens per second on each number of cores, with a name for each row.
  private var predictions: [(name: String, values: [Double])] {
    rows.compactMap { row in
      row.writes.map { writes in
        (row.name, Self.cores.map { tokensPerSecond(row, writes.lines, cores: $0) })
      }
    }
  }

  private func cells(_ row: Row) -> [String] {
    let lines = row.writes?.lines ?? []
    let predicted = tokensPerSecond(row, lines, cores: 2) / tokensPerSecond(row, lines, cores: 1)
    return [
      row.name, row.writes.map { $0.count.fixed(3) } ?? "-", "\(lines.count)", (lines.first ?? 0).fixed(3),
      row.two.map { $0.fixed(3) } ?? "-", row.writes == nil ? "-" : predicted.fixed(3),
    ]
  }

  /// For programs; times in nanoseconds.
  package func json(environment: [JSON.Member]) -> JSON {
    [
      "schema": "assay.bench-cores/1", "environment": JSON.object(environment),
      "transfer": JSON.decimal(transfer, digits: 1), "measured_transfer": JSON.decimal(contention.transfer, digits: 1),
      "contention": contention.samples.map { sample -> JSON in
        [
          "own_lines": JSON.decimal(sample.alone, digits: 1), "one_line": JSON.decimal(sample.together, digits: 1),
          "predicted": JSON.decimal(sample.predicted, digits: 1),
        ]
      },
      "ways": rows.map { row -> JSON in
        [
          "name": row.name, "alone": JSON.decimal(row.alone, digits: 1),
          "shared_writes_per_token": row.writes.map { JSON.thousandths($0.count) },
          "writes_by_line": row.writes.map { $0.lines.map { JSON.thousandths($0) } },
          "two_over_one": row.two.map { JSON.thousandths($0) },
        ]
      },
      "predictions": predictions.map { name, values -> JSON in
        [
          "name": name, "tokens_per_second": values.map { JSON.decimal($0, digits: 0) },
        ]
      },
      "cores": Self.cores,
    ]
  }
}

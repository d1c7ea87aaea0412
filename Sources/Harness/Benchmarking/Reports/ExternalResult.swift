import Reports
import StrictJSON

/// What became of an external program.
public struct ExternalResult: Hashable, Sendable {
  /// How its figures may be used.
  public enum Standing: String, Hashable, Sendable {
    /// It decides everything correctly.
    case measured
    /// It was measured, with a limitation that its remarks name.
    case degraded
    /// It was measured, but accepts forged tokens: it does less than a decryptor must.
    case unverified
    /// It has no figures.
    case dropped
  }

  /// The resident memory of its processes, in bytes.
  public struct Memory: Hashable, Sendable {
    /// After its answer to hello.
    public let atStart: Int
    /// After the warm-up.
    public let afterWarmUp: Int?
    /// After the measurement.
    public let atEnd: Int?

    /// Creates the figures.
    public init(atStart: Int, afterWarmUp: Int?, atEnd: Int?) {
      self.atStart = atStart
      self.afterWarmUp = afterWarmUp
      self.atEnd = atEnd
    }

    /// The largest of the figures.
    public var largest: Int { max(atStart, afterWarmUp ?? 0, atEnd ?? 0) }
  }

  /// Its command line.
  public let command: String
  /// The word for it in the names of its benchmarks.
  public let word: String
  public let standing: Standing
  /// Why it was dropped, or what limits its figures; phrases without a full stop.
  public let remarks: [String]
  /// The benchmark of round trips, one token at a time; nil if it was dropped.
  public var roundTrip: String?
  /// The benchmark with several tokens in flight; nil if that was not measured.
  public var pipelined: String?
  /// The benchmark whose time is subtracted; nil if it was dropped.
  public var protocolCost: String?
  /// Nanoseconds per token, one at a time, less the protocol.
  public var decryption: BootstrapInterval?
  /// The number of tokens that it was measured with.
  public var tokens = 0
  /// How many tokens there are.
  public var allTokens = 0
  /// Nanoseconds from its start to its answer to hello.
  public var startNanoseconds: Double?
  public var warmUp: WarmUpCurve?
  public var memory: Memory?

  /// Creates the result of a program without figures.
  public init(command: String, word: String, standing: Standing, remarks: [String]) {
    self.command = command
    self.word = word
    self.standing = standing
    self.remarks = remarks
  }

  /// Subtracts the protocol from the round trip, round by round.
  public mutating func subtractProtocol(in results: [BenchmarkResult], seed: UInt64) {
    func rounds(_ name: String?) -> [Double]? { results.first { $0.name == name }?.roundMedians }
    guard let whole = rounds(roundTrip), let cost = rounds(protocolCost), whole.count == cost.count else { return }
    decryption = BootstrapInterval(samples: zip(whole, cost).map { $0 - $1 }, seed: seed)
  }

  /// Its remarks as sentences.
  var warnings: [String] { remarks.map { "\(word): \(standing.rawValue): \($0)." } }
}

extension ExternalResult {
  /// An element of `externals` in `assay.bench/1`.
  var json: JSON {
    [
      "command": command,
      "name": word,
      "standing": standing.rawValue,
      "remarks": remarks,
      "round_trip": roundTrip,
      "pipelined": pipelined,
      "protocol": protocolCost,
      "decryption_ns": decryption.map { JSON.tenths($0.ratio) },
      "decryption_low_ns": decryption.map { JSON.tenths($0.low) },
      "decryption_high_ns": decryption.map { JSON.tenths($0.high) },
      "tokens": allTokens,
      "measured_tokens": tokens,
      "start_ns": startNanoseconds.map { JSON.tenths($0) },
      "warm_up": warmUp.map { curve in
        [
          "requests": curve.requests,
          "points": curve.points.map { ["request": $0.request, "ns": JSON.tenths($0.nanoseconds)] as JSON },
          "settled_ns": JSON.tenths(curve.settled),
          "settled_after": curve.settledAfter,
        ] as JSON
      },
      "memory": memory.map { memory in
        [
          "start_bytes": memory.atStart, "warm_bytes": memory.afterWarmUp, "end_bytes": memory.atEnd,
        ] as JSON
      },
    ]
  }
}

/// The external programs as rows of tables.
package enum ExternalText {
  package static let header = [
    "external", "standing", "tokens", "µs a token", "95% interval", "protocol µs", "pipelined tokens/s",
  ]
  static let dropping = ["protocol µs", "tokens", "95% interval", "pipelined tokens/s"]
  package static let warmUpHeader = [
    "external", "hello ms", "first µs", "10th", "100th", "1,000th", "settled", "after tokens", "memory MB",
  ]
  static let warmUpDropping = ["1,000th", "100th", "10th", "after tokens", "hello ms", "memory MB"]

  /// The time of one token at a time less the protocol, and the rate with several in flight.
  package static func cells(_ external: ExternalResult, of results: [BenchmarkResult]) -> [String] {
    func result(_ name: String?) -> BenchmarkResult? { results.first { $0.name == name } }
    let microseconds = BenchmarkText.microseconds(ofMeasured:)
    let interval = external.decryption.map { "\(microseconds($0.low)) to \(microseconds($0.high))" }
    return [
      external.word, external.standing.rawValue,
      external.allTokens > 0 ? "\(external.tokens) of \(external.allTokens)" : "-",
      microseconds(external.decryption?.ratio), interval ?? "-",
      microseconds(result(external.protocolCost).map { OrderStatistics.median($0.roundMedians) }),
      result(external.pipelined)?.operationsPerSecond.fixed(0) ?? "-",
    ]
  }

  /// The times of its warm-up, and its memory at the start and at most; nil if it was not warmed up.
  package static func warmUpCells(_ external: ExternalResult) -> [String]? {
    guard let curve = external.warmUp else { return nil }
    func time(_ request: Int) -> String {
      BenchmarkText.microseconds(ofMeasured: curve.points.first { $0.request == request }?.nanoseconds)
    }
    let memory = external.memory.map { "\(megabytes($0.atStart)) to \(megabytes($0.largest))" }
    return [
      external.word, external.startNanoseconds.map { ($0 / 1e6).fixed(1) } ?? "-", time(1), time(10), time(100),
      time(1_000), BenchmarkText.microseconds(curve.settled),
      curve.settledAfter.map(String.init) ?? "still falling", memory ?? "-",
    ]
  }

  /// Both tables and the remarks as lines of text; none without externals.
  static func lines(_ report: BenchmarkReport) -> [String] {
    guard !report.externals.isEmpty else { return [] }
    var lines =
      [""]
      + Text.table(
        header: header, rows: report.externals.map { cells($0, of: report.results) }, dropping: dropping)
    let warmUps = report.externals.compactMap(warmUpCells)
    if !warmUps.isEmpty { lines += [""] + Text.table(header: warmUpHeader, rows: warmUps, dropping: warmUpDropping) }
    let remarks = report.externals.flatMap(\.warnings)
    return remarks.isEmpty ? lines : lines + [""] + remarks
  }

  private static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).fixed(1) }
}

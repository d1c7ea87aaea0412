import Benchmarking
import Minting
import Reports
import StrictJSON

/// Measures EC_v1 alone and among other kinds, in turns. This shows how much slow requests delay fast ones.
struct PoolMix {
  /// The requests that are sent with those of EC_v1.
  struct Company {
    let name: String
    /// The shares of RSA_v1 and of unknown certificates, in percent.
    let percents: [Int]
    /// The rate of all requests in the mix, as a multiple of the rate of EC_v1 alone.
    let rate: Double
  }

  /// Some of the requests are of other kinds.
  static let mix = Company(name: "in the mix", percents: [10, 10], rate: 1)
  /// An attacker doubles the number of requests, with unknown certificates.
  static let flood = Company(name: "in the flood", percents: [0, 50], rate: 2)
  /// The maximum number of rounds.
  static let rounds = 5

  private let company: Company
  private let requestsPerSecond: Double
  private var rounds: [(alone: KindResult, mixed: [KindResult])] = []

  init(_ company: Company, requestsPerSecond: Double) {
    (self.company, self.requestsPerSecond) = (company, requestsPerSecond)
  }

  /// Measures a round: EC_v1 alone for half of the time, then the mix.
  mutating func measure(
    _ pool: PoolUnderLoad, _ tokens: MixedTokens, seconds: Double, seed: UInt64
  ) throws(BenchmarkFailure) {
    let alone = try pool.openLoop(
      requestsPerSecond: requestsPerSecond, seconds: seconds / 2, seed: seed, sleeps: true)
    var random = SeededGenerator(seed: seed)
    let percents = company.percents
    let rate = requestsPerSecond * company.rate
    let mixed = try pool.openLoop(requestsPerSecond: rate, seconds: seconds / 2, seed: seed, sleeps: true) { index in
      let draw = Int.random(in: 0..<100, using: &random)
      let samples =
        draw < percents[0] ? tokens.rsaV1 : draw < percents[0] + percents[1] ? tokens.unknown : tokens.ecV1
      return samples[index % samples.count]
    }
    rounds.append((alone.kinds[TokenKind.ecV1.rawValue], mixed.kinds))
  }

  /// The median over the rounds of the 99th percentile of EC_v1 in the mix over that of EC_v1 alone.
  ///
  /// - Parameter percentile: of all requests of a round, or by tenths of a second.
  private func ratio(_ percentile: (KindResult) -> Double) -> Double {
    OrderStatistics.median(
      rounds.map { percentile($0.mixed[TokenKind.ecV1.rawValue]) / max(1, percentile($0.alone)) })
  }

  private var ratio: Double { ratio { $0.latency.percentile(99) } }
  private var ratioByTenths: Double { ratio(\.medianP99) }

  /// The rows of a table, with a name for each.
  private var rows: [(name: String, results: [KindResult])] {
    [(name: "EC_v1 alone", results: rounds.map(\.alone))]
      + TokenKind.allCases.map { kind in
        (name: "\(kind.name) \(company.name)", results: rounds.map { $0.mixed[kind.rawValue] })
      }
  }

  var text: [String] {
    Text.table(
      header: ["\(requestsPerSecond.fixed(0)) requests/s", "answered", "refused", "p50 µs", "p99 µs", "p99 by 0.1 s"],
      rows: rows.map { name, results in
        [
          name, "\(results.reduce(0) { $0 + $1.answered })", "\(results.reduce(0) { $0 + $1.overloaded })",
          BenchmarkText.microseconds(ofMeasured: Self.median(results) { $0.latency.percentile(50) }),
          BenchmarkText.microseconds(ofMeasured: Self.median(results) { $0.latency.percentile(99) }),
          BenchmarkText.microseconds(ofMeasured: Self.median(results, \.medianP99)),
        ]
      }, dropping: ["p99 by 0.1 s", "refused"]) + [
        "p99 of EC_v1 \(company.name) over alone: \(ratio.fixed(2)); by 0.1 s: \(ratioByTenths.fixed(2))"
      ]
  }

  var json: JSON {
    [
      "requests_per_second": JSON.decimal(requestsPerSecond, digits: 1), "rounds": rounds.count,
      "p99_ratio": JSON.decimal(ratio, digits: 3), "median_p99_ratio": JSON.decimal(ratioByTenths, digits: 3),
      "kinds": rows.map { name, results -> JSON in
        [
          "name": name, "answered": results.reduce(0) { $0 + $1.answered },
          "overloaded": results.reduce(0) { $0 + $1.overloaded },
          "p50": Self.median(results) { $0.latency.percentile(50) }.map { JSON.decimal($0, digits: 0) },
          "p99": Self.median(results) { $0.latency.percentile(99) }.map { JSON.decimal($0, digits: 0) },
          "median_p99": Self.median(results, \.medianP99).map { JSON.decimal($0, digits: 0) },
        ]
      },
    ]
  }

  /// The median over the rounds that have answered such requests; nil without any.
  private static func median(_ results: [KindResult], _ percentile: (KindResult) -> Double) -> Double? {
    let percentiles = results.filter { $0.answered > 0 }.map(percentile)
    return percentiles.isEmpty ? nil : OrderStatistics.median(percentiles)
  }
}

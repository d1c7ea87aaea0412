import HostIO
import Reports
import StrictJSON

/// A saved measurement, `assay.bench/1`.
extension BenchmarkReport {
  /// Reads a document's bytes, without the ratios, which follow from the results.
  ///
  /// - Throws: `BenchmarkFailure` if it is not a measurement.
  public init(parsing text: [UInt8]) throws(BenchmarkFailure) {
    guard let document = try? JSON(reading: text.span, within: .measurements),
      document["schema"]?.string == "assay.bench/1",
      case .object(let environment) = document["environment"], let results = document["results"]?.elements,
      document["ratios"]?.elements != nil
    else { throw BenchmarkFailure("it is not an assay.bench/1 document") }
    let read = results.compactMap(BenchmarkResult.init(reading:))
    guard read.count == results.count else { throw BenchmarkFailure("a result in it cannot be read") }
    self.init(
      cpu: nil, rounds: read.map(\.roundMedians.count).max() ?? 0, results: read, ratios: [],
      warnings: document["warnings"]?.elements?.compactMap(\.string) ?? [], environment: environment)
  }

  /// Reads a file that the user names, or standard input for `-`.
  ///
  /// - Throws: `CommandError` that names it.
  package init(named path: String) throws(CommandError) {
    let bytes = try FileReader.read(path, limit: Self.sizeLimit)
    do throws(BenchmarkFailure) {
      try self.init(parsing: bytes)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(path)): \(error.reason).")
    }
  }

  /// The size limit of a file.
  private static let sizeLimit = 16 << 20

  /// The text of a member of the environment.
  public func environmentText(_ name: String) -> String? {
    guard let value = environment.first(where: { $0.name == name })?.value else { return nil }
    if case .null = value { return nil }
    return value.string ?? value.text
  }

  /// Members of the environment that must be equal for times to be comparable.
  private static let decisive = ["cpu", "os", "openssl", "kernels"]

  /// The values of these members.
  private var machine: [String?] { Self.decisive.map(comparable) }

  /// Why two measurements cannot be compared, as a phrase; nil if they can.
  ///
  /// - Parameters:
  ///   - place: where this one is, for the phrase: `in base.json`.
  ///   - otherPlace: where the other one is.
  public func incomparability(_ place: String, with other: BenchmarkReport, _ otherPlace: String) -> String? {
    for (name, (mine, theirs)) in zip(Self.decisive, zip(machine, other.machine)) where mine != theirs {
      return "\(name) is \(mine ?? "unknown") \(place) and \(theirs ?? "unknown") \(otherPlace)"
    }
    return nil
  }

  /// The comparable part of a member: of the system only name and architecture, not the release.
  private func comparable(_ name: String) -> String? {
    guard let text = environmentText(name), name == "os" else { return environmentText(name) }
    let words = text.split(separator: " ")
    return [words.first, words.last].compactMap { $0 }.joined(separator: " ")
  }
}

extension BenchmarkResult {
  fileprivate init?(reading json: JSON) {
    guard let name = json["name"]?.string, let p50 = json["p50_ns"]?.number,
      let samples = json["samples_ns"]?.elements?.compactMap(\.number)
    else { return nil }
    func number(_ name: String) -> Double { json[name]?.number ?? 0 }
    let counts = json["allocations_per_token"]?.number.map {
      AllocationCounts(
        ownCalls: $0, ownBytes: number("allocated_bytes_per_token"),
        libcryptoCalls: number("libcrypto_allocations_per_token"),
        libcryptoBytes: number("libcrypto_allocated_bytes_per_token"))
    }
    self.init(
      name: name, unit: json["unit"]?.string ?? "token", note: json["note"]?.string,
      iterations: json["iterations"]?.count ?? 0, operationsPerSecond: number("tokens_per_second"),
      p50: p50, p90: number("p90_ns"), p99: number("p99_ns"),
      p999: number("p999_ns"), maximum: number("max_ns"),
      sampleCount: json["samples"]?.count, allocations: counts,
      roundMedians: samples)
  }
}

import Benchmarking
import HostIO
import Reports

/// The reviewed limits, from a file of the project.
enum ThresholdFile {
  static let path = "Benchmarks/Thresholds.json"

  static let option = OptionDefinition.value("--thresholds", "FILE", "the limits that count (default: \(path))")

  /// Reads a file that was named, or the usual one.
  ///
  /// - Throws: `CommandError` when it is not there or is no file of limits.
  static func read(_ named: String?) throws(CommandError) -> Thresholds {
    let path = named ?? Self.path
    let octets = try FileReader.wholeFile(path)
    do throws(BenchmarkFailure) {
      return try Thresholds(parsing: octets)
    } catch {
      throw CommandError(.noAnswer, "\(Text.harmless(path)): \(error.reason).")
    }
  }

  /// The same, or no limits at all when none was named and the usual file is not there.
  static func readIfPresent(_ named: String?) throws(CommandError) -> Thresholds {
    named == nil && !FileWriter.exists(path) ? Thresholds([]) : try read(named)
  }
}

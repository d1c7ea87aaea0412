import Reports
import StrictJSON

/// What an external program was asked in a run.
package struct OracleStatistics {
  /// Its name and version, as it answered `hello`.
  var name = ""
  var asked = 0
  /// Samples that it does not support.
  var unsupported = 0
  /// Answers with the other verdict where both are acceptable.
  var acceptable = 0
  /// Wrong decisions that are less severe than the level, by identity.
  var leniencies: [String: Int] = [:]
  /// Restarts after failures.
  var restarts = 0
  /// The largest resident memory of a process, in bytes.
  var residentBytes = 0

  init() {}

  /// Reads `document`; nil if there is none.
  init?(_ document: JSON?) {
    guard let document, case .object = document else { return nil }
    name = document["name"]?.string ?? ""
    asked = document["asked"]?.count ?? 0
    unsupported = document["unsupported"]?.count ?? 0
    acceptable = document["acceptable"]?.count ?? 0
    restarts = document["restarts"]?.count ?? 0
    residentBytes = document["resident_bytes"]?.count ?? 0
    for member in (document["leniencies"]?.members ?? []).prefix(1_000) { leniencies[member.name] = member.value.count }
  }

  var document: JSON {
    [
      "name": name, "asked": asked, "unsupported": unsupported, "acceptable": acceptable, "restarts": restarts,
      "resident_bytes": residentBytes,
      "leniencies": JSON.object(leniencies.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }),
    ]
  }

  /// For people: `12345 asked, 1 unsupported, …`.
  var text: String {
    let count = leniencies.values.reduce(0, +)
    return "\(name): \(asked) asked, \(unsupported) unsupported, \(acceptable) acceptable, "
      + "\(count) lenient in \(Text.counted(leniencies.count, "way")), \(Text.counted(restarts, "restart")), \(residentBytes >> 20) MiB"
  }
}

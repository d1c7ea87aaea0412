import HostIO
import PaymentToken
import Reports
import StrictJSON

/// The runs in a sync folder, by their heartbeats.
package struct FleetStatus {
  private let runs: [(name: String, heartbeat: Heartbeat)]
  private let time: UnixTime
  /// Seconds without a heartbeat after which a run is marked as silent.
  private static let silence: Int64 = 3_600
  /// The width of names, so that a line has at most 80 columns.
  private static let nameWidth = 16

  package init(_ folder: SyncFolder, at time: UnixTime) throws(CommandError) {
    self.time = time
    runs = try folder.runs().compactMap { name in folder.heartbeat(of: name).map { (name, $0) } }
  }

  package var hasFindings: Bool { runs.contains { $0.heartbeat.findings > 0 } }

  private func isSilent(_ heartbeat: Heartbeat) -> Bool {
    !heartbeat.hasEnded && heartbeat.age(at: time) >= Self.silence
  }

  /// The document `assay.fuzz-fleet/1`.
  package var json: JSON {
    [
      "schema": "assay.fuzz-fleet/1",
      "runs": runs.map { name, heartbeat in
        JSON(["name": name, "silent": isSilent(heartbeat)]).with(heartbeat.document.without("schema"))
      },
    ]
  }

  /// A table of at most 80 columns.
  package var text: String {
    let rows = runs.map { name, heartbeat in
      [
        name.count > Self.nameWidth ? name.prefix(Self.nameWidth - 1) + "…" : name, "\(heartbeat.executions)",
        heartbeat.rate.fixed(0), "\(heartbeat.samples)", "\(heartbeat.features)", "\(heartbeat.findings)",
        seen(heartbeat),
      ]
    }
    let header = ["name", "executions", "rate/s", "samples", "features", "findings", "last seen"]
    let dropping = ["rate/s", "features", "samples", "executions"]
    return Text.table(header: header, rows: rows, dropping: dropping).joined(separator: "\n") + "\n"
  }

  /// `5 min`, `silent 3 h`, `ended 2 d`.
  private func seen(_ heartbeat: Heartbeat) -> String {
    let age = max(0, heartbeat.age(at: time))
    let text =
      age < 120
      ? "\(age) s" : age < 3_600 ? "\(age / 60) min" : age < 172_800 ? "\(age / 3_600) h" : "\(age / 86_400) d"
    return (heartbeat.hasEnded ? "ended " : isSilent(heartbeat) ? "silent " : "") + text
  }
}

extension JSON {
  fileprivate func without(_ name: String) -> JSON { .object((members ?? []).filter { $0.name != name }) }
}

import Reports
import StrictJSON

/// A comparison as text and as JSON.
package enum ComparisonText {
  package static func text(_ report: ComparisonReport) -> String {
    var lines = report.sensitivity.map { [$0, ""] } ?? []
    if !report.rows.isEmpty {
      lines += Text.table(header: header, rows: report.rows.map(cells), dropping: dropping) + [""]
    }
    if !report.instructions.isEmpty {
      lines +=
        Text.table(
          header: instructionHeader, rows: report.instructions.map(cells), dropping: ["allowed", "before", "after"])
        + [""]
    }
    lines += report.added.map { "new: \($0)" }
    lines += report.otherFindings
    lines += report.remarks
    lines += [report.sentence + "."]
    lines += [""]
    lines += Text.pairs(conditions(report))
    return lines.joined(separator: "\n") + "\n"
  }

  static let header = ["name", "change", "95% interval", "p, corrected", "before µs", "after µs", "verdict"]
  private static let dropping = ["p, corrected", "before µs", "after µs", "95% interval"]
  static let instructionHeader = ["instructions per operation", "change", "before", "after", "allowed"]

  static func cells(_ row: ComparisonRow) -> [String] {
    [
      row.name, row.change.map(percent) ?? "-",
      row.interval.map { "\(percent($0.lowerBound)) to \(percent($0.upperBound))" } ?? "-",
      row.probability.map { $0 < 0.0001 ? "<0.0001" : $0.fixed(4) } ?? "-",
      row.medians.first.map { ($0 / 1_000).fixed(2) } ?? "-", row.medians.last.map { ($0 / 1_000).fixed(2) } ?? "-",
      row.verdict.rawValue,
    ]
  }

  static func cells(_ row: InstructionChange) -> [String] {
    [row.name, percent(row.change), row.before.fixed(0), row.after.fixed(0), percent(row.limit)]
  }

  static func conditions(_ report: ComparisonReport) -> [(name: String, value: String)] {
    var pairs = [
      (name: "base", value: report.base), (name: "head", value: report.head), (name: "method", value: report.method),
    ]
    if let peak = report.peakMemory {
      pairs.append((name: "peak memory", value: "\(megabytes(peak.base)) before, \(megabytes(peak.head)) after"))
    }
    return pairs
  }

  /// A change in percent, with its sign.
  static func percent(_ fraction: Double) -> String {
    (fraction > 0 ? "+" : "") + (100 * fraction).fixed(abs(fraction) < 0.0995 ? 2 : 1) + "%"
  }

  private static func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 1e6).fixed(1)) MB" }

  /// The document `assay.bench-compare/1`.
  package static func json(_ report: ComparisonReport) -> JSON {
    [
      "schema": "assay.bench-compare/1", "base": report.base, "head": report.head, "method": report.method,
      "results": report.rows.map(json), "instructions": report.instructions.map(json), "added": report.added,
      "findings": report.findings, "remarks": report.remarks, "peak_resident_bytes_before": report.peakMemory?.base,
      "peak_resident_bytes_after": report.peakMemory?.head,
    ]
  }

  private static func json(_ row: ComparisonRow) -> JSON {
    func number(_ value: Double?, _ digits: Int) -> JSON { value.map { .decimal($0, digits: digits) } ?? .null }
    return [
      "name": row.name, "verdict": row.verdict.rawValue, "change": number(row.change, 6),
      "low": number(row.interval?.lowerBound, 6), "high": number(row.interval?.upperBound, 6),
      "p": number(row.probability, 9), "before_ns": number(row.medians.first, 1),
      "after_ns": number(row.medians.last, 1), "detectable": number(row.detectable, 6),
    ]
  }

  private static func json(_ row: InstructionChange) -> JSON {
    [
      "name": row.name, "before": JSON.tenths(row.before), "after": JSON.tenths(row.after),
      "change": JSON.decimal(row.change, digits: 6), "limit": JSON.decimal(row.limit, digits: 6),
    ]
  }
}

import NamedCases
import Reports
import StrictJSON

extension RegisterMatrix {
  /// The matrix as text: a row for each text and width, a column for each construct, and the holes.
  package var text: String {
    let columns = RegisterConstruct.allCases
    let rows = ScannedText.allCases.flatMap { text in
      Self.widths.map { width in
        let row = cells.filter { $0.text == text && $0.width == width }
        let counts = Dictionary(uniqueKeysWithValues: row.map { ($0.construct, "\(count($0))/\(total($0))") })
        return ["\(text.rawValue), \(width)"] + columns.map { counts[$0] ?? "" }
      }
    }
    var lines = Text.table(header: ["register boundaries"] + columns.map(\.rawValue), rows: rows).map(Text.unbroken)
    lines += ["", "\(cells.count) cells, \(holes.count) of them with a hole"]
    lines += holes.map { "? \($0.construct.rawValue) in \($0.text.rawValue), registers of \($0.width) bytes" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The matrix for programs.
  package var document: JSON {
    let rows = cells.map { cell -> JSON in
      [
        "text": cell.text.rawValue, "construct": cell.construct.rawValue, "width": cell.width, "offsets": total(cell),
        "covered": count(cell),
      ]
    }
    return ["cells": rows, "holes": holes.count]
  }
}

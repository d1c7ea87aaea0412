import HostIO
import Reports
import StrictJSON

/// A folder of saved measurements, one file each.
package struct BaselineFolder {
  package static let usualPath = "Benchmarks/Baselines"

  package let path: String

  package init(_ named: String?) {
    path = named ?? Self.usualPath
  }

  /// The names of all baselines, in order.
  package func names() throws(CommandError) -> [String] {
    guard FolderWalk.isFolder(path) else { return [] }
    return try FolderWalk.files(below: path).compactMap { file in
      let name = file.dropFirst(path.count + 1)
      return name.hasSuffix(".json") && !name.contains("/") ? String(name.dropLast(5)) : nil
    }
  }

  package func file(of name: String) -> String { "\(path)/\(name).json" }

  /// Loads a baseline by its name, or a file by its path.
  ///
  /// - Throws: `CommandError` when it does not exist or is not a measurement.
  package func load(_ name: String) throws(CommandError) -> SavedReport {
    let known = FileWriter.exists(file(of: name)) ? file(of: name) : name
    guard known == "-" || FileWriter.exists(known) else {
      throw CommandError(.noAnswer, "there is no baseline \(Text.harmless(name)); see assay bench baseline list.")
    }
    return try SavedReport(parsing: try FileReader.read(known, limit: SavedReport.sizeLimit), of: known)
  }

  /// Writes a baseline. An existing one is overwritten only if `replacing`.
  package func save(_ document: JSON, as name: String, replacing: Bool) throws(CommandError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for count in 1...parts.count {
      let folder = parts.prefix(count).joined(separator: "/")
      if !folder.isEmpty { try FileWriter.makeFolder(folder, visibility: .everyone) }
    }
    guard replacing || !FileWriter.exists(file(of: name)) else {
      throw CommandError(.noAnswer, "the baseline \(Text.harmless(name)) already exists; --replace overwrites it.")
    }
    try FileWriter.write(
      Array((document.text + "\n").utf8), to: file(of: name), visibility: .everyone, replacing: replacing)
  }
}

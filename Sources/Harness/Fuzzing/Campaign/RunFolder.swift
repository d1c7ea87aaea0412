import CExternals
import Corpus
import HostIO
import Minting
import PaymentToken
import Reports
import StrictJSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder of a run: `corpus/ findings/ unreproducible/ settings.json stats.json stats.csv history.csv report.html`,
/// and `known.json` if the user has written one. Files are replaced
/// atomically: one that exists is complete, even if the run was killed.
package struct RunFolder {
  package let path: String

  /// Creates the folder if it does not exist, and locks it for the lifetime of this process.
  package init(making path: String) throws(CommandError) {
    self.path = path
    try FileWriter.makeFolder(path, visibility: .everyone)
    try FileWriter.makeFolder("\(path)/corpus", visibility: .everyone)
    for part in Self.findingFolders { try FileWriter.makeFolder("\(path)/\(part)", visibility: .everyone) }
    // In a folder that another user made, links could redirect reads and writes to other files of this machine.
    for name in ["corpus"] + Self.findingFolders { try FolderWalk.refuseLink("\(path)/\(name)") }
    let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0, assay_lock_file(descriptor) == 0 else {
      throw CommandError(.noAnswer, "another run is writing to \(Text.harmless(path)).")
    }
    // A run writes to no other folder: one that a user keeps here, or whose name is a mistake, stays as it is.
    var folders = [path, "\(path)/corpus"]
    for part in Self.findingFolders {
      folders += try ["\(path)/\(part)"] + FolderWalk.names(in: "\(path)/\(part)").map { "\(path)/\(part)/\($0)" }
    }
    for folder in folders where FolderWalk.isFolder(folder) && !FolderWalk.isLink(folder) {
      try FileWriter.removeTemporaryFiles(in: folder)
    }
  }

  /// Opens an existing folder.
  package init(path: String) throws(CommandError) {
    guard FileWriter.exists("\(path)/settings.json") else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not the folder of a run: it has no settings.json.")
    }
    self.path = path
  }

  /// - Parameter durable: whether it must survive a loss of power; it survives the end of this process in any case.
  func write(_ bytes: [UInt8], to name: String, durable: Bool = true) throws(CommandError) {
    try FileWriter.write(bytes, to: "\(path)/\(name)", visibility: .everyone, replacing: true, durable: durable)
  }

  package func write(_ json: JSON, to name: String, durable: Bool = true) throws(CommandError) {
    try write(Array((json.text + "\n").utf8), to: name, durable: durable)
  }

  func exists(_ name: String) -> Bool { FileWriter.exists("\(path)/\(name)") }

  /// A JSON document; nil if it does not exist or cannot be read.
  package func document(_ name: String) -> JSON? {
    guard exists(name), let bytes = try? FileReader.corpusFile("\(path)/\(name)", followsLinks: false) else {
      return nil
    }
    return try? JSON(reading: bytes.span)
  }

  // MARK: Corpus

  /// Saves a sample under the hash of its contents, by which a file truncated by a loss of power is detected.
  func keep(_ bytes: [UInt8]) throws(CommandError) {
    let name = "\(path)/corpus/\(Self.name(of: bytes))"
    if FileWriter.exists(name) { return }
    try FileWriter.write(bytes, to: name, visibility: .everyone, replacing: true, durable: false)
  }

  private static func name(of bytes: [UInt8]) -> String { Hex.encode(Hashing.sha256(bytes).prefix(16)) }

  /// The samples that can be read. Unreadable files and symbolic links are skipped with a remark each.
  func corpus() throws(CommandError) -> [[UInt8]] {
    var samples: [[UInt8]] = []
    for file in try FolderWalk.entries(below: "\(path)/corpus") where !FileWriter.isTemporary(file) {
      let bytes: [UInt8]
      do {
        bytes = try FileReader.corpusFile(file, followsLinks: false)
      } catch {
        Console.remark("skipped: \(error.message)")
        continue
      }
      let name = file.split(separator: "/").last.map { String($0) } ?? ""
      // libFuzzer uses names of another length, which are not checked.
      guard name.utf8.count != 32 || name == Self.name(of: bytes) else { continue }
      samples.append(bytes)
    }
    return samples
  }

  // MARK: Findings

  /// The folders of findings, and of those that are unreproducible.
  private static let findingFolders = ["findings", "unreproducible"]

  /// The names of the folders with complete findings.
  ///
  /// - Parameter part: `findings` or `unreproducible`. A run of an earlier version has no `unreproducible`.
  func findings(in part: String = "findings") throws(CommandError) -> [String] {
    let start = "\(path)/\(part)/"
    guard FolderWalk.isFolder(start) else { return [] }
    return try FolderWalk.files(below: "\(path)/\(part)", followsLinks: false).filter { $0.hasSuffix("/finding.json") }
      .map { String($0.dropFirst(start.count).dropLast("/finding.json".count)) }
  }
}

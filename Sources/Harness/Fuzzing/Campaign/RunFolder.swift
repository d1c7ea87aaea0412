import CExternals
import Corpus
import HostIO
import Reports
import StrictJSON

/// The folder of a run: `corpus/ findings/ unreproducible/ settings.json stats.json history.csv report.html`.
/// Files are replaced atomically: one that exists is complete, even if
/// the run was killed.
package struct RunFolder {
  package let path: String

  /// Creates the folder if it does not exist, and locks it for the lifetime of this process.
  package init(making path: String) throws(CommandError) {
    self.path = path
    let findings = FindingsFolder.allCases.map { "\(path)/\($0.rawValue)" }
    let folders = ["\(path)/corpus"] + findings
    for folder in [path] + folders { try FileWriter.makeFolder(folder, visibility: .everyone) }
    // In a folder that another user made, links could redirect reads and writes to other files of this machine.
    for folder in folders + ["\(path)/\(Self.damagedFolder)"] { try FolderWalk.refuseLink(folder) }
    let descriptor = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    let failure = descriptor < 0 ? errno : assay_lock_file(descriptor)
    guard failure == 0 else {
      let name = Text.harmless(path)
      throw CommandError(
        .noAnswer,
        failure == EWOULDBLOCK
          ? "another run is writing to \(name)." : "\(name)/lock cannot be locked: \(SystemError.text(failure)).")
    }
    // Clean only these folders. Other folders here may belong to the user, and keep their files.
    for folder in [path, "\(path)/corpus"] { try FileWriter.removeTemporaryFiles(in: folder) }
    for folder in findings {
      for file in try FolderWalk.files(below: folder, followsLinks: false) where FileWriter.isTemporary(file) {
        FileWriter.remove(file)
      }
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

  /// `stats.json`; nil if it does not exist or is damaged.
  package var statistics: JSON? {
    guard let document = document("stats.json"), case .object = document else { return nil }
    return document
  }

  // MARK: Corpus

  /// Saves a sample under its name (`SampleName`), and returns the name. The file survives the end of this process, and
  /// after `sync` a loss of power.
  @discardableResult func keep(_ bytes: [UInt8]) throws(CommandError) -> String {
    let name = SampleName.of(bytes)
    if FileWriter.exists("\(path)/corpus/\(name)") { return name }
    try FileWriter.write(bytes, to: "\(path)/corpus/\(name)", visibility: .everyone, replacing: true, durable: false)
    return name
  }

  /// Waits until all kept samples survive a loss of power.
  func sync() { FileWriter.syncFileSystem(of: "\(path)/corpus") }

  /// Removes samples. Other samples must have the same features, and must have been synced.
  func prune(_ names: [String]) { FileWriter.remove(names, in: "\(path)/corpus") }

  /// The samples that can be read. Unreadable files and symbolic links are skipped with a remark each. A file that does
  /// not contain what its name says is moved to another folder, so that its sample is written again when it is found.
  func corpus() throws(CommandError) -> [IntakeSample] {
    var samples: [IntakeSample] = []
    var damaged = 0
    for file in try FolderWalk.entries(below: "\(path)/corpus") where !FileWriter.isTemporary(file) {
      let bytes: [UInt8]
      do {
        bytes = try FileReader.corpusFile(file, followsLinks: false, limit: FileReader.sampleLimit)
      } catch {
        Console.remark("skipped: \(error.message)")
        continue
      }
      let name = file.split(separator: "/").last.map { String($0) } ?? ""
      if SampleName.isDamaged(bytes, named: name) {
        damaged += 1
        try setAside(file, name)
        continue
      }
      // A file in a subfolder or with another name belongs to the user, and is never pruned.
      let isOwn = SampleName.isDigest(name) && file == "\(path)/corpus/\(name)"
      samples.append(IntakeSample(bytes: bytes, origin: isOwn ? .corpus(name: name) : .seed))
    }
    if damaged > 0 {
      Console.remark(
        "\(Text.counted(damaged, "damaged sample")) moved to \(Text.harmless(path))/\(Self.damagedFolder).")
    }
    return samples
  }

  private static let damagedFolder = "corpus-damaged"

  private func setAside(_ file: String, _ name: String) throws(CommandError) {
    try FileWriter.makeFolder("\(path)/\(Self.damagedFolder)", visibility: .everyone)
    guard rename(file, "\(path)/\(Self.damagedFolder)/\(name)") == 0 else {
      throw CommandError(
        .noAnswer, "\(Text.harmless(file)) is damaged and cannot be moved: \(SystemError.text(errno)).")
    }
  }

  // MARK: Findings

  /// The names of the folders with complete findings. A run of an earlier version has no `unreproducible`.
  func findings(in part: FindingsFolder) throws(CommandError) -> [String] {
    let (folder, end) = ("\(path)/\(part.rawValue)", "/finding.json")
    guard FolderWalk.isFolder(folder) else { return [] }
    return try FolderWalk.files(below: folder, followsLinks: false).filter { $0.hasSuffix(end) }
      .map { String($0.dropFirst(folder.count + 1).dropLast(end.count)) }
  }
}

/// The folders of a run that hold its findings.
enum FindingsFolder: String, CaseIterable {
  case findings
  /// Those that no replay shows and that the machine may have caused.
  case unreproducible

  init(isUnreproducible: Bool) { self = isUnreproducible ? .unreproducible : .findings }

  /// The folder of a finding, below that of the run.
  func path(of id: String) -> String { "\(rawValue)/\(id)" }
}
